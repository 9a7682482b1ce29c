/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "client/transform/tree/tree.h"

struct node *
node_new(struct arena *a, enum node_kind kind, struct place at)
{
	struct node	*n = arena_take(a, sizeof *n);

	n->kind = kind;
	n->at = at;
	n->step = 1;
	return n;
}

void
node_add(struct arena *a, struct node *block, struct node *kid)
{
	block->kids = arena_grow(a, block->kids, block->nkids, sizeof(struct node *));
	block->kids[block->nkids++] = kid;
}

void
node_splice(struct arena *a, struct node *block, size_t at, struct node *const *by, size_t n)
{
	struct node	**old = block->kids;
	size_t		  nold = block->nkids;

	block->kids = NULL;
	block->nkids = 0;
	for (size_t i = 0; i < nold; i++) {
		if (i != at) {
			node_add(a, block, old[i]);
			continue;
		}
		for (size_t k = 0; k < n; k++)
			node_add(a, block, by[k]);
	}
}

static struct term **
clone_terms(struct arena *a, struct term *const *terms, size_t n)
{
	struct term	**copy = n > 0 ? arena_take(a, n * sizeof *copy) : NULL;

	if (n > 0)
		memcpy(copy, terms, n * sizeof *copy);
	return copy;
}

struct node *
node_clone(struct arena *a, const struct node *n)
{
	struct node	*copy = arena_take(a, sizeof *copy);

	*copy = *n;
	copy->kids = NULL;
	copy->nkids = 0;
	for (size_t i = 0; i < n->nkids; i++)
		node_add(a, copy, node_clone(a, n->kids[i]));
	copy->lo = clone_terms(a, n->lo, n->nlo);
	copy->hi = clone_terms(a, n->hi, n->nhi);
	copy->origin = clone_terms(a, n->origin, n->norigin);
	copy->pragmas = NULL;
	copy->npragmas = 0;
	for (size_t i = 0; i < n->npragmas; i++) {
		copy->pragmas = arena_grow(a, copy->pragmas, i, sizeof(char *));
		copy->pragmas[copy->npragmas++] = n->pragmas[i];
	}
	return copy;
}

struct node *
node_loop(struct arena *a, struct symbol *var, struct term *lo, struct term *hi, struct place at)
{
	struct node	*n = node_new(a, NODE_LOOP, at);

	n->var = var;
	n->declares = true;
	n->lo = clone_terms(a, &lo, 1);
	n->hi = clone_terms(a, &hi, 1);
	n->nlo = n->nhi = 1;
	node_add(a, n, node_new(a, NODE_BLOCK, at));
	return n;
}

static void
map_terms(struct arena *a, struct term **terms, size_t n, term_map_fn *to, void *arg)
{
	for (size_t i = 0; i < n; i++)
		terms[i] = term_map(a, terms[i], to, arg);
}

void
node_map(struct arena *a, struct node *n, term_map_fn *to, void *arg)
{
	map_terms(a, n->lo, n->nlo, to, arg);
	map_terms(a, n->hi, n->nhi, to, arg);
	map_terms(a, n->origin, n->norigin, to, arg);
	if (n->cond != NULL)
		n->cond = term_map(a, n->cond, to, arg);
	if (n->term != NULL)
		n->term = term_map(a, n->term, to, arg);
	for (size_t i = 0; i < n->nkids; i++)
		node_map(a, n->kids[i], to, arg);
}

void
node_replace(struct arena *a, struct node *n, const struct symbol *s, struct term *by)
{
	struct term_replacement	r = { s, by };

	node_map(a, n, term_replaced, &r);
}

bool
node_visit(struct node *n, node_visit_fn *visit, void *arg)
{
	if (!visit(arg, n))
		return false;
	for (size_t i = 0; i < n->nkids; i++)
		if (!node_visit(n->kids[i], visit, arg))
			return false;
	return true;
}

struct term_visit {
	term_visit_fn	*visit;
	void		*arg;
};

static bool
visit_terms(struct term *const *terms, size_t n, const struct term_visit *v)
{
	for (size_t i = 0; i < n; i++)
		if (!term_visit(terms[i], v->visit, v->arg))
			return false;
	return true;
}

static bool
visit_terms_of(void *arg, struct node *n)
{
	const struct term_visit	*v = arg;

	return visit_terms(n->lo, n->nlo, v) && visit_terms(n->hi, n->nhi, v) &&
	    (n->cond == NULL || term_visit(n->cond, v->visit, v->arg)) &&
	    (n->term == NULL || term_visit(n->term, v->visit, v->arg));
}

bool
node_visit_terms(struct node *n, term_visit_fn *visit, void *arg)
{
	struct term_visit	v = { visit, arg };

	return node_visit(n, visit_terms_of, &v);
}

bool
node_uses(struct node *n, const struct symbol *s)
{
	return !node_visit_terms(n, term_is_other_name, (void *)(uintptr_t)s);
}

static bool
is_no_assignment(void *arg, struct term *t)
{
	return !term_is_assignment(t) || t->a[0]->kind != TERM_NAME || t->a[0]->symbol != arg;
}

static bool
is_other_loop(void *arg, struct node *n)
{
	return n->kind != NODE_LOOP || n->var != arg;
}

bool
node_assigns(struct node *n, const struct symbol *s)
{
	void	*arg = (void *)(uintptr_t)s;

	return !node_visit_terms(n, is_no_assignment, arg) || !node_visit(n, is_other_loop, arg);
}

struct node *
node_only_kid(const struct node *loop)
{
	return loop->kids[0]->nkids == 1 ? loop->kids[0]->kids[0] : NULL;
}
