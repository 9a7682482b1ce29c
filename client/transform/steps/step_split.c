/* SPDX-License-Identifier: Apache-2.0 */
/* fission V: a loop for each statement of its body.  fuse A B: two neighbours become one loop. */
#include <string.h>

#include "client/transform/steps/steps.h"
#include "client/transform/work/region.h"

enum { MAX_PARTS = 64 };

/* ---- fission ---- */

/*
 * Statements that share a variable of the body stay together.  A variable that only names a number
 * or a place is declared in each part that uses it.
 */
struct parting {
	const struct node	*body;
	size_t			 part[MAX_PARTS];	/* of each kid: the first kid of its part */
};

static void
join(struct parting *p, size_t x, size_t y)
{
	size_t	from = p->part[x] > p->part[y] ? p->part[x] : p->part[y];
	size_t	to = p->part[x] > p->part[y] ? p->part[y] : p->part[x];

	for (size_t i = 0; i < p->body->nkids; i++)
		if (p->part[i] == from)
			p->part[i] = to;
}

static void
find_parts(struct parting *p, const struct region *r)
{
	for (size_t i = 0; i < p->body->nkids; i++)
		p->part[i] = i;
	for (size_t i = 0; i < p->body->nkids; i++) {
		const struct node	*n = p->body->kids[i];

		for (size_t k = i + 1; n->kind == NODE_DECLARATION && !region_is_value(r, n) &&
		    k < p->body->nkids; k++)
			if (node_uses(p->body->kids[k], n->declared))
				join(p, i, k);
		if (n->kind == NODE_LOOP && n->is_rest)
			join(p, i - 1, i);
	}
}

static bool
part_uses(struct node *const *kids, size_t n, const struct symbol *s)
{
	for (size_t i = 0; i < n; i++)
		if (node_uses(kids[i], s))
			return true;
	return false;
}

/* A loop with the kids of one part, and the shared variables that these use. */
static struct node *
make_part(struct work *w, const struct loop_at *l, const struct parting *p, size_t part)
{
	struct node	*loop = node_clone(w->arena, l->loop), *body, *kids[MAX_PARTS];
	size_t		 n = 0;

	for (size_t i = p->body->nkids; i-- > 0;) {
		struct node	*kid = p->body->kids[i];

		if (region_is_value(l->region, kid) ? !part_uses(kids, n, kid->declared) :
		    p->part[i] != part)
			continue;
		memmove(kids + 1, kids, n++ * sizeof kids[0]);
		kids[0] = node_clone(w->arena, kid);
	}
	body = node_new(w->arena, NODE_BLOCK, l->loop->at);
	for (size_t i = 0; i < n; i++)
		node_add(w->arena, body, kids[i]);
	loop->kids[0] = body;
	return loop;
}

enum status
step_fission(struct work *w, const struct step_args *args, struct fault *why)
{
	struct parting	 p;
	struct loop_at	 l;
	struct node	*parts[MAX_PARTS];
	size_t		 n = 0;
	enum status	 st;

	if ((st = loops_find(w, args->step, args->names[0], &l, why)) != ST_OK)
		return st;
	p.body = l.loop->kids[0];
	if (p.body->nkids > MAX_PARTS || l.loop->is_rest || l.loop->ahead > 0)
		return script_refuse(w->script, args->step, why,
		    "loop %s is unrolled, or has more than %d statements", l.loop->var->name,
		    MAX_PARTS);
	find_parts(&p, l.region);
	for (size_t i = 0; i < p.body->nkids; i++)
		if (p.part[i] == i && !region_is_value(l.region, p.body->kids[i]))
			parts[n++] = make_part(w, &l, &p, i);
	if (n < 2) {
		(void)script_refuse(w->script, args->step, why,
		    "the body of loop %s has nothing to split", l.loop->var->name);
		fault_hint(why, "its statements are one, or share a variable that is declared in "
		    "it: private NAME");
		return ST_BAD_SPEC;
	}
	for (size_t i = 1; i < n; i++)
		parts[i]->comment = NULL;
	node_splice(w->arena, l.block, l.at, parts, n);
	l.region->is_changed = l.region->is_reordered = true;
	return ST_OK;
}

/* ---- fuse ---- */

static bool
has_same_ends(struct work *w, const struct node *x, const struct node *y)
{
	if (x->nlo != y->nlo || x->nhi != y->nhi || x->step != y->step ||
	    x->is_down != y->is_down || x->ahead != y->ahead || x->is_rest || y->is_rest)
		return false;
	for (size_t i = 0; i < x->nlo; i++)
		if (!term_is_equal(x->lo[i], term_replace(w->arena, y->lo[i], y->var,
		    term_name(w->arena, x->var))))
			return false;
	for (size_t i = 0; i < x->nhi; i++)
		if (!term_is_equal(x->hi[i], y->hi[i]))
			return false;
	return true;
}

/* The two loops that are meant: neighbours in one block. */
static enum status
find_pair(struct work *w, const struct step_args *args, struct loop_at *x, struct node **y,
    struct fault *why)
{
	const char	*a = args->names[0];
	const char	*b = args->nnames > 1 ? args->names[1] : args->nwords > 1 ? args->words[1] :
			    args->names[0];
	struct loop_at	 all[MAX_PARTS], other = { NULL, NULL, 0, NULL };
	size_t		 n = loops_all(w, a, all, MAX_PARTS), length = strcspn(b, "#");
	enum status	 st;

	if ((strchr(a, '#') != NULL &&
	    (st = loops_find(w, args->step, a, &all[0], why)) != ST_OK) ||
	    (strchr(b, '#') != NULL && (st = loops_find(w, args->step, b, &other, why)) != ST_OK))
		return st;
	n = strchr(a, '#') != NULL ? 1 : n;
	for (size_t i = 0; i < n; i++) {
		*x = all[i];
		*y = x->at + 1 < x->block->nkids ? x->block->kids[x->at + 1] : NULL;
		if (*y != NULL && (*y)->kind == NODE_LOOP && strlen((*y)->var->name) == length &&
		    strncmp((*y)->var->name, b, length) == 0 &&
		    (other.loop == NULL || other.loop == *y))
			return ST_OK;
	}
	(void)script_refuse(w->script, args->step, why, "loops %s and %s are no neighbours", a, b);
	fault_hint(why, "the first must stand right before the second in one block");
	return ST_BAD_SPEC;
}

enum status
step_fuse(struct work *w, const struct step_args *args, struct fault *why)
{
	struct loop_at	 x;
	struct node	*y, *block;
	enum status	 st;

	if ((st = find_pair(w, args, &x, &y, why)) != ST_OK)
		return st;
	if (!has_same_ends(w, x.loop, y))
		return script_refuse(w->script, args->step, why,
		    "loops %s and %s have different ends or steps", x.loop->var->name,
		    y->var->name);
	if (x.loop->var != y->var)
		node_replace(w->arena, y, y->var, term_name(w->arena, x.loop->var));
	block = y->kids[0];
	for (size_t i = 0; i < block->nkids; i++)
		node_add(w->arena, x.loop->kids[0], block->kids[i]);
	node_splice(w->arena, x.block, x.at + 1, NULL, 0);
	x.region->is_changed = x.region->is_reordered = true;
	return ST_OK;
}
