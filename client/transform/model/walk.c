/* SPDX-License-Identifier: Apache-2.0 */
#include "client/transform/model/walk.h"

void
walk_problem(struct walk *w, struct place at, const char *text)
{
	struct model	*m = w->to;

	if (m->has_problem)
		return;
	m->has_problem = true;
	(void)source_refuse(m->source, at, &m->problem, "%s", text);
}

static struct term *
first_of(struct arena *a, const struct node *n)
{
	if (n->step == 1 || n->is_rest || (n->is_down ? n->nhi : n->nlo) != 1)
		return NULL;
	return n->is_down ? term_plus(a, n->hi[0], -1) : n->lo[0];
}

static enum status
walk_kids(struct walk *w, struct node *block)
{
	size_t		nscope = w->nscope;
	enum status	st = ST_OK;

	for (size_t i = 0; i < block->nkids && st == ST_OK; i++) {
		w->at[w->here.n]++;
		st = walk_node(w, block->kids[i]);
	}
	w->nscope = nscope;
	return st;
}

static enum status
walk_loop(struct walk *w, struct node *n)
{
	isl_set		*outside = isl_set_copy(w->domain);
	enum status	 st = ST_OK;

	w->domain = isl_set_add_dims(w->domain, isl_dim_set, 1);
	w->around[w->here.n] = (struct around){ n->is_down, first_of(w->to->arena, n), n->step };
	w->here.loops[w->here.n++] = n->var;
	w->at[w->here.n] = 0;
	walk_constrain_loop(w, n);
	st = walk_kids(w, n->kids[0]);
	w->here.n--;
	isl_set_free(w->domain);
	w->domain = outside;
	return st;
}

static enum status
walk_if(struct walk *w, struct node *n)
{
	isl_set		*when = affine_condition(w->to->arena, &w->here, n->cond), *all;
	enum status	 st;

	if (when == NULL)
		return source_refuse(w->to->source, n->at, w->why,
		    "after this step the condition is not affine any more");
	all = isl_set_copy(w->domain);
	walk_constrain(w, isl_set_copy(when));
	st = walk_kids(w, n->kids[0]);
	isl_set_free(w->domain);
	w->domain = isl_set_subtract(all, when);
	if (n->nkids > 1 && st == ST_OK)
		st = walk_kids(w, n->kids[1]);
	return st;
}

static enum status
walk_declaration(struct walk *w, struct node *n)
{
	if (w->nscope == WALK_MAX_SCOPE)
		return source_refuse(w->to->source, n->at, w->why, "more than %d variables",
		    WALK_MAX_SCOPE);
	w->scope[w->nscope++] = (struct scoped){ n->declared, ++w->declarations, w->here.n };
	if (n->term != NULL && n->declared->ndims == 0 &&
	    affine_is_written(&w->here, n->declared))
		walk_atom(w, n);
	return ST_OK;
}

enum status
walk_node(struct walk *w, struct node *n)
{
	isl_set		*domain;
	enum status	 st;

	switch (n->kind) {
	case NODE_LOOP:
		if (w->here.n == AFFINE_MAX_LOOPS)
			return source_refuse(w->to->source, n->at, w->why,
			    "more than %d loops in each other", AFFINE_MAX_LOOPS);
		return walk_loop(w, n);
	case NODE_BLOCK:
		return walk_kids(w, n);
	case NODE_IF:
		if (n->is_atom)
			break;
		domain = isl_set_copy(w->domain);
		st = walk_if(w, n);
		isl_set_free(w->domain);
		w->domain = domain;
		return st;
	case NODE_DECLARATION:
		return walk_declaration(w, n);
	case NODE_OPAQUE:
		return source_refuse(w->to->source, n->at, w->why,
		    "this is not understood");
	case NODE_STATEMENT:
		break;
	}
	walk_atom(w, n);
	return ST_OK;
}
