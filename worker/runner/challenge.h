/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_CHALLENGE_H
#define ASSAY_WORKER_RUNNER_CHALLENGE_H

#include "worker/runner/method/timer.h"

#pragma GCC visibility push(hidden)

/*
 * A challenge: operands lie in memory that the supervisor shares and has just written, so nothing
 * in here could look at them before.  0 from either: this runner was not set up for challenges.
 */

/* In the template: the first contents of all operands, each to its place in the challenge area. */
int		 rt_challenge_prime(const struct rt_timer *, struct runner_shm *);

/*
 * In a child: one call on what is there now; what the routine returns goes to the beginning of the
 * output area.
 */
int		 rt_challenge_call(const struct rt_timer *, rt_code *, struct runner_shm *,
    struct runner_lane *);

#pragma GCC visibility pop
#endif
