/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checkpoint: the driver's region runs an image.  Its memory is put back first; with a flush, all
 * of it but code leaves the caches then.  The image's own code runs before the timed call.
 */
#include "worker/runner/method/method.h"

static int
applies(const struct rt_timer *t, const struct runner_run *run)
{
	return t->image != NULL && run->walk == RUNNER_STAY && run->flush != RUNNER_FLUSH_LRU;
}

static int
is_sound(const struct rt_timer *t, const struct runner_run *run)
{
	(void)t;
	return run->flush == RUNNER_FLUSH_NONE || rt_flush_lines_can();
}

static void
flush(struct rt_timer *t, const struct runner_run *run)
{
	if (run->flush == RUNNER_FLUSH_NONE)
		return;
	rt_image_flush(t->image, t->setup.line_bytes);
	if (t->sentinel.home != NULL)
		rt_sentinel_flush(&t->sentinel, t->setup.line_bytes);
}

const struct rt_method	rt_method_image = {
	.applies = applies, .is_sound = is_sound, .aim = rt_aim_home,
	.restore = rt_timer_restore_inout, .flush = flush,
};
