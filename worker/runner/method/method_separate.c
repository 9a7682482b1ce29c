/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Separate outputs (RangeGuard): each call of a region writes operands of its own, the same in
 * every sample and in the cache.  They are far sets, which rt_method_multi makes.
 */
#include "worker/runner/method/method.h"
#include "worker/runner/method/place.h"
#include "worker/runner/sample/restore.h"

static int
applies(const struct rt_timer *t, const struct runner_run *run)
{
	return t->image == NULL && run->walk == RUNNER_AGAIN && run->flush == RUNNER_FLUSH_NONE;
}

static void
warm(const struct rt_timer *t, const struct runner_run *run, const struct rt_region *r)
{
	rt_touch_far(&t->sets, r->walk, run->calls);
}

static void
after(struct rt_timer *t, const struct runner_run *run, const struct rt_region *r, int looked)
{
	(void)looked;
	if (run->restore == RUNNER_RESTORE)
		rt_sets_restore_far(&t->sets, r->walk, run->calls);
}

const struct rt_method	rt_method_separate = {
	.applies = applies, .is_sound = rt_far_is_sound, .enter = rt_enter_far, .aim = rt_aim_far,
	.warm = warm, .after = after,
};
