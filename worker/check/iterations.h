/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_CHECK_ITERATIONS_H
#define ASSAY_WORKER_CHECK_ITERATIONS_H

#include "proto/spec/spec.h"

/*
 * The iterations of a call whose outputs these are: NaN without `iterations` in the spec.
 * ST_WRONG_ANSWER: the routine returned a number below 1.
 */
enum status	 iterations_of(const struct spec *, const void *outputs, double *iterations,
		    struct fault *);

#endif
