/* SPDX-License-Identifier: Apache-2.0 */
/* A region's tree before the first step: constants put in, indices replaced, origins set. */
#include <string.h>

#include "client/transform/model/params.h"
#include "client/transform/model/shape.h"
#include "client/transform/work/indices.h"
#include "client/transform/work/region.h"

/* ---- constants and origins ---- */

static struct term *
constant_of(void *arg, struct term *t)
{
	const struct work	*w = arg;
	const struct term	*of = t;
	struct term		*value;

	if (term_is(t, TERM_UNARY, "*"))
		of = t->a[0];
	if (of->kind == TERM_INDEX && term_is_int(of->a[1], 0))
		of = of->a[0];
	if (of->kind != TERM_NAME || (of == t) != of->symbol->is_integer)
		return NULL;
	if (of == t && of->symbol->init != NULL) {
		if (node_assigns(w->preparing, of->symbol))
			return NULL;
		value = term_map(w->arena, of->symbol->init, constant_of, arg);
		return value->kind == TERM_INT && of->symbol->kind != SYMBOL_ARGUMENT ? value :
		    NULL;
	}
	for (size_t i = 0; i < w->nconstants; i++)
		if (w->constants[i].symbol == of->symbol)
			return term_int(w->arena, w->constants[i].value);
	return NULL;
}

struct origins {
	struct arena	*arena;
	struct symbol	*loops[AFFINE_MAX_LOOPS];
	size_t		 n;
};

static bool
set_origins(struct origins *o, struct node *n)
{
	if (n->kind == NODE_LOOP) {
		for (size_t i = 0; i < o->n; i++)
			if (strcmp(o->loops[i]->name, n->var->name) == 0)
				return false;
		if (o->n == AFFINE_MAX_LOOPS / 2)
			return false;
		o->loops[o->n++] = n->var;
	}
	n->norigin = n->kind == NODE_STATEMENT || n->kind == NODE_IF ||
	    n->kind == NODE_DECLARATION ? o->n : 0;
	n->origin = arena_take(o->arena, o->n * sizeof *n->origin);
	for (size_t i = 0; i < n->norigin; i++)
		n->origin[i] = term_name(o->arena, o->loops[i]);
	for (size_t i = 0; i < n->nkids; i++)
		if (!set_origins(o, n->kids[i]))
			return false;
	o->n -= n->kind == NODE_LOOP;
	return true;
}

/* ---- a region's tree ---- */

/* A local that stands for its first value stands for it with the constants in. */
static void
rebind(struct work *w, struct node *root, struct node *within)
{
	struct symbol	*s;

	if (within->kind == NODE_DECLARATION && within->term != NULL &&
	    within->declared->init != NULL && within->term != within->declared->init) {
		s = arena_take(w->arena, sizeof *s);
		*s = *within->declared;
		s->init = within->term;
		node_replace(w->arena, root, within->declared, term_name(w->arena, s));
		within->declared = s;
	}
	for (size_t i = 0; i < within->nkids; i++)
		rebind(w, root, within->kids[i]);
}

struct region_of {
	const struct work	*work;
	const struct region	*region;
};

static bool
is_within(void *arg, const struct symbol *s)
{
	const struct region_of	*of = arg;

	return of->region->around == NULL && !region_uses_outside(of->work, of->region, s);
}

/* What the tree assigns and which numbers it has; anew after each change of it. */
static void
look_at(struct work *w, struct region *r)
{
	isl_space_free(r->params);
	r->affine = (struct affine){ .ctx = w->ctx };
	r->params = params_find(w->arena, w->ctx, &r->affine, r->base);
}

enum status
region_prepare(struct work *w, struct region *r, struct fault *why)
{
	struct origins		o = { .arena = w->arena };
	struct region_of	of = { w, r };
	struct shape		*shapes;

	w->preparing = r->base;
	node_map(w->arena, r->base, constant_of, w);
	rebind(w, r->base, r->base);
	look_at(w, r);
	r->base = indices_replace(w->arena, &r->affine, r->base, is_within, &of);
	look_at(w, r);
	if (!set_origins(&o, r->base))
		return source_refuse(w->source, r->base->at, why,
		    "loops in each other have the same variable, or are more than %d",
		    AFFINE_MAX_LOOPS / 2);
	r->affine.nshapes = shape_find(w->arena, &r->affine, r->base, &shapes);
	r->affine.shapes = shapes;
	params_mark(w->arena, &r->affine, r->base);
	r->root = node_clone(w->arena, r->base);
	return ST_OK;
}
