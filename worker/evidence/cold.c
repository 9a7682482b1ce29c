/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stddef.h>

#include "worker/evidence/cold.h"

static bool
is_told_apart(uint32_t nearer, uint32_t farther)
{
	return nearer != 0 && (double)farther >= COLD_TIMES * (double)nearer;
}

/* Half way on a scale of ratios: where both mistakes are equally unlikely. */
static double
between(uint32_t nearer, uint32_t farther)
{
	return sqrt((double)nearer * (double)farther);
}

void
cold_judge_by(struct cold *c, const struct runner_sentinel *s)
{
	c->hot_ticks = s->hot;
	c->off = NULL;
	if (is_told_apart(s->near, s->far) && s->near > s->hot)
		c->limit_ticks = between(s->near, s->far);
	else if (is_told_apart(s->hot, s->far))
		c->limit_ticks = between(s->hot, s->far);
	else if (is_told_apart(s->hot, s->near))
		c->limit_ticks = between(s->hot, s->near);
	else
		c->off = s->hot == 0 ? "off: not read" :
		    "off: the clock does not separate memory from cache";
}

void
cold_see(struct cold *c, uint32_t ticks)
{
	if (ticks == 0 || c->off != NULL)
		return;
	c->read++;
	c->warm += (double)ticks < c->limit_ticks;
}

bool
cold_was_warm(const struct cold *c)
{
	return c->warm >= COLD_LEAST && 2 * c->warm > c->read;
}

bool
cold_sets_stood(const struct cold *c, uint64_t sets, uint64_t calls)
{
	uint64_t	expected = calls < sets ? calls : sets;

	return c->sets_touched != 0 && 2 * c->sets_touched < expected;
}

/* They are claims: none has found more than there are. */
void
cold_prove(struct cold *c, uint32_t lines, uint32_t found)
{
	c->proved += lines;
	c->found += found < lines ? found : lines;
}

bool
cold_came_back(const struct cold *c)
{
	const double	n = (double)c->proved;

	return c->off == NULL && c->found >= COLD_LEAST_LINES && (double)c->found > COLD_BACK * n +
	    COLD_SIGMA * sqrt(COLD_BACK * (1 - COLD_BACK) * n);
}
