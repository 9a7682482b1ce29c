/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_METHOD_MEETING_H
#define ASSAY_WORKER_RUNNER_METHOD_MEETING_H

#include "worker/runner/method/timer.h"

#pragma GCC visibility push(hidden)

/*
 * Copies of a variant, each in a process on a CPU of its own, begin their regions together.  A
 * barrier without a word that two may write: each copy counts its meetings in its spot, and waits
 * until all spots have the number.  Each region has two meetings.  After the first no copy is
 * asleep, so after the second all begin within the time that a line takes from core to core.
 *
 * A copy that never comes keeps the others waiting until the supervisor ends them all.  Alone, all
 * of this does nothing.
 */
void	 rt_meet_order(struct rt_meeting *, const struct runner_run *);

/* 0: alone. */
int	 rt_meet(struct rt_meeting *);

/* The second meeting; the sample has when this copy was ready, and when it began. */
void	 rt_meet_to_begin(struct rt_meeting *, struct runner_sample *);

/* The region is over. */
void	 rt_meet_leave(struct rt_meeting *, struct runner_sample *);
int	 rt_meet_is_over(const struct rt_meeting *);	/* all have left */

#pragma GCC visibility pop
#endif
