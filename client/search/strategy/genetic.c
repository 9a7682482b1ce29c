/* SPDX-License-Identifier: Apache-2.0 */
/*
 * genetic: a population of the best points seen.  A child takes each value from one of two
 * parents, each the better of two by chance; some values change.
 */
#include <math.h>
#include <string.h>

#include "client/search/strategy/strategy_impl.h"

enum { POPULATION = 12, CHILD_TRIES = 20 };

struct genetic {
	struct point	member[POPULATION];	/* the best first */
	double		value[POPULATION];
	size_t		n, born;
};

static const struct point *
parent(struct strategy *s)
{
	const struct genetic	*g = s->own;
	uint64_t		 a = dice_below(&s->dice, g->n), b = dice_below(&s->dice, g->n);

	return &g->member[a < b ? a : b];
}

/* By one place mostly if the values are in an order. */
static uint32_t
mutate(struct strategy *s, size_t d, uint32_t at)
{
	const uint32_t	n = s->grid->values[d];

	if (!s->grid->ordered[d] || dice_below(&s->dice, 3) == 0)
		return (uint32_t)dice_below(&s->dice, n);
	if (dice_below(&s->dice, 2) == 0)
		return at + 1 < n ? at + 1 : at;
	return at > 0 ? at - 1 : at;
}

static void
breed(struct strategy *s, struct point *p)
{
	const struct point	*mother = parent(s), *father = parent(s);
	const size_t		 n = s->grid->ndims;

	for (size_t d = 0; d < n; d++) {
		p->at[d] = (dice_below(&s->dice, 2) == 0 ? mother : father)->at[d];
		if (dice_below(&s->dice, n) == 0)
			p->at[d] = mutate(s, d, p->at[d]);
	}
}

static bool
next(struct strategy *s, struct point *p)
{
	struct genetic	*g = s->own;
	double		 value;

	if (g->born++ < POPULATION || g->n < 2)
		return strategy_fresh(s, p);
	for (unsigned i = 0; i < CHILD_TRIES; i++) {
		breed(s, p);
		if (grid_admits(s->grid, p) && !strategy_knows(s, p, &value))
			return true;
	}
	return strategy_fresh(s, p);
}

static void
saw(struct strategy *s, const struct point *p, double value)
{
	struct genetic	*g = s->own;
	size_t		 at = 0;

	while (at < g->n && g->value[at] <= value)
		at++;
	if (at == POPULATION || !isfinite(value))
		return;
	if (g->n < POPULATION)
		g->n++;
	memmove(&g->member[at + 1], &g->member[at], (g->n - 1 - at) * sizeof *g->member);
	memmove(&g->value[at + 1], &g->value[at], (g->n - 1 - at) * sizeof *g->value);
	g->member[at] = *p;
	g->value[at] = value;
}

const struct strategy_kind	strategy_genetic = {
	.name = "genetic",
	.bytes = sizeof(struct genetic), .next = next, .saw = saw,
};
