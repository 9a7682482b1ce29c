/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/val.h>

#include "client/transform/access.h"
#include "client/transform/model.h"
#include "client/transform/print.h"
#include "client/transform/shape.h"

enum { MAX_SCOPE = 256 };

/* A variable that is declared in a body: each iteration of the loops around has its own. */
struct scoped {
	struct symbol	*symbol;
	unsigned	 number;	/* of its declaration; several after a step */
	size_t		 depth;
};

struct around {
	bool		 is_down;
	struct term	*first;		/* of a loop with steps above 1; else NULL */
	int64_t		 step;
};

struct walk {
	struct model	*to;
	struct affine	 here;
	isl_set		*domain;	/* owned */
	unsigned	 at[AFFINE_MAX_LOOPS + 1];	/* position among its siblings, by depth */
	struct around	 around[AFFINE_MAX_LOOPS];
	struct scoped	 scope[MAX_SCOPE];
	size_t		 nscope;
	unsigned	 nodes, declarations;
	struct fault	*why;
};

static enum status	walk_node(struct walk *, struct node *);

static void
set_problem(struct walk *w, struct place at, const char *text)
{
	struct model	*m = w->to;

	if (m->has_problem)
		return;
	m->has_problem = true;
	(void)source_refuse(m->source, at, &m->problem, "%s", text);
}

/* ---- parameters and marks ---- */

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
model_params(struct arena *a, isl_ctx *ctx, struct affine *f, struct node *root)
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
model_mark(struct arena *a, const struct affine *f, struct node *root)
{
	struct marking	m = { a, *f };

	mark(&m, root);
}

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
		set_problem(w, x->at, "this subscript leaves its row");
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
		set_problem(w, x->at, "the subscript of this write is not affine: loops and "
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
			set_problem(w, n->at, "the iteration of this statement is not affine");
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
		    print_term(m->arena, n->origin[i]));
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
		set_problem(w, list->problem_at, list->problem);
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
		set_problem(w, n->at, "a condition that depends on data decides about more than "
		    "assignments here");
		return false;
	}
	for (size_t i = 0; i < n->nkids; i++)
		if (!collect_branch(w, list, n->kids[i]))
			return false;
	return true;
}

static void
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

/* ---- loops and conditions ---- */

static void
constrain(struct walk *w, isl_set *by)
{
	w->domain = isl_set_intersect(w->domain, by);
}

/* The first value: of several bounds the one that counts.  NULL: is not affine. */
static isl_pw_aff *
first_value(struct walk *w, const struct node *n)
{
	struct arena	*a = w->to->arena;
	isl_pw_aff	*all = NULL, *one;
	size_t		 count = n->is_down ? n->nhi : n->nlo;

	for (size_t i = 0; i < count; i++) {
		one = affine_term(a, &w->here, n->is_down ? term_plus(a, n->hi[i], -1) : n->lo[i]);
		if (one == NULL) {
			isl_pw_aff_free(all);
			return NULL;
		}
		all = all == NULL ? one : n->is_down ? isl_pw_aff_min(all, one) :
		    isl_pw_aff_max(all, one);
	}
	return all;
}

/*
 * Where `value` is within the ends on one side; each is a set of its own, which keeps all simple.
 */
static isl_set *
within(struct walk *w, const struct node *n, isl_pw_aff *value, bool is_end)
{
	isl_set		*all = isl_set_universe(affine_space(&w->here));
	isl_pw_aff	*bound;
	size_t		 count = is_end ? n->nhi : n->nlo;

	for (size_t i = 0; i < count; i++) {
		bound = affine_term(w->to->arena, &w->here, is_end ? n->hi[i] : n->lo[i]);
		if (bound == NULL) {
			set_problem(w, n->at, "an end of this loop is not affine: loops and "
			    "constants, added and multiplied by constants");
			continue;
		}
		all = isl_set_intersect(all, is_end ?
		    isl_pw_aff_lt_set(isl_pw_aff_copy(value), bound) :
		    isl_pw_aff_ge_set(isl_pw_aff_copy(value), bound));
	}
	isl_pw_aff_free(value);
	return all;
}

static isl_pw_aff *
floor_to(isl_pw_aff *distance, isl_ctx *ctx, int64_t step)
{
	isl_val	*v = isl_val_int_from_si(ctx, (long)step);

	return isl_pw_aff_scale_val(isl_pw_aff_floor(isl_pw_aff_scale_down_val(distance,
	    isl_val_copy(v))), v);
}

static isl_pw_aff *
moved(struct walk *w, isl_pw_aff *value, bool back, int64_t by)
{
	isl_pw_aff	*distance = affine_term(w->to->arena, &w->here, term_int(w->to->arena, by));

	return back ? isl_pw_aff_sub(value, distance) : isl_pw_aff_add(value, distance);
}

/* On the grid of its steps.  Of the rest of an unrolled loop: where that loop did not go. */
static void
constrain_steps(struct walk *w, const struct node *n, isl_pw_aff *v)
{
	isl_pw_aff	*first = first_value(w, n), *gone, *block;

	if (first == NULL)
		return;
	gone = n->is_down ? isl_pw_aff_sub(isl_pw_aff_copy(first), isl_pw_aff_copy(v)) :
	    isl_pw_aff_sub(isl_pw_aff_copy(v), isl_pw_aff_copy(first));
	if (n->step > 1)
		constrain(w, isl_pw_aff_eq_set(isl_pw_aff_copy(gone), floor_to(
		    isl_pw_aff_copy(gone), w->here.ctx, n->step)));
	if (n->is_rest) {
		gone = floor_to(gone, w->here.ctx, n->rest_step);
		block = n->is_down ? isl_pw_aff_sub(first, gone) : isl_pw_aff_add(first, gone);
		block = moved(w, block, n->is_down, n->rest_step - n->step);
		w->domain = isl_set_subtract(w->domain, within(w, n, block, !n->is_down));
		return;
	}
	isl_pw_aff_free(first);
	isl_pw_aff_free(gone);
}

/* The values of a loop; of an unrolled one those whose whole body is within its ends. */
static void
constrain_loop(struct walk *w, const struct node *n)
{
	isl_pw_aff	*v = affine_term(w->to->arena, &w->here, term_name(w->to->arena, n->var));

	constrain(w, within(w, n, isl_pw_aff_copy(v), false));
	constrain(w, within(w, n, isl_pw_aff_copy(v), true));
	if (n->ahead > 0)
		constrain(w, within(w, n, moved(w, isl_pw_aff_copy(v), n->is_down, n->ahead),
		    !n->is_down));
	if (n->step > 1 || n->is_rest)
		constrain_steps(w, n, v);
	isl_pw_aff_free(v);
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

static struct term *
first_of(struct arena *a, const struct node *n)
{
	if (n->step == 1 || n->is_rest || (n->is_down ? n->nhi : n->nlo) != 1)
		return NULL;
	return n->is_down ? term_plus(a, n->hi[0], -1) : n->lo[0];
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
	constrain_loop(w, n);
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
	constrain(w, isl_set_copy(when));
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
	if (w->nscope == MAX_SCOPE)
		return source_refuse(w->to->source, n->at, w->why, "more than %d variables",
		    MAX_SCOPE);
	w->scope[w->nscope++] = (struct scoped){ n->declared, ++w->declarations, w->here.n };
	if (n->term != NULL && n->declared->ndims == 0 &&
	    affine_is_written(&w->here, n->declared))
		walk_atom(w, n);
	return ST_OK;
}

static enum status
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

static unsigned
depth_of(const struct node *n)
{
	unsigned	most = 0, depth;

	for (size_t i = 0; i < n->nkids; i++) {
		depth = depth_of(n->kids[i]);
		most = depth > most ? depth : most;
	}
	return most + (n->kind == NODE_LOOP);
}

enum status
model_init(struct model *m, struct arena *a, const struct source *s, const struct affine *f,
    struct node *root, struct fault *why)
{
	struct walk	w = { .to = m, .here = *f, .why = why };
	isl_space	*params = isl_space_params(isl_space_copy(f->params));
	enum status	st;

	*m = (struct model){ .arena = a, .source = s, .affine = *f,
	    .time_dims = 2 * depth_of(root) + 3 };
	m->reads = isl_union_map_empty(isl_space_copy(params));
	m->writes = isl_union_map_copy(m->reads);
	m->schedule = isl_union_map_copy(m->reads);
	m->origin = isl_union_map_copy(m->reads);
	m->instances = isl_union_map_copy(m->reads);
	m->copies = isl_union_map_empty(params);
	w.domain = isl_set_universe(affine_space(f));
	st = walk_node(&w, root);
	isl_set_free(w.domain);
	return st;
}

void
model_release(struct model *m)
{
	isl_union_map_free(m->reads);
	isl_union_map_free(m->writes);
	isl_union_map_free(m->schedule);
	isl_union_map_free(m->origin);
	isl_union_map_free(m->instances);
	isl_union_map_free(m->copies);
	isl_union_map_free(m->flow);
}
