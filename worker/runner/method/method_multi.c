/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MultiCallFlushLRU (section 4): each call of a region is on the next set of a walk, and all sets
 * together are larger than the caches.  Sets are restored behind the walk, after their sample,
 * because restoring brings them into the cache.
 */
#include "worker/runner/method/method.h"
#include "worker/runner/sample/restore.h"
#include "worker/runner/sample/witness.h"

static int
applies(const struct rt_timer *t, const struct runner_run *run)
{
	return t->image == NULL && rt_walk_is_cold(run->walk) && run->flush == RUNNER_FLUSH_NONE;
}

/* The sentinel's lines are as long out of the caches as the sets that are filled after them. */
static const char *
make(struct rt_timer *t, const struct rt_areas *areas)
{
	if (!rt_sentinel_make(&t->sentinel, areas->far.sets))
		return "no memory for lines that show whether samples are cold";
	return rt_sets_make_far(&t->sets, areas->far.sets, areas->far.moving, areas->far.inputs);
}

/* The walk of the samples to come, as the driver's witness sees it. */
static uint64_t
witness(struct rt_timer *t, const struct runner_run *run)
{
	const uint64_t	calls = run->calls * run->samples, sets = t->sets.sets;

	return rt_witness_walk(&t->sets, rt_walk_next(&t->sets.walk, run->walk, 0),
	    calls < sets ? calls : sets);
}

static void
after(struct rt_timer *t, const struct runner_run *run, const struct rt_region *r, int looked)
{
	if (looked)
		rt_sentinel_touch_far(&t->sentinel, r->walk, run->calls);
	if (run->restore == RUNNER_RESTORE)
		rt_sets_restore_far(&t->sets, r->walk, run->calls);
}

const struct rt_method	rt_method_multi = {
	.applies = applies, .is_sound = rt_far_is_sound, .make = make, .enter = rt_enter_far,
	.witness = witness, .aim = rt_aim_far, .after = after,
};
