/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_METHOD_LEVELS_H
#define ASSAY_WORKER_RUNNER_METHOD_LEVELS_H

#include "worker/runner/method/timer.h"

#pragma GCC visibility push(hidden)

/*
 * Cache levels: how to drive lines out of one into the next, and what reading takes then.
 *
 * Caches are not quite LRU, and the last may hold only what the inner ones drop.  So the size of an
 * inner cache says little about how much other memory drives lines out of it.  The set-up has what
 * calibration found, or a multiple of the size.  If known lines are then as near as before, twice
 * as much is read.
 */

/* In the template: memory. 0: there is none. */
int		 rt_levels_make(struct rt_timer *);

/* In a child on the timing CPU, once: measure, unless a child before it did. */
void		 rt_levels_know(struct rt_timer *);

/* To measure once more, as if nothing had been: what disturbed the last time does not last. */
void		 rt_levels_forget(struct rt_timer *);

/*
 * What an earlier child of the job has left of what takes long, if that can be; and what this one
 * leaves.  It is a claim, as all of a child's readings are.
 */
void		 rt_levels_inherit(struct rt_timer *, const struct runner_levels *);
void		 rt_levels_leave(const struct rt_timer *, struct runner_levels *);

/*
 * Readings of all levels, to be compared with others of now: the core's clock may have changed
 * since they were measured.  So all but those of L3, which need long, are taken anew.
 */
void		 rt_levels_read(const struct rt_timer *, struct runner_lines known[RUNNER_NLEVELS]);

/* Other memory drives earlier touches out of L1, or out of L2. */
void		 rt_leave_l1(const struct rt_timer *);
void		 rt_leave_l2(const struct rt_timer *);

#pragma GCC visibility pop
#endif
