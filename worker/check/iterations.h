/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_CHECK_ITERATIONS_H
#define ASSAY_WORKER_CHECK_ITERATIONS_H

#include "proto/spec/spec.h"

/*
 * The iterations of a call whose outputs these are: NaN without `iterations` in the spec.  They
 * come with those of an earlier call of the same (NaN: there was none).  ST_WRONG_ANSWER: the
 * routine returned a number below 1 or beyond 2^53, another one than before, or another one than
 * the spec's check has.
 */
enum status	 iterations_of(const struct spec *, const void *outputs, double *iterations,
		    struct fault *);

#endif
