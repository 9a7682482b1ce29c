/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_METHOD_STATE_H
#define ASSAY_WORKER_RUNNER_METHOD_STATE_H

#include "worker/runner/method/timer.h"

#pragma GCC visibility push(hidden)

/*
 * The proof of a state.  Now and then a sample ends where its region would have begun: lines of
 * each operand, or of the image, are read by the clock.  The routine is not called to keep the core
 * awake, so none of its code runs between flush and reading.  A line in another place than asked is
 * a fault of ours.  proof.h looks for what the routine's own calls bring back.
 *
 * Chance decides when, about once in RT_STATE_EVERY samples, and once at least in a child's first
 * order.
 */
enum {
	RT_STATE_EVERY	= 8,
	RT_STATE_MOST	= 16,		/* readings of an operand in one proof */
	RT_STATE_SPAN	= 36,		/* lines that a chain may lie in */
};

/* An order begins; is the next sample a proof? */
void		 rt_state_begin(struct rt_timer *, const struct runner_run *);
int		 rt_state_is_due(struct rt_state *);

/* Read lines of all operands, where a call of the region would find them. */
void		 rt_state_look(struct rt_timer *, const struct runner_run *, const uint32_t *walk);
/* What was read counts; or (0) it does not: the thread was interrupted. */
void		 rt_state_keep(struct rt_timer *, struct runner_proof *, int counts);

#pragma GCC visibility pop
#endif
