/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Integers that walk beside a loop (sqr += stride) or hold an end or a first subscript are what
 * f2c makes of Fortran, and hide subscripts from the analysis.  Each use gets the value over loops
 * and arguments instead, and their assignments go.  One whose value is not known at every use
 * stays, with all that it hides.
 */
#include <string.h>

#include "client/transform/work/indices.h"

enum { MAX_INDICES = 64 };

struct index_value {
	struct symbol	*symbol;
	struct term	*value;		/* NULL: unknown here */
	bool		 failed;
};

struct replacing {
	struct arena		*arena;
	const struct affine	*affine;
	struct index_value	 at[MAX_INDICES];
	size_t			 n;
	struct index_value	*failed;	/* of this attempt */
};

static struct index_value *
find(struct replacing *r, const struct symbol *s)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->at[i].symbol == s && !r->at[i].failed)
			return &r->at[i];
	return NULL;
}

static struct index_value *
assigned_by(struct replacing *r, const struct node *n)
{
	if (n->kind == NODE_DECLARATION)
		return find(r, n->declared);
	if (n->kind != NODE_STATEMENT || !term_is_assignment(n->term) ||
	    n->term->a[0]->kind != TERM_NAME)
		return NULL;
	return find(r, n->term->a[0]->symbol);
}

static void
fail(struct replacing *r, struct index_value *v)
{
	if (r->failed == NULL)
		r->failed = v;
}

static struct term *
known(void *arg, struct term *t)
{
	struct replacing	*r = arg;
	struct index_value	*v = t->kind == TERM_NAME ? find(r, t->symbol) : NULL;

	if (v == NULL)
		return NULL;
	if (v->value == NULL)
		fail(r, v);
	return v->value;
}

static struct term *
filled(struct replacing *r, struct term *t)
{
	return term_map(r->arena, t, known, r);
}

/* Of loops, arguments and numbers: the same wherever the loops are. */
static bool
is_plain(void *arg, struct term *t)
{
	const struct replacing	*r = arg;

	if (t->kind == TERM_NAME)
		return affine_is_counter(r->affine, t->symbol) ||
		    !affine_is_written(r->affine, t->symbol);
	return t->kind == TERM_INT || (t->kind == TERM_CAST && t->is_int) ||
	    (t->kind == TERM_UNARY && (t->op[0] == '-' ||
	    affine_param(r->arena, r->affine, t) != NULL)) ||
	    (t->kind == TERM_BINARY && t->is_int && !term_is_assignment(t));
}

/* What an assignment adds to its variable; NULL: it sets another value. */
static struct term *
increment(struct replacing *r, const struct term *t)
{
	struct term	*by = t->n == 2 ? t->a[1] : term_int(r->arena, 1);

	if (t->kind == TERM_UNARY || t->kind == TERM_POSTFIX || strcmp(t->op, "+=") == 0 ||
	    strcmp(t->op, "-=") == 0)
		return t->op[0] == '-' ? term_binary(r->arena, "-", term_int(r->arena, 0), by) : by;
	return NULL;
}

static void
assign(struct replacing *r, struct index_value *v, struct node *n)
{
	struct term	*by = n->kind == NODE_STATEMENT ? increment(r, n->term) : NULL;
	struct term	*value = n->kind == NODE_DECLARATION ? n->term :
			    by != NULL ? by : n->term->a[1];

	if (n->kind == NODE_STATEMENT && by == NULL && strcmp(n->term->op, "=") != 0) {
		fail(r, v);
		return;
	}
	value = value != NULL ? filled(r, value) : NULL;
	if (by != NULL && v->value == NULL)
		fail(r, v);
	else if (by != NULL)
		value = term_binary(r->arena, "+", v->value, value);
	if (value != NULL && !term_visit(value, is_plain, r))
		fail(r, v);
	v->value = value;
}

/* ---- loops ---- */

/* The sum that one iteration adds, if it does nothing else to the variable; NULL: it does. */
static struct term *
added_by(struct replacing *r, struct node *loop, struct index_value *v)
{
	struct node	*body = loop->kids[0];
	struct term	*sum = NULL, *by;

	for (size_t i = 0; i < body->nkids; i++) {
		if (!node_assigns(body->kids[i], v->symbol))
			continue;
		if (assigned_by(r, body->kids[i]) != v || body->kids[i]->kind != NODE_STATEMENT ||
		    (by = increment(r, body->kids[i]->term)) == NULL)
			return NULL;
		for (size_t k = 0; k < r->n; k++)
			if (term_uses(by, r->at[k].symbol) && node_assigns(loop, r->at[k].symbol))
				return NULL;
		if (term_uses(by, loop->var))
			return NULL;
		sum = sum == NULL ? by : term_binary(r->arena, "+", sum, by);
	}
	return sum;
}

static bool
declares(struct node *n, const struct symbol *s)
{
	if (n->kind == NODE_DECLARATION && n->declared == s)
		return true;
	for (size_t i = 0; i < n->nkids; i++)
		if (declares(n->kids[i], s))
			return true;
	return false;
}

static void
enter_loop(struct replacing *r, struct node *loop)
{
	struct term	*sum, *count;

	for (size_t i = 0; i < r->n; i++) {
		struct index_value	*v = &r->at[i];

		if (v->failed || (!node_assigns(loop->kids[0], v->symbol) &&
		    !declares(loop->kids[0], v->symbol)))
			continue;
		sum = v->value != NULL && loop->step == 1 && loop->nlo == 1 && loop->nhi == 1 ?
		    added_by(r, loop, v) : NULL;
		if (sum == NULL) {
			v->value = NULL;
			continue;
		}
		count = loop->is_down ? term_binary(r->arena, "-", term_plus(r->arena, loop->hi[0],
		    -1), term_name(r->arena, loop->var)) :
		    term_binary(r->arena, "-", term_name(r->arena, loop->var), loop->lo[0]);
		v->value = term_binary(r->arena, "+", v->value, term_binary(r->arena, "*", count,
		    filled(r, sum)));
	}
}

static void
leave_loop(struct replacing *r, struct node *loop)
{
	for (size_t i = 0; i < r->n; i++)
		if (node_assigns(loop->kids[0], r->at[i].symbol) ||
		    declares(loop->kids[0], r->at[i].symbol))
			r->at[i].value = NULL;
}

/* ---- the walk ---- */

static void	replace_in(struct replacing *, struct node *block);

static void
replace_kid(struct replacing *r, struct node *n)
{
	for (size_t i = 0; i < n->nlo; i++)
		n->lo[i] = filled(r, n->lo[i]);
	for (size_t i = 0; i < n->nhi; i++)
		n->hi[i] = filled(r, n->hi[i]);
	if (n->cond != NULL)
		n->cond = filled(r, n->cond);
	if (n->term != NULL)
		n->term = filled(r, n->term);
	if (n->kind == NODE_LOOP)
		enter_loop(r, n);
	for (size_t i = 0; i < r->n && n->kind == NODE_IF; i++)
		if (node_assigns(n, r->at[i].symbol) && !r->at[i].failed)
			fail(r, &r->at[i]);
	for (size_t i = 0; i < n->nkids; i++)
		replace_in(r, n->kids[i]);
	if (n->kind == NODE_LOOP)
		leave_loop(r, n);
}

static void
replace_in(struct replacing *r, struct node *block)
{
	struct node		**kids = block->kids;
	size_t			  nkids = block->nkids;
	struct index_value	 *v;

	if (block->kind != NODE_BLOCK) {
		replace_kid(r, block);
		return;
	}
	block->kids = NULL;
	block->nkids = 0;
	for (size_t i = 0; i < nkids; i++) {
		node_add(r->arena, block, kids[i]);
		if ((v = assigned_by(r, kids[i])) == NULL) {
			replace_kid(r, kids[i]);
			continue;
		}
		assign(r, v, kids[i]);
		block->nkids--;
	}
}

static bool
note_index(void *arg, struct node *n)
{
	struct replacing	*r = arg;
	struct symbol		*s = NULL;

	if (n->kind == NODE_STATEMENT && term_is_assignment(n->term) &&
	    n->term->a[0]->kind == TERM_NAME)
		s = n->term->a[0]->symbol;
	if (s == NULL || !s->is_integer || find(r, s) != NULL || r->n == MAX_INDICES ||
	    affine_is_counter(r->affine, s) ||
	    (s->kind != SYMBOL_LOCAL && s->kind != SYMBOL_STATIC))
		return true;
	r->at[r->n++] = (struct index_value){ s, NULL, false };
	return true;
}

struct node *
indices_replace(struct arena *a, const struct affine *f, struct node *root,
    indices_may_fn *may, void *arg)
{
	struct replacing	 r = { .arena = a, .affine = f };
	struct node		*copy;

	(void)node_visit(root, note_index, &r);
	for (size_t i = 0; i < r.n; i++)
		r.at[i].failed = !may(arg, r.at[i].symbol);
	for (size_t tries = 0; tries <= r.n; tries++) {
		for (size_t i = 0; i < r.n; i++)
			r.at[i].value = NULL;
		r.failed = NULL;
		copy = node_clone(a, root);
		replace_in(&r, copy);
		if (r.failed == NULL)
			return copy;
		r.failed->failed = true;
	}
	return root;
}
