/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_TEAM_H
#define ASSAY_WORKER_RUNNER_TEAM_H

#include "worker/runner/sample/crew.h"

#pragma GCC visibility push(hidden)

/*
 * Threads that a routine starts, bound one to each CPU of its slot.  An isolated partition has no
 * load balancing: left to themselves all threads would stay where they were born.  They cannot bind
 * themselves, because the CPU set lies behind a pointer, out of a filter's sight.  So they are born
 * in the right place.  The runner's own pthread_create and thrd_create come before libc's for all
 * that is loaded later.  They have the member of the crew on the CPU with the fewest threads start
 * each thread, which inherits the CPU.
 *
 * From now on, by this crew (borrowed, for good); the caller's own thread counts as on the first
 * CPU.
 */
void		 rt_team_bind(struct rt_crew *);

#pragma GCC visibility pop
#endif
