/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "worker/runner/method/levels.h"
#include "worker/runner/sample/gauge.h"
#include "worker/runner/sample/memalign.h"
#include "worker/runner/sample/ticks.h"

#define PAGE_BYTES	4096u
#define GROUPS		16u		/* of lines: half are read as chains, half one by one */
#define ROUNDS		4u		/* readings of each place, GROUPS / 2 in each */
#define GROWTH		2u		/* the area has room for twice what is tried first */
#define APART		5 / 4		/* readings of two places differ by a quarter */

static uint32_t
group_bytes(const struct rt_timer *t)
{
	return RUNNER_CHAIN * RT_GAUGE_STEP * t->setup.line_bytes;
}

int
rt_levels_make(struct rt_timer *t)
{
	const struct runner_setup	*s = &t->setup;
	const uint64_t			 own = GROUPS * (uint64_t)group_bytes(t);
	struct rt_levels		*l = &t->levels;

	l->out_of_l1 = s->out_of_l1;
	l->out_of_l2 = s->out_of_l2;
	l->most = GROWTH * (l->out_of_l2 > l->out_of_l1 ? l->out_of_l2 : l->out_of_l1);
	if (l->most != 0 && !rt_area_make(&t->scratch, l->most))
		return 0;
	if ((l->lines = rt_memalign(own, PAGE_BYTES, 0)) == NULL)
		return 0;
	rt_memalign_bring_in(l->lines, own);
	memset(l->lines, 1, own);
	return 1;
}

static void
leave(const struct rt_timer *t, uint64_t bytes)
{
	rt_read_area(t->scratch.at, bytes, t->setup.line_bytes);
}

void
rt_leave_l1(const struct rt_timer *t)
{
	leave(t, t->levels.out_of_l1);
}

void
rt_leave_l2(const struct rt_timer *t)
{
	leave(t, t->levels.out_of_l2);
}

/* ---- known places ---- */

static void
put(const struct rt_timer *t, enum runner_level level)
{
	struct rt_range	all = rt_range_of(t->levels.lines, GROUPS * (uint64_t)group_bytes(t), 1, 1);

	rt_touch(&all, t->setup.line_bytes);
	if (level == RUNNER_MEMORY)
		rt_flush_lines(&all, t->setup.line_bytes);
	if (level == RUNNER_L2 || level == RUNNER_L3)
		rt_leave_l1(t);
	if (level != RUNNER_L3)
		return;
	rt_touch(&all, t->setup.line_bytes);
	rt_leave_l2(t);
}

static void
read_groups(const struct rt_timer *t, struct runner_lines *to)
{
	const uint64_t	secret = rt_ticks_start();

	for (uint32_t i = 0; i < GROUPS; i++) {
		const char	*first = t->levels.lines + (5 * i + 3) % GROUPS * group_bytes(t);
		const char	*at[RUNNER_CHAIN];
		unsigned	 slot[RUNNER_CHAIN];

		rt_gauge_choose(secret + i, RUNNER_CHAIN, slot);
		for (unsigned n = 0; n < RUNNER_CHAIN; n++)
			at[n] = first + slot[n] * RT_GAUGE_STEP * t->setup.line_bytes;
		rt_gauge_read(at, i % 2 == 0 ? RUNNER_CHAIN : 1, secret + i, to);
	}
}

static int
is_there(const struct rt_timer *t, enum runner_level level)
{
	const struct runner_setup	*s = &t->setup;

	return level == RUNNER_L1 ? s->l1_bytes != 0 : level == RUNNER_L2 ? s->l2_bytes != 0 :
	    level == RUNNER_L3 ? s->l3_bytes != 0 : rt_flush_lines_can();
}

static void
measure(const struct rt_timer *t, enum runner_level level, unsigned rounds, struct runner_lines *to)
{
	memset(to, 0, sizeof *to);
	for (unsigned i = 0; i < rounds && is_there(t, level); i++) {
		put(t, level);
		read_groups(t, to);
	}
}

void
rt_levels_read(const struct rt_timer *t, struct runner_lines known[RUNNER_NLEVELS])
{
	for (enum runner_level i = RUNNER_L1; i < RUNNER_NLEVELS; i++)
		if (i == RUNNER_L3)
			known[i] = t->levels.known[i];
		else
			measure(t, i, ROUNDS / 2, &known[i]);
}

/* The middle one of the chains, by its bin's least ticks. */
static uint32_t
middle(const struct runner_lines *l)
{
	uint32_t	all = 0, before = 0, bin = 0;

	for (unsigned i = 0; i < RUNNER_BINS; i++)
		all += l->chain[i];
	while (bin < RUNNER_BINS - 1 && 2 * (before += l->chain[bin]) < all)
		bin++;
	return rt_gauge_least(bin);
}

static int
are_apart(const struct rt_levels *l, enum runner_level nearer, enum runner_level farther)
{
	return middle(&l->known[farther]) >= middle(&l->known[nearer]) * APART;
}

void
rt_levels_know(struct rt_timer *t)
{
	struct rt_levels	*l = &t->levels;

	if (l->are_known)
		return;
	l->are_known = 1;
	for (enum runner_level i = RUNNER_L1; i < RUNNER_NLEVELS; i++)
		measure(t, i, ROUNDS, &l->known[i]);
	while (is_there(t, RUNNER_L3) && !are_apart(l, RUNNER_L2, RUNNER_L3) &&
	    2 * l->out_of_l2 <= l->most) {
		l->out_of_l2 *= 2;
		measure(t, RUNNER_L3, ROUNDS, &l->known[RUNNER_L3]);
	}
}

void
rt_levels_forget(struct rt_timer *t)
{
	t->levels.are_known = 0;
	t->levels.out_of_l2 = t->setup.out_of_l2;
}

void
rt_levels_inherit(struct rt_timer *t, const struct runner_levels *from)
{
	struct rt_levels	*l = &t->levels;

	if (from->out_of_l2 < l->out_of_l2 || from->out_of_l2 > l->most)
		return;
	l->are_known = from->out_of_l2 != 0;
	l->out_of_l2 = from->out_of_l2;
	l->known[RUNNER_L3] = from->l3;
}

void
rt_levels_leave(const struct rt_timer *t, struct runner_levels *to)
{
	if (!t->levels.are_known)
		return;
	to->out_of_l2 = t->levels.out_of_l2;
	to->l3 = t->levels.known[RUNNER_L3];
}
