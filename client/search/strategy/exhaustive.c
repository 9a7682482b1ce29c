/* SPDX-License-Identifier: Apache-2.0 */
/* exhaustive: all points in the order of a sweep, the last dimension fastest. */
#include "client/search/strategy/strategy_impl.h"

#define STEPS	((uint64_t)1 << 22)	/* tests of points for one proposal */

struct exhaustive {
	uint64_t	next;		/* id to go on from */
};

static bool
next(struct strategy *s, struct point *p)
{
	struct exhaustive	*e = s->own;
	uint64_t		 steps = STEPS;

	if (e->next >= s->grid->size)
		return false;
	grid_point(s->grid, e->next, p);
	if (!grid_next(s->grid, p, &steps)) {
		e->next = s->grid->size;
		return false;
	}
	e->next = grid_id(s->grid, p) + 1;
	return true;
}

const struct strategy_kind	strategy_exhaustive = {
	.name = "exhaustive",
	.bytes = sizeof(struct exhaustive), .next = next,
};
