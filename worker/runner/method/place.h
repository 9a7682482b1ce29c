/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_METHOD_PLACE_H
#define ASSAY_WORKER_RUNNER_METHOD_PLACE_H

#include "worker/runner/method/timer.h"

#pragma GCC visibility push(hidden)

/*
 * Operands of the home set in the caches where an order wants them (run->place), in lines as it
 * wants them (run->dirty, run->clean).  Cold ones are left where they are.  Is the order sound?
 */
int		 rt_place_is_sound(const struct rt_sets *, const struct runner_run *);
void		 rt_place(const struct rt_timer *, const struct runner_run *);

/* Bring operands of the home set with this `place` in the order into the cache. */
void		 rt_touch_placed(const struct rt_sets *, const struct runner_run *,
    enum runner_place);

/* The same of the sets of `calls` entries of a walk, all that move. */
void		 rt_touch_far(const struct rt_sets *, const uint32_t *walk, uint64_t calls);

#pragma GCC visibility pop
#endif
