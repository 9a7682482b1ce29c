/* SPDX-License-Identifier: Apache-2.0 */
/* OneCallFlushX86 (section 3): each line of each cold operand leaves the caches by instruction. */
#include "worker/runner/method/method.h"

static int
applies(const struct rt_timer *t, const struct runner_run *run)
{
	return t->image == NULL && run->walk == RUNNER_STAY && run->flush == RUNNER_FLUSH_LINES;
}

static int
is_sound(const struct rt_timer *t, const struct runner_run *run)
{
	(void)t, (void)run;
	return rt_flush_lines_can();
}

static void
flush_cold(const struct rt_sets *s, const struct runner_run *run)
{
	for (uint32_t k = 0; k < s->driver->rt_operands; k++) {
		const struct rt_live	*l = &s->live[k];

		for (int n = 0; run->place[k] == RUNNER_COLD && n < rt_live_parts(l); n++) {
			struct rt_range	r = rt_live_part(l, l->home, n);

			rt_flush_lines(&r, s->line_bytes);
		}
	}
}

static void
flush(struct rt_timer *t, const struct runner_run *run)
{
	flush_cold(&t->sets, run);
	if (t->sentinel.home != NULL)
		rt_sentinel_flush(&t->sentinel, t->setup.line_bytes);
}

const struct rt_method	rt_method_one_x86 = {
	.applies = applies, .is_sound = is_sound, .aim = rt_aim_home,
	.restore = rt_timer_restore_inout, .flush = flush,
};
