/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/search/strategy/strategy_impl.h"
#include "proto/base/name.h"

enum { OWN_TRIES = 200, FRESH_TRIES = 200 };
#define FRESH_STEPS	((uint64_t)1 << 20)

static const struct strategy_kind *const	kinds[] = {
	&strategy_portfolio, &strategy_exhaustive, &strategy_random, &strategy_hill,
	&strategy_nelder_mead, &strategy_sbplx, &strategy_direct, &strategy_crs2,
	&strategy_genetic, &strategy_annealing, &strategy_model,
};
enum { NKINDS = sizeof kinds / sizeof kinds[0] };

const char *
strategy_name(size_t n)
{
	return n < NKINDS ? kinds[n]->name : NULL;
}

static const struct strategy_kind *
find_kind(const char *name, struct fault *why)
{
	const char	*names[NKINDS + 1] = { NULL }, *near;

	for (size_t i = 0; i < NKINDS; i++) {
		names[i] = kinds[i]->name;
		if (strcmp(name, names[i]) == 0)
			return kinds[i];
	}
	(void)fault_set(why, ST_BAD_REQUEST, "%s: there is no such strategy", name);
	if ((near = nearest_name(name, names)) != NULL)
		fault_hint(why, "did you mean %s?", near);
	else
		fault_hint(why, "there are portfolio, exhaustive, random, hill, nelder-mead, "
		    "sbplx, direct, crs2, genetic, annealing, model");
	return NULL;
}

enum status
strategy_open(struct strategy **out, const struct strategy_kind *kind, const struct grid *grid,
    uint64_t seed, struct trail *shared, struct fault *why)
{
	struct strategy	*s = calloc(1, sizeof *s);
	enum status	 st = ST_NOMEM;

	*out = NULL;
	if (s == NULL)
		return fault_set(why, ST_NOMEM, "strategy");
	*s = (struct strategy){ .kind = kind, .grid = grid, .trail = shared,
	    .dice = { seed }, .is_shared = shared != NULL };
	if ((s->own = calloc(1, kind->bytes + 1)) == NULL ||
	    (!s->is_shared && (s->trail = calloc(1, sizeof *s->trail)) == NULL)) {
		(void)fault_set(why, ST_NOMEM, "strategy");
		goto fail;
	}
	if (!s->is_shared && (st = trail_init(s->trail, why)) != ST_OK)
		goto fail;
	if (kind->open != NULL && (st = kind->open(s, why)) != ST_OK)
		goto fail;
	*out = s;
	return ST_OK;
fail:
	strategy_free(s);
	return st;
}

enum status
strategy_new(struct strategy **out, const char *name, const struct grid *grid, uint64_t seed,
    struct fault *why)
{
	const struct strategy_kind	*kind = find_kind(name, why);

	*out = NULL;
	return kind == NULL ? ST_BAD_REQUEST : strategy_open(out, kind, grid, seed, NULL, why);
}

void
strategy_free(struct strategy *s)
{
	if (s == NULL)
		return;
	if (s->kind->close != NULL && s->own != NULL)
		s->kind->close(s);
	if (!s->is_shared && s->trail != NULL) {
		trail_release(s->trail);
		free(s->trail);
	}
	free(s->own);
	free(s);
}

const struct trail *
strategy_trail(const struct strategy *s)
{
	return s->trail;
}

/* ---- proposals ---- */

bool
strategy_knows(const struct strategy *s, const struct point *p, double *value)
{
	const struct trial	*t;

	*value = INFINITY;
	if (!grid_admits(s->grid, p))
		return true;
	t = trail_find(s->trail, grid_id(s->grid, p));
	if (t != NULL && t->seen)
		*value = t->value;
	return t != NULL && t->seen;
}

static void
saw(struct strategy *s, const struct point *p, double value)
{
	if (s->kind->saw != NULL)
		s->kind->saw(s, p, value);
}

/* What `next` wants.  A point that another member has in flight is held until its value comes. */
static bool
wish(struct strategy *s, struct point *p)
{
	if (!s->holds)
		return s->kind->next(s, p);
	*p = s->held;
	s->holds = false;
	return true;
}

bool
strategy_next(struct strategy *s, struct point *p)
{
	double	value;

	if (s->kind->places)
		return s->kind->next(s, p);
	for (unsigned i = 0; i < OWN_TRIES && wish(s, p); i++) {
		if (strategy_knows(s, p, &value)) {
			saw(s, p, value);
			continue;
		}
		if (trail_find(s->trail, grid_id(s->grid, p)) == NULL)
			return trail_add(s->trail, grid_id(s->grid, p), s->by) == ST_OK;
		s->held = *p;
		s->holds = true;
		return false;
	}
	return false;
}

static bool
is_fresh(const struct strategy *s, const struct point *p)
{
	return trail_find(s->trail, grid_id(s->grid, p)) == NULL;
}

/* The first point that is not on the trail, at p or behind it. */
static bool
fresh_behind(const struct strategy *s, struct point *p, uint64_t *steps)
{
	while (grid_next(s->grid, p, steps)) {
		uint64_t	id = grid_id(s->grid, p);

		if (is_fresh(s, p))
			return true;
		if (id + 1 == s->grid->size)
			return false;
		grid_point(s->grid, id + 1, p);
	}
	return false;
}

bool
strategy_fresh(struct strategy *s, struct point *p)
{
	uint64_t	steps = FRESH_STEPS;

	for (unsigned i = 0; i < FRESH_TRIES; i++)
		if (grid_random(s->grid, &s->dice, p) && is_fresh(s, p))
			return true;
	if (fresh_behind(s, p, &steps))		/* most are known: walk from a random place */
		return true;
	grid_point(s->grid, 0, p);
	return steps > 0 && fresh_behind(s, p, &steps);
}

/* Beside the best point; else by chance. */
static bool
fill(struct strategy *s, struct point *p)
{
	const struct trial	*best = trail_best(s->trail);
	const uint64_t		 n = grid_neighbours(s->grid);
	struct point		 from;

	if (best == NULL || n == 0)
		return strategy_fresh(s, p);
	grid_point(s->grid, best->id, &from);
	for (uint64_t i = 0, at = dice_below(&s->dice, n); i < n && i < OWN_TRIES; i++, at++)
		if (grid_neighbour(s->grid, &from, at % n, p) && is_fresh(s, p))
			return true;
	return strategy_fresh(s, p);
}

size_t
strategy_propose(struct strategy *s, size_t n, struct point *points)
{
	size_t	i;

	for (i = 0; i < n; i++) {
		if (strategy_next(s, &points[i]))
			continue;
		if (!fill(s, &points[i]) ||
		    trail_add(s->trail, grid_id(s->grid, &points[i]), UINT32_MAX) != ST_OK)
			break;
	}
	return i;
}

enum status
strategy_claim(struct strategy *s, const struct point *p)
{
	return trail_add(s->trail, grid_id(s->grid, p), UINT32_MAX);
}

enum status
strategy_observe(struct strategy *s, const struct point *p, double value, struct fault *why)
{
	const uint64_t	 id = grid_id(s->grid, p);
	struct trial	*t = trail_find(s->trail, id);

	if (t == NULL && trail_add(s->trail, id, UINT32_MAX) != ST_OK)
		return fault_set(why, ST_NOMEM, "points of a search");
	t = trail_find(s->trail, id);
	if (t->seen)
		return ST_OK;
	trail_see(s->trail, t, value < STRATEGY_LEAST ? STRATEGY_LEAST : value);
	if (t->by != UINT32_MAX)
		saw(s, p, t->value);
	return ST_OK;
}
