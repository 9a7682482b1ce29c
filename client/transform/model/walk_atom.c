/* SPDX-License-Identifier: Apache-2.0 */
/* One statement: its access relations, its time, its iteration of the original nest. */
#include <stdio.h>
#include <string.h>

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/val.h>

#include "client/transform/model/access.h"
#include "client/transform/model/shape.h"
#include "client/transform/model/walk.h"
#include "client/transform/tree/text.h"

/* ---- maps ---- */

static isl_map *
add_value(isl_map *map, isl_pw_aff *value)
{
	return isl_map_flat_range_product(map, isl_map_from_pw_aff(value));
}

/* ---- memory ---- */

static const struct scoped *
find_scoped(const struct walk *w, const struct symbol *s)
{
	for (size_t i = w->nscope; i-- > 0;)
		if (w->scope[i].symbol == s)
			return &w->scope[i];
	return NULL;
}

static unsigned
memory_number(struct walk *w, const struct access *x, const struct scoped *scoped)
{
	struct model	*m = w->to;
	unsigned	 number = scoped != NULL ? scoped->number : 0;

	for (size_t i = 0; i < m->nmemory; i++)
		if (m->memory[i].symbol == x->symbol && m->memory[i].number == number &&
		    strcmp(m->memory[i].field, x->field) == 0)
			return (unsigned)i;
	m->memory = arena_grow(m->arena, m->memory, m->nmemory, sizeof *m->memory);
	m->memory[m->nmemory] = (struct memory){ x->symbol, x->field, number };
	return (unsigned)m->nmemory++;
}

/*
 * Subscript `d` within its declared bound: beyond, it would be an element of another row.  Where
 * sizes are unknown, the routine is taken to keep to C's rule about it.
 */
static void
check_bound(struct walk *w, const struct access *x, size_t d, isl_pw_aff *value)
{
	isl_pw_aff	*low, *high;
	isl_set		*in;

	if (d == 0 || x->symbol->dims[d] <= 0 || isl_space_dim(w->here.params, isl_dim_param) > 0)
		return;
	low = isl_pw_aff_copy(value);
	high = isl_pw_aff_copy(value);
	in = isl_set_intersect(isl_pw_aff_nonneg_set(low), isl_pw_aff_lt_set(high,
	    affine_term(w->to->arena, &w->here, term_int(w->to->arena, x->symbol->dims[d]))));
	if (isl_set_is_subset(w->domain, in) == isl_bool_false)
		walk_problem(w, x->at, "this subscript leaves its row");
	isl_set_free(in);
}

/* Behind the subscripts before it; an array with a shape has several for one. */
static isl_map *
add_subscript(struct walk *w, const struct access *x, size_t i, isl_map *map)
{
	const struct shape	*shape = shape_of(&w->here, x->symbol);
	isl_pw_aff		*values[SYMBOL_MAX_DIMS], *value;

	if (shape != NULL && shape_subscripts(w->to->arena, &w->here, shape, x->subscripts[i],
	    w->domain, values)) {
		for (size_t k = 0; k <= shape->n; k++)
			map = add_value(map, values[k]);
		return map;
	}
	if (shape == NULL && (value = affine_term(w->to->arena, &w->here, x->subscripts[i])) !=
	    NULL) {
		check_bound(w, x, i, value);
		return add_value(map, value);
	}
	if (x->is_write)
		walk_problem(w, x->at, "the subscript of this write is not affine: loops and "
		    "constants, added and multiplied by constants");
	return isl_map_add_dims(map, isl_dim_out, shape != NULL ? (unsigned)shape->n + 1 : 1);
}

/* Iterations → elements; a subscript that is not affine reads them all. */
static isl_map *
relation(struct walk *w, const struct access *x, const char *tuple)
{
	const struct scoped	*scoped = find_scoped(w, x->symbol);
	size_t			 own = scoped != NULL ? scoped->depth : 0;
	unsigned		 number = memory_number(w, x, scoped);
	isl_map			*map;
	char			 name[24];

	map = isl_map_from_domain(isl_set_copy(w->domain));
	for (size_t i = 0; i < own; i++) {
		map = isl_map_add_dims(map, isl_dim_out, 1);
		map = isl_map_equate(map, isl_dim_in, (int)i, isl_dim_out, (int)i);
	}
	for (size_t i = 0; i < x->n; i++)
		map = add_subscript(w, x, i, map);
	(void)snprintf(name, sizeof name, "M%u", number);
	map = isl_map_set_tuple_name(map, isl_dim_out, name);
	return isl_map_set_tuple_name(map, isl_dim_in, tuple);
}

/* ---- statements ---- */

/* A number behind the parts of time before it. */
static isl_map *
add_fixed(isl_map *map, unsigned value)
{
	map = isl_map_add_dims(map, isl_dim_out, 1);
	return isl_map_fix_si(map, isl_dim_out, (unsigned)isl_map_dim(map, isl_dim_out) - 1,
	    (int)value);
}

/*
 * The part of time that loop `i` is.  Of one with large steps it is the number of the step, since
 * the value itself would need a division.
 */
static isl_map *
add_loop_time(struct walk *w, size_t i, isl_map *map)
{
	const struct around	*l = &w->around[i];
	isl_pw_aff		*v = affine_term(w->to->arena, &w->here,
				    term_name(w->to->arena, w->here.loops[i])), *first;
	isl_map			*part, *steps;

	first = l->first != NULL ? affine_term(w->to->arena, &w->here, l->first) : NULL;
	if (first == NULL)
		return add_value(map, l->is_down ? isl_pw_aff_neg(v) : v);
	part = isl_map_from_pw_aff(l->is_down ? isl_pw_aff_sub(first, v) :
	    isl_pw_aff_sub(v, first));
	steps = isl_map_from_aff(isl_aff_scale_val(isl_aff_var_on_domain(
	    isl_local_space_from_space(isl_space_range(isl_map_get_space(part))), isl_dim_set, 0),
	    isl_val_int_from_si(w->here.ctx, (long)l->step)));
	return isl_map_flat_range_product(map, isl_map_apply_range(part, isl_map_reverse(steps)));
}

/* Iterations → time, the last part of it `last`. */
static isl_map *
time_of(struct walk *w, const char *tuple, unsigned last)
{
	isl_map		*map = isl_map_from_domain(isl_set_copy(w->domain));
	unsigned	 n = 2;

	map = add_fixed(map, 1);
	for (size_t i = 0; i < w->here.n; i++, n += 2) {
		map = add_fixed(map, w->at[i]);
		map = add_loop_time(w, i, map);
	}
	map = add_fixed(map, w->at[w->here.n]);
	while (n++ + 1 < w->to->time_dims)
		map = add_fixed(map, 0);
	map = add_fixed(map, last);
	map = isl_map_set_tuple_name(map, isl_dim_out, "T");
	return isl_map_set_tuple_name(map, isl_dim_in, tuple);
}

/* Iterations → those of the original nest. */
static isl_map *
origin_of(struct walk *w, const struct node *n, const char *from, const char *to)
{
	isl_map		*map = isl_map_from_domain(isl_set_copy(w->domain));
	isl_pw_aff	*value;

	for (size_t i = 0; i < n->norigin; i++) {
		value = affine_term(w->to->arena, &w->here, n->origin[i]);
		if (value == NULL) {
			walk_problem(w, n->at, "the iteration of this statement is not affine");
			map = isl_map_add_dims(map, isl_dim_out, 1);
			continue;
		}
		map = isl_map_flat_range_product(map, isl_map_from_pw_aff(value));
	}
	map = isl_map_set_tuple_name(map, isl_dim_out, to);
	return isl_map_set_tuple_name(map, isl_dim_in, from);
}

static void
note_use(struct walk *w, const struct node *n, const struct access *x, unsigned k)
{
	struct model	*m = w->to;
	const char	*loops = "";

	for (size_t i = 0; i < m->nuses; i++)
		if (m->uses[i].id == n->id && m->uses[i].n == k)
			return;
	for (size_t i = 0; i < n->norigin; i++)
		loops = arena_format(m->arena, "%s%s%s", loops, i > 0 ? ", " : "",
		    text_of(m->arena, n->origin[i]));
	m->uses = arena_grow(m->arena, m->uses, m->nuses, sizeof *m->uses);
	m->uses[m->nuses++] = (struct use){ x->at.line > 0 ? x->at : n->at, x->symbol, n->id, k,
	    x->is_write, loops };
}

static void
add_access(struct walk *w, const struct node *n, const struct access *x, unsigned k)
{
	struct model	*m = w->to;
	char		 here[32], there[32];
	char		 kind = x->is_write ? 'W' : 'R';
	isl_union_map	*map;

	(void)snprintf(here, sizeof here, "%c%s%u_%u", kind, n->is_copy ? "C" : "", w->nodes, k);
	(void)snprintf(there, sizeof there, "%c%u_%u", kind, n->id, k);
	map = isl_union_map_from_map(relation(w, x, here));
	if (x->is_write)
		m->writes = isl_union_map_union(m->writes, map);
	else
		m->reads = isl_union_map_union(m->reads, map);
	m->schedule = isl_union_map_union(m->schedule, isl_union_map_from_map(time_of(w, here,
	    x->is_write)));
	map = isl_union_map_from_map(origin_of(w, n, here, n->is_copy ? here : there));
	m->origin = isl_union_map_union(m->origin, map);
	if (!n->is_copy)
		note_use(w, n, x, k);
}

static void
add_statement(struct walk *w, const struct node *n, const struct accesses *list)
{
	struct model	*m = w->to;
	char		 here[32], there[32];
	isl_map		*map;

	w->nodes++;
	for (size_t i = 0; i < list->n; i++)
		add_access(w, n, &list->at[i], (unsigned)i);
	if (list->problem != NULL)
		walk_problem(w, list->problem_at, list->problem);
	if (!n->is_copy) {
		(void)snprintf(here, sizeof here, "S%u", w->nodes);
		(void)snprintf(there, sizeof there, "S%u", n->id);
		m->instances = isl_union_map_union(m->instances, isl_union_map_from_map(
		    origin_of(w, n, here, there)));
		return;
	}
	/* one read, one write, the same iterations */
	(void)snprintf(here, sizeof here, "RC%u_0", w->nodes);
	(void)snprintf(there, sizeof there, "WC%u_1", w->nodes);
	map = isl_set_identity(isl_set_copy(w->domain));
	map = isl_map_set_tuple_name(map, isl_dim_in, here);
	map = isl_map_set_tuple_name(map, isl_dim_out, there);
	m->copies = isl_union_map_union(m->copies, isl_union_map_from_map(map));
}

/* A conditional write keeps the old value or sets a new one: it reads, and writes always. */
static bool
collect_branch(struct walk *w, struct accesses *list, struct node *n)
{
	size_t	before;

	if (n->kind == NODE_STATEMENT) {
		before = list->n;
		access_collect(list, n->term);
		for (size_t i = before, end = list->n; i < end; i++) {
			if (!list->at[i].is_write)
				continue;
			list->at = arena_grow(w->to->arena, list->at, list->n, sizeof *list->at);
			list->at[list->n] = list->at[i];
			list->at[list->n++].is_write = false;
		}
		return true;
	}
	if (n->kind == NODE_IF)
		access_collect(list, n->cond);
	if (n->kind != NODE_IF && n->kind != NODE_BLOCK) {
		walk_problem(w, n->at, "a condition that depends on data decides about more than "
		    "assignments here");
		return false;
	}
	for (size_t i = 0; i < n->nkids; i++)
		if (!collect_branch(w, list, n->kids[i]))
			return false;
	return true;
}

void
walk_atom(struct walk *w, struct node *n)
{
	struct accesses	list = { .arena = w->to->arena, .affine = &w->here };
	struct term	*t = n->term;

	if (n->kind == NODE_IF) {
		(void)collect_branch(w, &list, n);
	} else if (n->kind == NODE_DECLARATION) {
		t = term_new(w->to->arena, TERM_BINARY, 2);
		t->op = "=";
		t->a[0] = term_name(w->to->arena, n->declared);
		t->a[0]->at = n->at;
		t->a[1] = n->term;
		access_collect(&list, t);
	} else {
		access_collect(&list, t);
	}
	add_statement(w, n, &list);
}
