/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_KEPT_H
#define ASSAY_WORKER_RUNNER_KEPT_H

#include <stdint.h>

#include "worker/runner/method/timer.h"

#pragma GCC visibility push(hidden)

/*
 * Memory whose mapping a child may not change, whole pages in ascending order: nothing is put in
 * its place, its rights and its contents are not given to the kernel.
 */
enum { RT_KEPT_MOST = 128 };

struct rt_kept_span {
	uint64_t	 from, to;
};

struct rt_kept {
	unsigned		 n;
	/* one more than is ever kept: the two that are nearest to each other become one */
	struct rt_kept_span	 span[RT_KEPT_MOST + 1];
};

void		 rt_kept_add(struct rt_kept *, const void *at, uint64_t bytes);	/* NULL: nothing */

/* All code of this process and of the image, if there is one. */
void		 rt_kept_add_code(struct rt_kept *, const struct rt_image *);

/*
 * The operands, and what drives them out of the caches.  Pages that are given back to the kernel
 * are all one page of zeros, which is in a cache.
 */
void		 rt_kept_add_operands(struct rt_kept *, const struct rt_timer *);

#pragma GCC visibility pop
#endif
