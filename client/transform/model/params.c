/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "client/transform/model/params.h"

struct collection {
	struct arena	*arena;
	struct affine	*affine;
	struct node	*root;
	isl_space	*params;
};

static void
note(struct arena *a, struct symbol ***list, size_t *n, struct symbol *s)
{
	for (size_t i = 0; i < *n; i++)
		if ((*list)[i] == s)
			return;
	*list = arena_grow(a, *list, *n, sizeof **list);
	(*list)[(*n)++] = s;
}

static bool
note_written(void *arg, struct term *t)
{
	struct collection	*c = arg;

	if (term_is_assignment(t) && t->a[0]->kind == TERM_NAME)
		note(c->arena, &c->affine->written, &c->affine->nwritten, t->a[0]->symbol);
	return true;
}

static bool
note_counter(void *arg, struct node *n)
{
	struct collection	*c = arg;

	if (n->kind == NODE_LOOP)
		note(c->arena, &c->affine->counters, &c->affine->ncounters, n->var);
	return true;
}

/* Of numbers that the nest does not change: it can stand for the variable that it initialises. */
static bool
is_plain(void *arg, struct term *t)
{
	const struct collection	*c = arg;

	if (t->kind == TERM_NAME)
		return t->symbol->is_integer && !affine_is_written(c->affine, t->symbol);
	return t->kind == TERM_INT || t->kind == TERM_CAST || t->kind == TERM_COND ||
	    ((t->kind == TERM_UNARY || t->kind == TERM_BINARY) && t->is_int &&
	    (strcmp(t->op, "*") != 0 || t->n == 2 || affine_param(c->arena, c->affine,
	    t) != NULL) && !term_is_assignment(t));
}

static bool
note_declared(void *arg, struct node *n)
{
	struct collection	*c = arg;
	struct symbol		*s = n->declared;

	if (n->kind == NODE_DECLARATION && s->ndims == 0 && (s->init == NULL || !s->is_integer ||
	    !term_visit(s->init, is_plain, c)))
		note(c->arena, &c->affine->written, &c->affine->nwritten, s);
	return true;
}

static bool
note_param(void *arg, struct term *t)
{
	struct collection	*c = arg;
	const char		*name;

	if (t->kind == TERM_NAME && t->symbol->init != NULL && t->symbol->is_integer)
		(void)term_visit(t->symbol->init, note_param, c);
	if (t->kind == TERM_NAME && t->symbol->init != NULL && t->symbol->is_pointer)
		(void)term_visit(t->symbol->init, note_param, c);
	name = affine_param(c->arena, c->affine, t);
	if (name != NULL && isl_space_find_dim_by_name(c->params, isl_dim_param, name) < 0) {
		c->params = isl_space_add_dims(c->params, isl_dim_param, 1);
		c->params = isl_space_set_dim_name(c->params, isl_dim_param,
		    (unsigned)isl_space_dim(c->params, isl_dim_param) - 1, name);
	}
	return true;
}

isl_space *
params_find(struct arena *a, isl_ctx *ctx, struct affine *f, struct node *root)
{
	struct collection	c = { a, f, root, isl_space_set_alloc(ctx, 0, 0) };

	f->ctx = ctx;
	(void)node_visit(root, note_counter, &c);
	(void)node_visit_terms(root, note_written, &c);
	(void)node_visit(root, note_declared, &c);
	(void)node_visit_terms(root, note_param, &c);
	f->params = c.params;
	return c.params;
}

struct marking {
	struct arena	*arena;
	struct affine	 here;
};

static void
mark(struct marking *m, struct node *n)
{
	isl_set	*when;

	if (n->kind == NODE_LOOP && m->here.n < AFFINE_MAX_LOOPS) {
		m->here.loops[m->here.n++] = n->var;
		mark(m, n->kids[0]);
		m->here.n--;
		return;
	}
	if (n->kind == NODE_IF) {
		when = affine_condition(m->arena, &m->here, n->cond);
		n->is_atom = when == NULL;
		isl_set_free(when);
	}
	for (size_t i = 0; i < n->nkids; i++)
		mark(m, n->kids[i]);
}

void
params_mark(struct arena *a, const struct affine *f, struct node *root)
{
	struct marking	m = { a, *f };

	mark(&m, root);
}
