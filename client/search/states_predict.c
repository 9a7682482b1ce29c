/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "client/search/states_predict.h"

#define UNEVEN	0.25		/* of the band: what a further level must be nearer by */

const struct states_point *
states_single(const struct states *s, size_t k, enum state_level level)
{
	struct states_point	want = { .is_cold = false };

	size_t			i;

	want.level[k] = (unsigned char)level;
	i = states_find(s, &want);
	return i < s->n ? &s->point[i] : NULL;
}

/* Beyond warm, relative to it; NaN: an operand's level was not timed alone. */
static double
sum_of_singles(const struct states *s, const unsigned char *level)
{
	double	sum = 0;

	for (size_t k = 0; k < s->noperands; k++) {
		const struct states_point	*p;

		if (level[k] == LEVEL_WARM)
			continue;
		if ((p = states_single(s, k, level[k])) == NULL)
			return NAN;
		sum += p->ratio - 1;
	}
	return sum;
}

static size_t
operands_moved(const struct states *s, const unsigned char *level)
{
	size_t	n = 0;

	for (size_t k = 0; k < s->noperands; k++)
		n += level[k] != LEVEL_WARM;
	return n;
}

/* What combinations really took beyond warm, to the sum of their operands alone. */
static double
factor(const struct states *s)
{
	double	really = 0, foretold = 0;

	for (size_t i = 1; i < s->n; i++) {
		const struct states_point	*p = &s->point[i];
		const double			 sum = sum_of_singles(s, p->level);

		if (p->is_cold || operands_moved(s, p->level) < 2 || isnan(sum))
			continue;
		really += p->ratio - 1;
		foretold += sum;
	}
	return foretold > 0 && really > 0 ? really / foretold : 1;
}

static size_t
levels_used(const struct states *s, const unsigned char *level)
{
	unsigned	used = 0;

	for (size_t k = 0; k < s->noperands; k++)
		used |= 1u << level[k];
	return (size_t)__builtin_popcount(used);
}

/* The next combination of levels, as an odometer counts; false: that was the last. */
static bool
advance(const struct states *s, struct states_point *p)
{
	for (size_t k = 0; k < s->noperands; k++) {
		for (p->level[k]++; p->level[k] < LEVEL_N; p->level[k]++)
			if (s->operand[k].may & 1u << p->level[k])
				return true;
		p->level[k] = LEVEL_WARM;
	}
	return false;
}

/* Relative distance of the nearest point from the target. */
static double
reached(const struct states *s)
{
	double	least = INFINITY;

	for (size_t i = 0; i < s->n; i++)
		least = fmin(least, fabs(states_time_ns(s, &s->point[i]) / s->target_ns - 1));
	return least;
}

bool
states_predict(const struct states *s, struct states_point *out)
{
	const double		target = s->target_ns / states_warm_ns(s), scale = factor(s);
	const double		limit = reached(s);
	struct states_point	p = { .is_cold = false };
	double			best = INFINITY;

	while (advance(s, &p)) {
		const double	sum = sum_of_singles(s, p.level);
		double		away, cost;

		if (isnan(sum) || states_find(s, &p) < s->n)
			continue;
		away = fabs((1 + scale * sum) / target - 1);
		cost = away + UNEVEN * s->band * (double)levels_used(s, p.level);
		if (away >= limit || cost >= best)
			continue;
		best = cost;
		*out = p;
	}
	return isfinite(best);
}
