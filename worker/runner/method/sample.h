/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_METHOD_SAMPLE_H
#define ASSAY_WORKER_RUNNER_METHOD_SAMPLE_H

#include "worker/runner/method/timer.h"

#pragma GCC visibility push(hidden)

/* Is this an order that can be carried out with this timer? */
int		 rt_run_is_sound(const struct rt_timer *, const struct runner_run *);

/* Get ready for a sound order.  0: no memory. */
int		 rt_run_ready(struct rt_timer *, const struct runner_run *);

/* Carry it out: run->samples samples of the routine, or of the driver's empty one, into `lane`. */
void		 rt_run_samples(struct rt_timer *, rt_code *, const struct runner_run *,
		    struct runner_lane *lane);

#pragma GCC visibility pop
#endif
