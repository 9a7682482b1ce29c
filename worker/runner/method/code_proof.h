/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_METHOD_CODE_PROOF_H
#define ASSAY_WORKER_RUNNER_METHOD_CODE_PROOF_H

#include "worker/runner/method/timer.h"

#pragma GCC visibility push(hidden)

/*
 * Cold code: its lines leave the caches as the last thing before a region, and a proof (proof.h)
 * reads lines of it in the region's place.  An image makes the call itself, so there both are done
 * right before each of its calls.
 */

/*
 * Take the code out of the caches, and for a proof (out not NULL) read some of it: lines read and
 * those found in a cache are added.  With an image this happens when it calls.
 */
void		 rt_code_leave(struct rt_timer *, struct runner_sample *out);

/* After the region: the image's calls are left alone again. */
void		 rt_code_left(const struct rt_timer *);

#pragma GCC visibility pop
#endif
