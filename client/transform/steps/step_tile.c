/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tile r,q 8,4: a loop over the tiles of each, outside all of them, and the loops within a tile.
 * Ends of inner loops may depend on outer ones (triangles): the loop over tiles then spans what
 * any point of the outer tile needs.
 */
#include <string.h>

#include "client/transform/steps/steps.h"

struct tiling {
	struct work		*w;
	const struct step_args	*args;
	struct chain		 chain;
	struct node		*tiles[SCRIPT_MAX_ITEMS];
	int64_t			 spans[SCRIPT_MAX_ITEMS];	/* values in a tile */
};

static enum status
check_loop(const struct tiling *t, const struct node *l, struct fault *why)
{
	if (l->is_down)
		return script_refuse(t->w->script, t->args->step, why,
		    "loop %s runs downwards: it cannot be tiled", l->var->name);
	if (l->ahead > 0 || l->is_rest)
		return script_refuse(t->w->script, t->args->step, why,
		    "loop %s is unrolled: tile it before", l->var->name);
	return ST_OK;
}

/* The tile loop of a loop in the chain; NULL: it has none. */
static const struct node *
tile_of(const struct tiling *t, const struct symbol *var, int64_t *span)
{
	for (size_t i = 0; i < t->args->nnames; i++) {
		if (t->chain.loops[t->chain.named[i]]->var == var && t->tiles[i] != NULL) {
			*span = t->spans[i];
			return t->tiles[i];
		}
	}
	return NULL;
}

/* The least or the greatest that a bound can be over the tile of an outer variable. */
static struct term *
extreme(const struct tiling *t, struct term *bound, const struct node *outer, bool greatest)
{
	struct arena		*a = t->w->arena;
	const struct node	*tile;
	struct term		*by;
	int64_t			 c, span = 0;

	if (!bounds_coefficient(bound, outer->var, &c))
		return NULL;
	if (c == 0)
		return bound;
	tile = tile_of(t, outer->var, &span);
	if ((c > 0) == greatest)
		by = tile != NULL ? term_plus(a, term_name(a, tile->var), span - 1) :
		    outer->nhi == 1 ? term_plus(a, outer->hi[0], -1) : NULL;
	else
		by = tile != NULL ? term_name(a, tile->var) :
		    outer->nlo == 1 ? outer->lo[0] : NULL;
	return by != NULL ? term_replace(a, bound, outer->var, by) : NULL;
}

/* The bound of a loop over tiles: without the variables of the chain above. */
static enum status
free_bound(const struct tiling *t, size_t at, struct term **bound, bool greatest,
    struct fault *why)
{
	const struct node	*l = t->chain.loops[at];

	for (size_t i = at; i-- > 0;) {
		if ((*bound = extreme(t, *bound, t->chain.loops[i], greatest)) == NULL)
			return script_refuse(t->w->script, t->args->step, why,
			    "an end of loop %s depends on loop %s in a way that has no tiles",
			    l->var->name, t->chain.loops[i]->var->name);
		if (l->step > 1 && bounds_use(l, t->chain.loops[i]->var))
			return script_refuse(t->w->script, t->args->step, why,
			    "loop %s takes steps of %lld from where loop %s is: it has no tiles",
			    l->var->name, (long long)l->step, t->chain.loops[i]->var->name);
	}
	return ST_OK;
}

static enum status
make_tile(struct tiling *t, size_t i, struct fault *why)
{
	struct arena	*a = t->w->arena;
	struct node	*l = t->chain.loops[t->chain.named[i]], *tile;
	enum status	 st;

	if ((st = check_loop(t, l, why)) != ST_OK)
		return st;
	tile = node_clone(a, l);
	tile->kids = NULL;
	tile->nkids = tile->npragmas = 0;
	tile->comment = NULL;
	tile->declares = true;
	tile->var = step_new_counter(t->w, l->var, "_tile");
	for (size_t k = 0; k < tile->nlo; k++)
		if ((st = free_bound(t, t->chain.named[i], &tile->lo[k], false, why)) != ST_OK)
			return st;
	for (size_t k = 0; k < tile->nhi; k++)
		if ((st = free_bound(t, t->chain.named[i], &tile->hi[k], true, why)) != ST_OK)
			return st;
	if (__builtin_mul_overflow(l->step, t->args->numbers[t->args->nnumbers == 1 ? 0 : i],
	    &t->spans[i]))
		return script_refuse(t->w->script, t->args->step, why, "the tile is too large");
	tile->step = t->spans[i];
	t->tiles[i] = tile;
	return ST_OK;
}

/* The loop itself stays within its tile. */
static void
narrow(struct tiling *t, size_t i)
{
	struct arena	*a = t->w->arena;
	struct node	*l = t->chain.loops[t->chain.named[i]];
	struct term	*begin = term_name(a, t->tiles[i]->var);
	struct term	*end = term_plus(a, begin, t->spans[i]), **terms;
	int64_t		 trip = bounds_trip(l);
	bool		 is_own = true;

	for (size_t k = 0; k < l->nlo; k++)
		is_own = is_own && term_is_equal(l->lo[k], t->tiles[i]->lo[k]);
	terms = arena_take(a, (l->nlo + 1) * sizeof *terms);
	memcpy(terms, l->lo, l->nlo * sizeof *terms);
	terms[l->nlo] = begin;
	/* a tile begins within the loop's own ends unless these depend on the tile's points */
	l->lo = is_own ? &terms[l->nlo] : terms;
	l->nlo = is_own ? 1 : l->nlo + 1;
	if (trip >= 0 && trip * l->step <= t->spans[i] && is_own)
		return;
	terms = arena_take(a, (l->nhi + 1) * sizeof *terms);
	memcpy(terms, l->hi, l->nhi * sizeof *terms);
	terms[l->nhi] = end;
	l->hi = trip >= 0 && trip % (t->spans[i] / l->step) == 0 ? &terms[l->nhi] : terms;
	l->nhi = l->hi == terms ? l->nhi + 1 : 1;
}

/* The tile loops around the chain, the first outermost. */
static void
wrap(struct tiling *t)
{
	struct arena	*a = t->w->arena;
	struct node	*inner = t->chain.top.loop, *block;

	for (size_t i = t->args->nnames; i-- > 0;) {
		block = node_new(a, NODE_BLOCK, inner->at);
		node_add(a, block, inner);
		node_add(a, t->tiles[i], block);
		inner = t->tiles[i];
	}
	inner->comment = t->chain.top.loop->comment;
	if (t->args->nnames > 0)
		t->chain.top.loop->comment = NULL;
	t->chain.top.block->kids[t->chain.top.at] = inner;
}

enum status
step_tile(struct work *w, const struct step_args *args, struct fault *why)
{
	struct tiling	t = { .w = w, .args = args };
	enum status	st;

	if (args->nnumbers != 1 && args->nnumbers != args->nnames)
		return script_refuse(w->script, args->step, why, "%zu sizes for %zu loops",
		    args->nnumbers, args->nnames);
	if ((st = loops_chain(w, args->step, args->names, args->nnames, false, &t.chain,
	    why)) != ST_OK)
		return st;
	for (size_t i = 1; i < args->nnames; i++)
		if (t.chain.named[i] <= t.chain.named[i - 1])
			return script_refuse(w->script, args->step, why,
			    "loop %s does not stand in loop %s", args->names[i],
			    args->names[i - 1]);
	for (size_t i = 0; i < args->nnames; i++)
		if ((st = make_tile(&t, i, why)) != ST_OK)
			return st;
	for (size_t i = 0; i < args->nnames; i++)
		narrow(&t, i);
	wrap(&t);
	t.chain.top.region->is_changed = true;
	t.chain.top.region->is_reordered |= args->nnames > 1;
	return ST_OK;
}
