/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inputs that take turns, for short calls: each call of a region has one of its own.  They are in
 * far sets, which rt_method_multi makes, are drawn before each region, and are in the cache.
 */
#include "worker/runner/method/method.h"
#include "worker/runner/method/place.h"

static int
applies(const struct rt_timer *t, const struct runner_run *run)
{
	return t->image == NULL && run->walk == RUNNER_STROLL && run->flush == RUNNER_FLUSH_NONE;
}

static void
warm(const struct rt_timer *t, const struct runner_run *run, const struct rt_region *r)
{
	rt_touch_far(&t->sets, r->walk, run->calls);
}

const struct rt_method	rt_method_stroll = {
	.applies = applies, .is_sound = rt_far_is_sound, .enter = rt_enter_far, .aim = rt_aim_far,
	.warm = warm,
};
