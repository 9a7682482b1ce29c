/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_LANE_H
#define ASSAY_WORKER_RUNNER_LANE_H

#include "worker/runner/method/timer.h"

#pragma GCC visibility push(hidden)

/*
 * The life of a child: pin to the timing CPU, load ./name, note in the lane how that went, then
 * serve its orders until killed.  The first order on the lane is the loading itself.
 */
_Noreturn void	 rt_lane_serve(struct runner_shm *, uint32_t lane, struct rt_timer *,
		    const char *name);

#pragma GCC visibility pop
#endif
