/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_CHALLENGE_H
#define ASSAY_WORKER_RUNNER_CHALLENGE_H

#include "worker/runner/method/timer.h"

#pragma GCC visibility push(hidden)

/*
 * A challenge: calls on operands that were drawn right before, each on a working set of its own, in
 * the lane's memory.  The lane's child could not look at them earlier (worker/runner/scribe.h).
 */

/* 0: this runner has no challenge area, or a smaller one. */
int		 rt_challenge_fits(const struct rt_timer *, const struct runner_shm *,
		    const struct runner_challenge *);

/* The first working set of a lane. */
char		*rt_challenge_sets(const struct runner_shm *, struct runner_lane *);

/*
 * In a child: one call on each set; what the routine returns goes to the beginning of the challenge
 * area.  0: as above.
 */
int		 rt_challenge_call(const struct rt_timer *, rt_code *, const struct runner_shm *,
    struct runner_lane *);

#pragma GCC visibility pop
#endif
