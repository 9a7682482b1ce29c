/* SPDX-License-Identifier: Apache-2.0 */
#include "client/transform/work/region.h"

/* ---- regions ---- */

static bool
is_understood(void *arg, struct node *n)
{
	(void)arg;
	return n->kind != NODE_OPAQUE;
}

static bool
is_no_loop(void *arg, struct node *n)
{
	(void)arg;
	return n->kind != NODE_LOOP;
}

static bool
may_be_in_region(struct node *n)
{
	if (n->kind == NODE_DECLARATION || n->kind == NODE_OPAQUE)
		return false;
	if (n->kind == NODE_STATEMENT && n->term->kind == TERM_CALL)
		return false;
	return node_visit(n, is_understood, NULL);
}

static bool
moves_pointer(const struct node *n)
{
	return term_is_assignment(n->term) && !n->term->a[0]->is_int &&
	    n->term->a[0]->kind == TERM_NAME && n->term->a[0]->symbol->ndims > 0;
}

static void
add_region(struct work *w, struct node *block, size_t first, size_t n, struct node *around)
{
	struct region	*r;
	bool		 has_loop = false;

	for (size_t i = first, end = first + n; i < end && block->kids[i]->kind == NODE_STATEMENT;
	    i++) {
		if (!moves_pointer(block->kids[i]))
			continue;
		n -= i + 1 - first;
		first = i + 1;
	}
	for (size_t i = first; i < first + n; i++)
		has_loop = has_loop || !node_visit(block->kids[i], is_no_loop, NULL);
	if (!has_loop)
		return;
	w->regions = arena_grow(w->arena, w->regions, w->nregions, sizeof *w->regions);
	r = &w->regions[w->nregions++];
	*r = (struct region){ .block = block, .first = first, .n = n, .around = around };
	r->base = node_new(w->arena, NODE_BLOCK, block->kids[first]->at);
	for (size_t i = first; i < first + n; i++)
		node_add(w->arena, r->base, node_clone(w->arena, block->kids[i]));
}

static void
find(struct work *w, struct node *block, struct node *around)
{
	size_t	first = 0;

	for (size_t i = 0; i <= block->nkids; i++) {
		if (i < block->nkids && may_be_in_region(block->kids[i]))
			continue;
		if (i > first)
			add_region(w, block, first, i - first, around);
		first = i + 1;
		if (i == block->nkids)
			break;
		for (size_t k = 0; k < block->kids[i]->nkids; k++)
			find(w, block->kids[i]->kids[k], block->kids[i]->kind == NODE_IF ?
			    around : block->kids[i]);
	}
}

void
region_find_all(struct work *w)
{
	find(w, w->source->body, NULL);
}

/* ---- uses outside a region ---- */

struct outer_use {
	const struct region	*region;
	const struct symbol	*symbol;
	bool			 found;
};

/* The symbol occurs in the routine outside the region, where it is more than declared. */
static bool
look_outside(struct outer_use *u, struct node *block)
{
	for (size_t i = 0; i < block->nkids; i++) {
		struct node	*n = block->kids[i];

		if (block == u->region->block && i >= u->region->first &&
		    i < u->region->first + u->region->n)
			continue;
		if (n->kind == NODE_LOOP && n->var == u->symbol)
			continue;
		if (n->kind == NODE_OPAQUE && n->nkids == 0 && source_mentions(n->text,
		    u->symbol->name))
			return true;
		if (n->term != NULL && n->declared != u->symbol && term_uses(n->term, u->symbol))
			return true;
		if (n->cond != NULL && term_uses(n->cond, u->symbol))
			return true;
		if (look_outside(u, n))
			return true;
	}
	return false;
}

bool
region_uses_outside(const struct work *w, const struct region *r, const struct symbol *s)
{
	struct outer_use	u = { r, s, false };

	return look_outside(&u, w->source->body);
}

bool
region_is_value(const struct region *r, const struct node *n)
{
	return n->kind == NODE_DECLARATION && n->term != NULL && n->declared->ndims <= 1 &&
	    n->declared->init != NULL && !affine_is_written(&r->affine, n->declared);
}
