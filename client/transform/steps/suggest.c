/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "client/transform/steps/loops.h"
#include "client/transform/steps/suggest.h"
#include "client/transform/tree/bounds.h"

enum { MAX_OF_A_NAME = 32 };

struct looking {
	struct work		*w;
	struct region		*region;
	struct suggestions	*to;
	size_t			 deepest;	/* loops around the statements deepest in */
};

static void __attribute__((format(printf, 2, 3)))
add(struct suggestions *to, const char *fmt, ...)
{
	va_list	 ap;
	int	 n;

	if (to->n == SUGGEST_MAX)
		return;
	va_start(ap, fmt);
	n = vsnprintf(to->step[to->n], SUGGEST_BYTES, fmt, ap);
	va_end(ap);
	to->n += n > 0 && n < SUGGEST_BYTES;
}

/* "p", or "p#2" if several loops are called so. */
static const char *
name_of(struct work *w, const struct node *loop)
{
	struct loop_at	all[MAX_OF_A_NAME];
	size_t		n = loops_all(w, loop->var->name, all, MAX_OF_A_NAME);

	for (size_t i = 0; n > 1 && i < n; i++)
		if (all[i].loop == loop)
			return arena_format(w->arena, "%s#%zu", loop->var->name, i + 1);
	return loop->var->name;
}

static bool
is_no_loop(void *arg, struct node *n)
{
	(void)arg;
	return n->kind != NODE_LOOP;
}

static bool
is_innermost(const struct node *loop)
{
	return node_visit(loop->kids[0], is_no_loop, NULL);
}

static struct node *
only_loop(const struct node *loop)
{
	struct node	*n = node_only_kid(loop);

	return n != NULL && n->kind == NODE_LOOP ? n : NULL;
}

static size_t
depth_below(const struct node *n)
{
	size_t	most = 0, one;

	for (size_t i = 0; i < n->nkids; i++) {
		one = depth_below(n->kids[i]);
		most = one > most ? one : most;
	}
	return most + (n->kind == NODE_LOOP);
}

static size_t
depth_above(const struct node *root, const struct node *loop)
{
	size_t	above;

	if (root == loop)
		return 1;
	for (size_t i = 0; i < root->nkids; i++)
		if ((above = depth_above(root->kids[i], loop)) > 0)
			return above + (root->kind == NODE_LOOP);
	return 0;
}

/* Most iterations are those of the loops around the deepest statements. */
static bool
is_hot(const struct looking *l, const struct node *loop)
{
	return depth_above(l->region->root, loop) + depth_below(loop) - 1 == l->deepest;
}

typedef void	 loop_fn(struct looking *, struct node *loop);

struct each_loop {
	struct looking	*look;
	loop_fn		*fn;
};

static bool
visit_loop(void *arg, struct node *n)
{
	struct each_loop	*e = arg;

	if (n->kind == NODE_LOOP && !n->is_left)
		e->fn(e->look, n);
	return true;
}

static void
each_loop(struct work *w, struct suggestions *to, loop_fn *fn)
{
	struct looking		look = { .w = w, .to = to };
	struct each_loop	e = { &look, fn };

	for (size_t i = 0; i < w->nregions; i++) {
		const size_t	depth = depth_below(w->regions[i].root);

		look.deepest = depth > look.deepest ? depth : look.deepest;
	}
	for (size_t i = 0; i < w->nregions; i++) {
		look.region = &w->regions[i];
		(void)node_visit(w->regions[i].root, visit_loop, &e);
	}
}

/* ---- other orders ---- */

static void
split_or_swap(struct looking *l, struct node *loop)
{
	if (loop->kids[0]->nkids > 1)
		add(l->to, "fission %s", name_of(l->w, loop));
	for (struct node *n = only_loop(loop); n != NULL; n = only_loop(n))
		add(l->to, "swap %s %s", name_of(l->w, loop), name_of(l->w, n));
}

/* A number that a body declares keeps the body's statements together. */
static bool
suggest_private(void *arg, struct node *n)
{
	struct looking	*l = arg;

	if (n->kind == NODE_DECLARATION && n->declared->ndims == 0 && !n->declared->is_made &&
	    affine_is_written(&l->region->affine, n->declared))
		add(l->to, "private %s", n->declared->name);
	return true;
}

static void
suggest_copies(struct looking *l)
{
	const struct source	*s = l->w->source;

	for (size_t i = 0; i < s->nsymbols; i++) {
		struct symbol	*one = s->symbols[i];

		if (one->ndims >= 1 && one->ndims <= 2 && !one->is_made &&
		    node_uses(l->region->root, one) && !affine_is_written(&l->region->affine, one))
			add(l->to, "copy %s transposed", one->name);
	}
}

void
suggest_orders(struct work *w, struct suggestions *to)
{
	struct looking	look = { .w = w, .to = to };

	each_loop(w, to, split_or_swap);
	for (size_t i = 0; i < w->nregions; i++) {
		look.region = &w->regions[i];
		suggest_copies(&look);
		(void)node_visit(look.region->root, suggest_private, &look);
	}
}

/* ---- of one order ---- */

static void
tile_pair(struct looking *l, struct node *loop)
{
	static const int	sizes[] = { 8, 32 };
	const struct node	*inner = only_loop(loop);
	const int64_t		 trip = bounds_trip(loop);

	if (inner == NULL || !is_hot(l, inner))
		return;
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
		if (trip < 0 || trip > sizes[i])
			add(l->to, "tile %s,%s %d,%d", name_of(l->w, loop), name_of(l->w, inner),
			    sizes[i], sizes[i]);
}

/* Without iterations that are left over, where a number divides; else powers of two. */
static void
add_times(struct looking *l, const char *word, const struct node *loop)
{
	static const int	times[] = { 2, 3, 4, 5, 6, 8 };
	const int64_t		trip = bounds_trip(loop);

	for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
		const int	n = times[i];

		if (trip < 0 || trip % 2 != 0 ? (n & (n - 1)) == 0 : trip % n == 0 && n < trip)
			add(l->to, "%s %s %d", word, name_of(l->w, loop), n);
	}
}

static void
jam_outer(struct looking *l, struct node *loop)
{
	if (!is_innermost(loop) && is_hot(l, loop))
		add_times(l, "jam", loop);
}

static void
unroll_inner(struct looking *l, struct node *loop)
{
	if (is_innermost(loop) && is_hot(l, loop))
		add_times(l, "unroll", loop);
}

void
suggest_tiles(struct work *w, struct suggestions *to)
{
	each_loop(w, to, tile_pair);
}

void
suggest_jams(struct work *w, struct suggestions *to)
{
	each_loop(w, to, jam_outer);
}

void
suggest_unrolls(struct work *w, struct suggestions *to)
{
	each_loop(w, to, unroll_inner);
}

/* ---- cost ---- */

#define TRIP_UNKNOWN	32.0		/* iterations */
#define ALONG_A_LINE	0.25		/* in accesses; the same element again costs nothing */
#define CHAIN		2.0		/* a sum that waits for itself */

struct pricing {
	const struct symbol	*innermost;
	double			 iterations, cost;
};

static bool
price_access(void *arg, struct term *t)
{
	struct pricing	*p = arg;
	int64_t		 step;
	bool		 linear;

	if (t->kind != TERM_INDEX)
		return true;
	linear = bounds_coefficient(t->a[1], p->innermost, &step);
	if (linear && step == 0 && t->a[0]->kind == TERM_INDEX &&
	    term_uses(t->a[0], p->innermost))
		linear = false;		/* from row to row */
	if (!linear || (step != 0 && step != 1))
		p->cost += p->iterations;
	else if (step == 1)
		p->cost += ALONG_A_LINE * p->iterations;
	return true;
}

/* a[i] += … with the same element in each iteration. */
static bool
is_chain(const struct node *n, const struct symbol *innermost)
{
	return n->kind == NODE_STATEMENT && n->term != NULL && term_is_assignment(n->term) &&
	    strcmp(n->term->op, "=") != 0 && !n->term->is_int &&
	    !term_uses(n->term->a[0], innermost);
}

static void
price(struct pricing *p, struct node *n)
{
	struct pricing	inner = *p;

	if (n->kind == NODE_LOOP) {
		inner.innermost = n->var;
		inner.iterations *= bounds_trip(n) >= 0 ? (double)bounds_trip(n) : TRIP_UNKNOWN;
	} else if (p->innermost != NULL && n->term != NULL) {
		(void)term_visit(n->term, price_access, p);
		p->cost += is_chain(n, p->innermost) ? CHAIN * p->iterations : 0;
	}
	inner.cost = p->cost;
	for (size_t i = 0; i < n->nkids; i++)
		price(&inner, n->kids[i]);
	p->cost = inner.cost;
}

double
suggest_cost(struct work *w)
{
	struct pricing	p = { .iterations = 1 };

	for (size_t i = 0; i < w->nregions; i++)
		price(&p, w->regions[i].root);
	return p.cost;
}
