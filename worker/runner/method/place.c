/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/runner/method/levels.h"
#include "worker/runner/method/place.h"

static int
is_wanted(const struct rt_sets *s, const struct runner_run *run, enum runner_place place)
{
	for (uint32_t k = 0; k < s->driver->rt_operands; k++)
		if (run->place[k] == place)
			return 1;
	return 0;
}

int
rt_place_is_sound(const struct rt_sets *s, const struct runner_run *run)
{
	for (uint32_t k = 0; k < s->driver->rt_operands; k++)
		if ((run->dirty >> k & 1) && !rt_live_is_own(&s->live[k]))
			return 0;
	return run->clean == 0 || rt_flush_lines_can();
}

static void
bring_in(const struct rt_range *r, uint32_t line_bytes, int clean, int dirty)
{
	if (clean)
		rt_flush_lines(r, line_bytes);
	if (dirty)
		rt_store(r, line_bytes);
	else
		rt_touch(r, line_bytes);
}

void
rt_touch_placed(const struct rt_sets *s, const struct runner_run *run, enum runner_place place)
{
	for (uint32_t k = 0; k < s->driver->rt_operands; k++)
		for (int n = 0; run->place[k] == place && n < rt_live_parts(&s->live[k]); n++) {
			struct rt_range	r = rt_live_part(&s->live[k], s->live[k].home, n);

			bring_in(&r, s->line_bytes, run->clean >> k & 1, run->dirty >> k & 1);
		}
}

void
rt_touch_far(const struct rt_sets *s, const uint32_t *walk, uint64_t calls)
{
	for (uint64_t i = 0; i < calls; i++)
		for (uint32_t k = 0; k < s->driver->rt_operands; k++) {
			const struct rt_live	*l = &s->live[k];
			struct rt_range		 r;

			if (l->far == NULL)
				continue;
			r = rt_live_part(l, rt_live_far(l, walk[i]), 0);
			rt_touch(&r, s->line_bytes);
		}
}

/* Neither flushed nor stored to once more. */
static void
touch_again(const struct rt_sets *s, const struct runner_run *run, enum runner_place place)
{
	struct runner_run	again = *run;

	again.clean = again.dirty = 0;
	rt_touch_placed(s, &again, place);
}

/*
 * From the outermost cache inwards.  A last cache may not take a line that an inner one drops
 * unused: so lines for L3 are touched again once they have left L1.
 */
void
rt_place(const struct rt_timer *t, const struct runner_run *run)
{
	if (is_wanted(&t->sets, run, RUNNER_IN_L3)) {
		rt_touch_placed(&t->sets, run, RUNNER_IN_L3);
		rt_leave_l1(t);
		touch_again(&t->sets, run, RUNNER_IN_L3);
		rt_leave_l2(t);
	}
	if (is_wanted(&t->sets, run, RUNNER_IN_L2)) {
		rt_touch_placed(&t->sets, run, RUNNER_IN_L2);
		rt_leave_l1(t);
	}
	rt_touch_placed(&t->sets, run, RUNNER_WARM);
	rt_touch_placed(&t->sets, run, RUNNER_IN_L1);
}
