/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_METHOD_METHOD_H
#define ASSAY_WORKER_RUNNER_METHOD_METHOD_H

#include "worker/runner/method/timer.h"

#pragma GCC visibility push(hidden)

/*
 * A method of timing, on the runner's side: how cold operands get out of the caches before each
 * region, and on which of them a region's calls are.  One file each, method_*.c; its row is in the
 * table of method.c, and sample.c goes through the row's steps.  worker/plan/method.h has the
 * supervisor's side, which makes the orders.
 */

/* Arguments of one region. */
struct rt_region {
	rt_code		*code;
	const uint32_t	*walk;			/* the far set of each call; NULL: all at home */
	uint64_t	 input;			/* its first, counted from the order's; inputs.h */
	void		*at[RT_SETS_AT];
	uint64_t	 step[RT_MAX_OPERANDS];	/* with a walk */
};

/* Memory that the template makes for orders to come. */
struct rt_areas {
	uint64_t	 flush_bytes;
	struct runner_sets far;
};

/* A member that is NULL does nothing. */
struct rt_method {
	/* Is it this method that an order asks for, and can it be carried out? */
	int		 (*applies)(const struct rt_timer *, const struct runner_run *);
	int		 (*is_sound)(const struct rt_timer *, const struct runner_run *);

	/* In the template: the method's memory.  NULL, or why not, in words that last. */
	const char	*(*make)(struct rt_timer *, const struct rt_areas *);
	/* In a child, before an order: what an earlier one has not made ready. */
	void		 (*enter)(struct rt_timer *);
	/* Before the first sample: how many far sets the driver's calls meet; 0: not looked. */
	uint64_t	 (*witness)(struct rt_timer *, const struct runner_run *);

	/* Before each region: where its operands are; these as at first, if asked for; flushed. */
	void		 (*aim)(struct rt_timer *, const struct runner_run *, struct rt_region *);
	void		 (*restore)(struct rt_timer *);
	void		 (*flush)(struct rt_timer *, const struct runner_run *);
	/* Other operands that the routine shall find in the cache, without a place of their own. */
	void		 (*warm)(const struct rt_timer *, const struct runner_run *,
			    const struct rt_region *);
	/* After it, and after a census; looked: the sentinel was. */
	void		 (*after)(struct rt_timer *, const struct runner_run *,
			    const struct rt_region *, int looked);
};

extern const struct rt_method	rt_method_warm, rt_method_one_x86, rt_method_one_lru;
extern const struct rt_method	rt_method_multi, rt_method_separate, rt_method_image;
extern const struct rt_method	rt_method_stroll;

/* The method that an order asks for; NULL: there is none. */
const struct rt_method	*rt_method_of(const struct rt_timer *, const struct runner_run *);

/* In the template, the memory of all methods.  NULL, or why not, in words that last. */
const char		*rt_methods_make(struct rt_timer *, const struct rt_areas *);

/* Steps of several methods: all calls are at home; each is on a far set. */
void		 rt_aim_home(struct rt_timer *, const struct runner_run *, struct rt_region *);
void		 rt_aim_far(struct rt_timer *, const struct runner_run *, struct rt_region *);
int		 rt_far_is_sound(const struct rt_timer *, const struct runner_run *);
void		 rt_enter_far(struct rt_timer *);

#pragma GCC visibility pop
#endif
