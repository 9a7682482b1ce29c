/* SPDX-License-Identifier: Apache-2.0 */
/*
 * annealing: a walk to neighbours.  A worse one is accepted by chance: the less worse, and the
 * earlier, the likelier.  "Worse" is the ratio of the values, so it works for any unit.
 */
#include <math.h>

#include "client/search/strategy/strategy_impl.h"

#define HOT	0.30		/* accepts 1.35 times the value every third time */
#define COLD	0.01
#define COOLING	0.95		/* of each step */

struct annealing {
	struct point	place;
	double		value, heat;
	bool		stands, waits;
};

static bool
next(struct strategy *s, struct point *p)
{
	struct annealing	*a = s->own;
	const uint64_t		 n = grid_neighbours(s->grid);
	bool			 found = false;

	if (a->waits)
		return false;
	for (unsigned i = 0; a->stands && n > 0 && !found && i < 4 * GRID_MAX_DIMENSIONS; i++)
		found = grid_neighbour(s->grid, &a->place, dice_below(&s->dice, n), p);
	if (!found && !strategy_fresh(s, p))
		return false;
	a->waits = true;
	return true;
}

static void
saw(struct strategy *s, const struct point *p, double value)
{
	struct annealing	*a = s->own;

	a->waits = false;
	if (!isfinite(value))
		return;
	if (!a->stands)
		a->heat = HOT;
	if (!a->stands || value <= a->value ||
	    dice_unit(&s->dice) < exp(-log(value / a->value) / a->heat)) {
		a->place = *p;
		a->value = value;
		a->stands = true;
	}
	a->heat = fmax(COLD, a->heat * COOLING);
}

const struct strategy_kind	strategy_annealing = {
	.name = "annealing",
	.bytes = sizeof(struct annealing), .next = next, .saw = saw,
};
