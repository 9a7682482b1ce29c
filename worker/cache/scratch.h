/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_CACHE_SCRATCH_H
#define ASSAY_WORKER_CACHE_SCRATCH_H

#include <stddef.h>

#include "proto/base/fault.h"

/*
 * A builder's own directory: sources go in, and it is emptied before the next build.  A compiler gets copies of them,
 * or, where its jail has no mount namespace, works right here.
 */
struct scratch {
	char	path[2048];		/* "": not made */
};

/*
 * Make build.PID and remove what builders that are no more have left beside it: in memory if
 * /dev/shm is that and has room (a compiler's temporary files cost a tenth of its time on a disk),
 * else below `parent`.
 */
enum status	 scratch_make(struct scratch *, const char *parent, struct fault *);
enum status	 scratch_put(const struct scratch *, const char *name, const void *bytes, size_t n,
		    struct fault *);
void		 scratch_empty(const struct scratch *);
void		 scratch_remove(struct scratch *);	/* harmless when not made */

#endif
