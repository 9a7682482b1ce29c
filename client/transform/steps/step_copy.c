/* SPDX-License-Identifier: Apache-2.0 */
/*
 * copy A [transposed]: the nest reads a copy of the array that is made before it.  An array of one
 * subscript is transposed as the matrix that its subscripts show: x[s + 30 * p] → x_copy[s][p].
 */
#include <string.h>

#include "client/transform/model/access.h"
#include "client/transform/steps/extent.h"
#include "client/transform/steps/steps.h"

struct copying {
	struct work		*w;
	const struct step_args	*args;
	struct region		*region;
	struct symbol		*of, *copy;
	bool			 is_transposed;
	int64_t			 stride;	/* of the rows of an array of one subscript; 0 */
	struct extent		 extent;	/* of the copy */
	bool			 failed;
};

static enum status
refuse_shape(const struct copying *c, struct fault *why)
{
	(void)script_refuse(c->w->script, c->args->step, why,
	    "the subscripts of %s do not show one matrix", c->of->name);
	fault_hint(why, "rows need a constant length: the step `constant`");
	return ST_BAD_SPEC;
}

/* ---- rows of an array of one subscript ---- */

struct parts {
	struct copying	*c;
	struct term	*subscript;
	struct term	*row, *column;
};

static bool
is_access(const struct copying *c, const struct term *t)
{
	return t->kind == TERM_INDEX && t->a[0]->kind == TERM_NAME && t->a[0]->symbol == c->of;
}

/* The least coefficient above 1 of any loop in any subscript. */
static bool
find_stride(void *arg, struct term *t)
{
	struct copying	*c = arg;
	int64_t		 k;

	if (!is_access(c, t))
		return true;
	for (size_t i = 0; i < c->region->affine.ncounters; i++) {
		if (!bounds_coefficient(t->a[1], c->region->affine.counters[i], &k))
			c->failed = true;
		else if (k > 1 && (c->stride == 0 || k < c->stride))
			c->stride = k;
	}
	return true;
}

static void
add_part(struct arena *a, struct term **sum, struct term *part)
{
	*sum = *sum == NULL ? part : term_binary(a, "+", *sum, part);
}

/* s + 30 * p → row p, column s; false: a part is neither. */
static bool
split(struct parts *p)
{
	struct copying	*c = p->c;
	struct arena	*a = c->w->arena;
	struct term	*rest = p->subscript;
	int64_t		 k;

	for (size_t i = 0; i < c->region->affine.ncounters; i++) {
		struct symbol	*v = c->region->affine.counters[i];

		if (!bounds_coefficient(p->subscript, v, &k))
			return false;
		if (k == 0)
			continue;
		rest = term_replace(a, rest, v, term_int(a, 0));
		if (k % c->stride == 0)
			add_part(a, &p->row, term_times(a, term_name(a, v), k / c->stride));
		else
			add_part(a, &p->column, term_times(a, term_name(a, v), k));
	}
	if (rest->kind != TERM_INT || rest->value < 0)
		return false;
	add_part(a, &p->row, term_int(a, rest->value / c->stride));
	add_part(a, &p->column, term_int(a, rest->value % c->stride));
	return true;
}

/* ---- accesses ---- */

static struct term *
indexed(struct copying *c, struct term *first, struct term *second, const struct term *like)
{
	struct arena	*a = c->w->arena;
	struct term	*t = term_index(a, term_index(a, term_name(a, c->copy), first), second);

	t->at = like->at;
	t->is_int = like->is_int;
	return t;
}

static struct term *
to_copy(void *arg, struct term *t)
{
	struct copying	*c = arg;
	struct parts	 p = { .c = c };

	if (t->kind == TERM_NAME && t->symbol == c->of && !c->is_transposed)
		return term_name(c->w->arena, c->copy);
	if (!c->is_transposed)
		return NULL;
	if (c->of->ndims == 1 && is_access(c, t)) {
		p.subscript = t->a[1];
		if (!split(&p)) {
			c->failed = true;
			return NULL;
		}
		return indexed(c, p.column, p.row, t);
	}
	if (c->of->ndims == 2 && t->kind == TERM_INDEX && is_access(c, t->a[0]))
		return indexed(c, t->a[1], t->a[0]->a[1], t);
	return NULL;
}

/* ---- the nest that copies ---- */

static struct symbol *
copy_counter(struct copying *c, const char *name)
{
	struct symbol	*s = arena_take(c->w->arena, sizeof *s);

	*s = (struct symbol){ .name = names_fresh(c->w->names, name), .kind = SYMBOL_LOCAL,
	    .type = "int", .element = "int", .element_bytes = 4, .is_integer = true,
	    .is_made = true };
	return s;
}

/* The element of the original that element (i, j …) of the copy has. */
static struct term *
source_element(struct copying *c, struct symbol *const *v)
{
	struct arena	*a = c->w->arena;
	struct term	*t = term_name(a, c->of);

	if (c->stride > 0)
		return term_index(a, t, term_binary(a, "+", term_times(a, term_name(a, v[1]),
		    c->stride), term_name(a, v[0])));
	for (size_t i = 0; i < c->extent.n; i++)
		t = term_index(a, t, term_name(a, v[c->is_transposed ? c->extent.n - 1 - i : i]));
	return t;
}

static struct node *
copying_nest(struct copying *c)
{
	struct arena	*a = c->w->arena;
	struct symbol	*v[SYMBOL_MAX_DIMS];
	struct term	*to = term_name(a, c->copy), *set = term_new(a, TERM_BINARY, 2);
	struct node	*n = node_new(a, NODE_STATEMENT, c->region->root->at), *loop;

	for (size_t i = 0; i < c->extent.n; i++) {
		v[i] = copy_counter(c, i == 0 ? "i" : i == 1 ? "j" : "k");
		to = term_index(a, to, term_name(a, v[i]));
	}
	set->op = "=";
	set->a[0] = to;
	set->a[1] = source_element(c, v);
	n->term = set;
	n->is_atom = n->is_copy = true;
	for (size_t i = c->extent.n; i-- > 0;) {
		loop = node_loop(a, v[i], term_int(a, c->extent.least[i]),
		    term_int(a, c->extent.size[i]), n->at);
		node_add(a, loop->kids[0], n);
		n->origin = n->kind == NODE_STATEMENT ? arena_take(a, c->extent.n *
		    sizeof *n->origin) : NULL;
		n = loop;
	}
	loop = n;
	while (loop->kind == NODE_LOOP)
		loop = loop->kids[0]->kids[0];
	loop->norigin = c->extent.n;
	for (size_t i = 0; i < c->extent.n; i++)
		loop->origin[i] = term_name(a, v[i]);
	return n;
}

static void
put_copy(struct copying *c)
{
	struct arena	*a = c->w->arena;
	struct node	*root = c->region->root, *all[3];
	struct node	*n = node_new(a, NODE_DECLARATION, root->at);

	n->declared = c->copy;
	n->before = arena_format(a, "_Alignas(64) %s ", c->copy->element);
	n->after = "";
	for (size_t i = 0; i < c->extent.n; i++)
		n->after = arena_format(a, "%s[%lld]", n->after, (long long)c->extent.size[i]);
	all[0] = n;
	all[1] = copying_nest(c);
	all[2] = root->kids[0];
	node_splice(a, root, 0, all, 3);
}

/* ---- the step ---- */

/* A matrix in one row of memory may end before its last row does. */
static enum status
check_ends(struct copying *c, const struct extent *of, struct fault *why)
{
	const struct extent	*e = &c->extent;

	if (c->stride > 0 && (e->least[1] * c->stride + e->least[0] < of->least[0] ||
	    (e->size[1] - 1) * c->stride + e->size[0] > of->size[0]))
		return script_refuse(c->w->script, c->args->step, why,
		    "a whole copy of %s would read elements that the nest does not", c->of->name);
	for (size_t i = 0; i < e->n; i++)
		c->copy->dims[i] = e->size[i];
	return ST_OK;
}

static enum status
check_copy(struct copying *c, struct fault *why)
{
	if (c->extent.is_written)
		return script_refuse(c->w->script, c->args->step, why,
		    "%s is written in the nest: a copy would be old", c->of->name);
	if (c->of->ndims == 0 || (c->is_transposed && c->of->ndims > 2))
		return script_refuse(c->w->script, c->args->step, why,
		    "%s has %u subscripts", c->of->name, c->of->ndims);
	if (!c->is_transposed || c->of->ndims != 1)
		return ST_OK;
	(void)node_visit_terms(c->region->root, find_stride, c);
	return c->stride < 2 || c->failed ? refuse_shape(c, why) : ST_OK;
}

enum status
step_copy(struct work *w, const struct step_args *args, struct fault *why)
{
	struct copying	c = { .w = w, .args = args };
	struct extent	of;
	enum status	st;

	if ((c.of = work_find_symbol(w, args->names[0])) == NULL || args->nwords > 2)
		return script_refuse(w->script, args->step, why, "there is no array %s",
		    args->names[0]);
	c.is_transposed = args->nwords == 2 && strcmp(args->words[1], "transposed") == 0;
	if (args->nwords == 2 && !c.is_transposed)
		return script_refuse(w->script, args->step, why, "\"%s\" is not \"transposed\"",
		    args->words[1]);
	for (size_t i = 0; i < w->nregions && c.region == NULL; i++)
		if (node_uses(w->regions[i].root, c.of))
			c.region = &w->regions[i];
	if (c.region == NULL)
		return script_refuse(w->script, args->step, why, "no nest uses %s", c.of->name);
	if ((st = extent_find(w, c.region, args->step, c.of, &c.extent, why)) != ST_OK ||
	    (st = check_copy(&c, why)) != ST_OK)
		return st;
	c.copy = arena_take(w->arena, sizeof *c.copy);
	*c.copy = *c.of;
	c.copy->kind = SYMBOL_LOCAL;
	c.copy->is_made = true;
	c.copy->is_pointer = false;
	c.copy->name = names_fresh(w->names, arena_format(w->arena, "%s_copy", c.of->name));
	c.copy->ndims = c.stride > 0 ? 2 : c.of->ndims;
	memset(c.copy->dims, 0, sizeof c.copy->dims);
	node_map(w->arena, c.region->root, to_copy, &c);
	if (c.failed)
		return refuse_shape(&c, why);
	of = c.extent;
	if ((st = extent_find(w, c.region, args->step, c.copy, &c.extent, why)) != ST_OK ||
	    (st = check_ends(&c, &of, why)) != ST_OK)
		return st;
	put_copy(&c);
	c.region->is_changed = c.region->is_reordered = true;
	return ST_OK;
}
