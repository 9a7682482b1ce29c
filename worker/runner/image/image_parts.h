/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_IMAGE_IMAGE_PARTS_H
#define ASSAY_WORKER_RUNNER_IMAGE_IMAGE_PARTS_H

#include "proto/wire/runner_shm.h"
#include "worker/runner/image/image.h"

#pragma GCC visibility push(hidden)

/* Common to the two parts of an image: image.c has its memory, image_run.c the way in and out. */

/* From now on rt_image_run runs this one, which is mapped. */
void		 rt_image_use(const struct rt_image *);

/*
 * Make the image's clocks at the address of the kernel's in the application.  It is mapped to be
 * written, and executable afterwards.  NULL, or why not.
 */
const char	*rt_image_make_clocks(const struct image_header *);

const char	*rt_image_result(uint64_t call);	/* of what ran last; below RUNNER_CALLS */

#pragma GCC visibility pop
#endif
