/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_SAMPLE_WALK_H
#define ASSAY_WORKER_RUNNER_SAMPLE_WALK_H

#include "proto/wire/runner_shm.h"

#pragma GCC visibility push(hidden)

/*
 * The orders in which working sets are walked: backward, forward, and a fixed random one.  Each is
 * written three times in a row, so that any part that begins in the first two is whole.
 */
struct rt_walk {
	uint32_t	*order;			/* all three, one behind the other; owned */
	uint64_t	 sets;
	uint64_t	 position;		/* where the next part begins, in the first two */
};

/* turned: what entries of every second traversal have in addition.  NULL, or why not. */
const char	*rt_walk_make(struct rt_walk *, uint64_t sets, uint32_t turned);
void		 rt_walk_free(struct rt_walk *);

/* The next `calls` entries, at most `sets`; RUNNER_AGAIN, RUNNER_STROLL: the first ones, always. */
const uint32_t	*rt_walk_next(struct rt_walk *, enum runner_walk, uint64_t calls);


/* Pass over so many. */
void		 rt_walk_pass(struct rt_walk *, uint64_t sets);

/* Does no set come again before all others have? */
int		 rt_walk_is_cold(uint32_t walk);

#pragma GCC visibility pop
#endif
