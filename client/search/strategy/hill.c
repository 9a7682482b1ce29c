/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hill: hill climbing.  The neighbours of a place are tried in an order by chance, and the first
 * better one becomes the place.  At the top it starts again, from the best known point if that was
 * no place of its own yet, else from a random one.
 */
#include <math.h>

#include "client/search/strategy/strategy_impl.h"

struct hill {
	struct point	 place;
	double		 value;
	uint64_t	 first, tried;	/* neighbours: where their order begins; how many */
	size_t		 in_flight;
	bool		 climbs;	/* place and value are set */
	uint64_t	 best_id;	/* the last best point that was a start */
};

static void
stand_at(struct strategy *s, const struct point *p, double value)
{
	struct hill	*h = s->own;
	uint64_t	 n = grid_neighbours(s->grid);

	h->place = *p;
	h->value = value;
	h->climbs = true;
	h->tried = 0;
	h->first = n > 0 ? dice_below(&s->dice, n) : 0;
}

static bool
start(struct strategy *s, struct point *p)
{
	struct hill		*h = s->own;
	const struct trial	*best = trail_best(s->trail);

	h->climbs = false;
	if (best != NULL && best->id + 1 != h->best_id) {
		h->best_id = best->id + 1;
		grid_point(s->grid, best->id, p);
	} else if (!strategy_fresh(s, p)) {
		return false;
	}
	h->in_flight++;
	return true;
}

static bool
next(struct strategy *s, struct point *p)
{
	struct hill	*h = s->own;
	uint64_t	 n = grid_neighbours(s->grid);

	while (h->climbs && h->tried < n) {
		uint64_t	at = (h->first + h->tried++) % n;

		if (grid_neighbour(s->grid, &h->place, at, p)) {
			h->in_flight++;
			return true;
		}
	}
	return h->in_flight == 0 && start(s, p);
}

static void
saw(struct strategy *s, const struct point *p, double value)
{
	struct hill	*h = s->own;

	h->in_flight -= h->in_flight > 0;
	if (isfinite(value) && (!h->climbs || value < h->value)) {
		h->best_id = grid_id(s->grid, p) + 1;
		stand_at(s, p, value);
	}
}

const struct strategy_kind	strategy_hill = {
	.name = "hill",
	.bytes = sizeof(struct hill), .next = next, .saw = saw,
};
