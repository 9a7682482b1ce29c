/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/transform/indices.h"
#include "client/transform/shape.h"
#include "client/transform/work.h"

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
find_regions(struct work *w, struct node *block, struct node *around)
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
			find_regions(w, block->kids[i]->kids[k], block->kids[i]->kind == NODE_IF ?
			    around : block->kids[i]);
	}
}

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

/* ---- symbols ---- */

struct symbol *
work_find_symbol(const struct work *w, const char *name)
{
	for (size_t i = w->source->nsymbols; i-- > 0;)
		if (strcmp(w->source->symbols[i]->name, name) == 0)
			return w->source->symbols[i];
	return NULL;
}

void
work_add_symbol(struct arena *a, const struct symbol ***list, size_t *n, const struct symbol *s)
{
	*list = arena_grow(a, *list, *n, sizeof **list);
	(*list)[(*n)++] = s;
}

bool
work_is_restrict(const struct work *w, const struct symbol *s)
{
	for (size_t i = 0; i < w->nrestricted; i++)
		if (w->restricted[i] == s)
			return true;
	return s->is_restrict;
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

static bool
is_used_outside(const struct work *w, const struct region *r, const struct symbol *s)
{
	struct outer_use	u = { r, s, false };

	return look_outside(&u, w->source->body);
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

	return of->region->around == NULL && !is_used_outside(of->work, of->region, s);
}

/* What the tree assigns and which numbers it has; anew after each change of it. */
static void
look_at(struct work *w, struct region *r)
{
	isl_space_free(r->params);
	r->affine = (struct affine){ .ctx = w->ctx };
	r->params = model_params(w->arena, w->ctx, &r->affine, r->base);
}

static enum status
prepare(struct work *w, struct region *r, struct fault *why)
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
	model_mark(w->arena, &r->affine, r->base);
	r->root = node_clone(w->arena, r->base);
	return ST_OK;
}

enum status
work_init(struct work *w, struct fault *why)
{
	enum status	st = ST_OK;

	find_regions(w, w->source->body, NULL);
	w->names = names_new(w->arena, w->source->text);
	for (size_t i = 0; i < w->nregions && st == ST_OK; i++)
		st = prepare(w, &w->regions[i], why);
	return st;
}

void
work_release(struct work *w)
{
	for (size_t i = 0; i < w->nregions; i++) {
		if (w->regions[i].is_modelled)
			model_release(&w->regions[i].before);
		isl_space_free(w->regions[i].params);
	}
	w->nregions = 0;
}

/* ---- what is read after the nest ---- */

static bool
is_dead(const struct work *w, struct region *r, const struct symbol *s)
{
	if (s->kind == SYMBOL_LOCAL)
		return !is_used_outside(w, r, s) && (r->around == NULL ||
		    s->at.offset >= r->around->at.offset);
	if (s->kind == SYMBOL_STATIC)
		return !is_used_outside(w, r, s) && !verdict_reads_first(&r->before, s);
	return false;
}

static struct liveness
liveness(const struct work *w, struct region *r)
{
	struct liveness	live = { NULL, 0 };

	for (size_t i = 0; i < w->nscratch; i++)
		work_add_symbol(w->arena, &live.dead, &live.n, w->scratch[i]);
	for (unsigned i = 0; i < r->before.nmemory; i++)
		if (is_dead(w, r, r->before.memory[i].symbol))
			work_add_symbol(w->arena, &live.dead, &live.n,
			    r->before.memory[i].symbol);
	return live;
}

/* A variable of a loop that the routine uses later would have another value then. */
static enum status
check_counters(const struct work *w, const struct region *r, struct fault *why)
{
	for (size_t i = 0; i < r->affine.ncounters; i++) {
		const struct symbol	*s = r->affine.counters[i];

		if (s->kind != SYMBOL_LOCAL && s->kind != SYMBOL_STATIC)
			return source_refuse(w->source, r->base->at, why,
			    "%s is the variable of a loop and lives longer than the routine",
			    s->name);
		if (is_used_outside(w, r, s))
			return source_refuse(w->source, r->base->at, why,
			    "%s is the variable of a loop and is used after it", s->name);
	}
	return ST_OK;
}

static enum status
prove(struct work *w, struct region *r, const struct model *after, struct fault *why)
{
	struct liveness	live;
	enum status	st;

	if (r->before.has_problem || after->has_problem) {
		*why = r->before.has_problem ? r->before.problem : after->problem;
		return ST_BAD_SPEC;
	}
	if ((st = check_counters(w, r, why)) != ST_OK ||
	    (r->is_reordered && (st = alias_check(w, &r->before, why)) != ST_OK))
		return st;
	live = liveness(w, r);
	return verdict_compare(&r->before, after, &live, why);
}

static enum status
check_region(struct work *w, struct region *r, struct fault *why)
{
	struct model	after;
	char		line[512];
	enum status	st;

	isl_ctx_reset_operations(w->ctx);
	if (!r->is_modelled && (st = model_init(&r->before, w->arena, w->source, &r->affine,
	    r->base, why)) != ST_OK)
		return st;
	r->is_modelled = true;
	if ((st = model_init(&after, w->arena, w->source, &r->affine, r->root, why)) == ST_OK)
		st = prove(w, r, &after, why);
	model_release(&after);
	if (st != ST_BAD_SPEC || !w->assumes)
		return st;
	if (w->assumed == NULL)
		w->assumed = arena_format(w->arena, "%s", fault_line(why, line, sizeof line));
	return ST_OK;
}

enum status
work_check(struct work *w, struct fault *why)
{
	enum status	st = ST_OK;

	for (size_t i = 0; i < w->nregions && st == ST_OK; i++)
		if (w->regions[i].is_changed)
			st = check_region(w, &w->regions[i], why);
	return st;
}

/* ---- text ---- */

static unsigned
depth_of(const struct source *s, unsigned offset)
{
	unsigned	line = offset, depth = 0;

	while (line > 0 && s->text[line - 1] != '\n')
		line--;
	while (s->text[line + depth] == '\t')
		depth++;
	if (depth == 0 && s->text[line] == ' ')
		depth = (unsigned)strspn(s->text + line, " ") / 4;
	return depth > 0 ? depth : 1;
}

/* The next edit at or behind an offset; NULL: there is none before `to`. */
static const struct edit *
next_edit(const struct work *w, unsigned from, unsigned to)
{
	const struct edit	*first = NULL;

	for (size_t i = 0; i < w->nedits; i++)
		if (w->edits[i].at >= from && w->edits[i].at < to &&
		    (first == NULL || w->edits[i].at < first->at))
			first = &w->edits[i];
	return first;
}

static const char *
source_with_edits(const struct work *w, unsigned from, unsigned to)
{
	const char		*text = "";
	const struct edit	*e;
	unsigned		 at = from;

	while ((e = next_edit(w, from, to)) != NULL) {
		text = arena_format(w->arena, "%s%.*s%s", text, (int)(e->at - at),
		    w->source->text + at, e->text);
		at = e->at;
		from = e->at + 1;
	}
	return arena_format(w->arena, "%s%.*s", text, (int)(to - at), w->source->text + at);
}

/* Offset behind a statement, with its semicolon. */
static unsigned
end_of(const struct source *s, const struct node *n)
{
	unsigned	end = n->end;

	while (n->kind == NODE_STATEMENT && s->text[end] != '\0' && s->text[end] != ';')
		end++;
	if (s->text[end] == ';' && (end == n->end || n->kind == NODE_STATEMENT))
		end++;
	return end;
}

static unsigned
line_start(const struct source *s, unsigned offset)
{
	unsigned	at = offset;

	while (at > 0 && (s->text[at - 1] == '\t' || s->text[at - 1] == ' '))
		at--;
	return at == 0 || s->text[at - 1] == '\n' ? at : offset;
}

static int
by_place(const void *x, const void *y)
{
	const struct region	*a = x, *b = y;

	return a->base->at.offset < b->base->at.offset ? -1 : 1;
}

const char *
work_print(struct work *w)
{
	const struct source	*s = w->source;
	const char		*text = "";
	unsigned		 at = 0, from, to;

	qsort(w->regions, w->nregions, sizeof *w->regions, by_place);
	for (size_t i = 0; i < w->nregions; i++) {
		struct region	*r = &w->regions[i];

		if (!r->is_changed && !r->is_printed)
			continue;
		from = line_start(s, r->base->at.offset);
		to = end_of(s, r->block->kids[r->first + r->n - 1]);
		text = arena_format(w->arena, "%s%s%s", text, source_with_edits(w, at, from),
		    print_nodes(w->arena, w->names, r->root->kids, r->root->nkids,
		    depth_of(s, r->base->at.offset)));
		at = to + (s->text[to] == '\n');
	}
	return arena_format(w->arena, "%s%s", text, source_with_edits(w, at,
	    (unsigned)s->bytes));
}
