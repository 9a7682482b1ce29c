/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_CHILDREN_H
#define ASSAY_WORKER_RUNNER_CHILDREN_H

#include <stdbool.h>

#include "worker/runner/method/timer.h"

#pragma GCC visibility push(hidden)

/*
 * The template's children: the scribe, and one a lane at most.  A signal handler reaps a child as
 * soon as it ends, and rings its lane.  Its orphans become the template's.
 */
void			 rt_children_watch(struct runner_shm *);	/* once, before any */

/* Fork a child for the lane, to load ./name.  RUNNER_NO_FORK: errno has why. */
enum runner_reply	 rt_children_fork(uint32_t lane, struct rt_timer *, const char *name);
bool			 rt_children_has(uint32_t lane);

/* Fork the scribe (worker/runner/scribe.h), once.  false: errno has why. */
bool			 rt_children_fork_scribe(const struct rt_timer *);

/*
 * Kill what runs on the lane and all in its process group; it is gone when this returns.
 * RUNNER_SURVIVORS: something that it started is not.
 */
enum runner_reply	 rt_children_drop(uint32_t lane);

#pragma GCC visibility pop
#endif
