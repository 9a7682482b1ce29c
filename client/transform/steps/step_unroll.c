/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unroll V N: the body N times, for V, V + 1 …, and a loop for the rest.  jam V N: the same with
 * the inner loops of the copies made one.
 */
#include <string.h>

#include "client/transform/steps/steps.h"
#include "client/transform/work/region.h"

enum { MAX_COPIES = 256 };

/* ---- copies of a body ---- */

/* Variables that the body declares get names of their own in each copy. */
static void
rename_declared(struct work *w, struct region *r, struct node *copy, struct node *within,
    unsigned number)
{
	struct affine	*f = &r->affine;
	struct symbol	*s;

	if (within->kind == NODE_DECLARATION) {
		s = arena_take(w->arena, sizeof *s);
		*s = *within->declared;
		if (number > 0)
			s->name = names_fresh(w->names, arena_format(w->arena, "%s_%u", s->name,
			    number));
		node_replace(w->arena, copy, within->declared, term_name(w->arena, s));
		s->init = s->init != NULL ? within->term : NULL;
		if (affine_is_written(f, within->declared)) {
			f->written = arena_grow(w->arena, f->written, f->nwritten,
			    sizeof *f->written);
			f->written[f->nwritten++] = s;
		}
		within->declared = s;
	}
	for (size_t i = 0; i < within->nkids; i++)
		rename_declared(w, r, copy, within->kids[i], number);
}

static struct node *
copy_body(struct work *w, const struct node *loop, struct term *value, unsigned number,
    struct region *r)
{
	struct node	*copy = node_clone(w->arena, loop->kids[0]);

	node_replace(w->arena, copy, loop->var, value);
	rename_declared(w, r, copy, copy, number);
	return copy;
}

/* ---- jamming ---- */

static bool	jam(struct work *, const struct region *, struct node *const *copies, size_t n,
		    struct node *to);

static bool
has_same_head(const struct node *x, const struct node *y)
{
	if (x->nlo != y->nlo || x->nhi != y->nhi)
		return false;
	for (size_t i = 0; i < x->nlo; i++)
		if (!term_is_equal(x->lo[i], y->lo[i]))
			return false;
	for (size_t i = 0; i < x->nhi; i++)
		if (!term_is_equal(x->hi[i], y->hi[i]))
			return false;
	return x->cond == NULL || term_is_equal(x->cond, y->cond);
}

/* Kid `at` of all copies as one loop or condition; false: their ends differ. */
static bool
jam_one(struct work *w, const struct region *r, struct node *const *copies, size_t n, size_t at,
    struct node *to)
{
	struct node	*one = node_clone(w->arena, copies[0]->kids[at]), *parts[MAX_COPIES];

	for (size_t i = 1; i < n; i++)
		if (!has_same_head(one, copies[i]->kids[at]))
			return false;
	for (size_t k = 0; k < one->nkids; k++) {
		for (size_t i = 0; i < n; i++)
			parts[i] = copies[i]->kids[at]->kids[k];
		one->kids[k] = node_new(w->arena, NODE_BLOCK, one->at);
		if (!jam(w, r, parts, n, one->kids[k]))
			return false;
	}
	node_add(w->arena, to, one);
	return true;
}

/* Kid `at` names a value that all copies have in common, such as the end of a loop inside. */
static bool
is_common(const struct region *r, struct node *const *copies, size_t n, size_t at)
{
	if (!region_is_value(r, copies[0]->kids[at]))
		return false;
	for (size_t i = 1; i < n; i++)
		if (!term_is_equal(copies[i]->kids[at]->term, copies[0]->kids[at]->term))
			return false;
	return true;
}

/* One declaration for all copies. */
static void
join_declarations(struct work *w, struct node *const *copies, size_t n, size_t at, struct node *to)
{
	struct symbol	*s = copies[0]->kids[at]->declared;

	for (size_t i = 1; i < n; i++)
		node_replace(w->arena, copies[i], copies[i]->kids[at]->declared,
		    term_name(w->arena, s));
	node_add(w->arena, to, copies[0]->kids[at]);
}

static bool
jam(struct work *w, const struct region *r, struct node *const *copies, size_t n, struct node *to)
{
	for (size_t at = 0; at < copies[0]->nkids; at++) {
		const struct node	*kid = copies[0]->kids[at];

		if (kid->kind == NODE_LOOP || (kid->kind == NODE_IF && !kid->is_atom)) {
			if (!jam_one(w, r, copies, n, at, to))
				return false;
			continue;
		}
		if (is_common(r, copies, n, at)) {
			join_declarations(w, copies, n, at, to);
			continue;
		}
		for (size_t i = 0; i < n; i++) {
			if (i > 0)
				copies[i]->kids[at]->comment = NULL;
			node_add(w->arena, to, copies[i]->kids[at]);
		}
	}
	return true;
}

/* ---- loops ---- */

struct unrolling {
	struct work		*w;
	const struct step_args	*args;
	struct loop_at		 at;
	int64_t			 n;		/* copies */
	bool			 jams;
};

static struct term *
value_at(const struct unrolling *u, struct term *first, int64_t k)
{
	const struct node	*l = u->at.loop;

	return term_plus(u->w->arena, first, l->is_down ? -k * l->step : k * l->step);
}

static enum status
make_body(const struct unrolling *u, struct term *first, struct node *to, struct fault *why)
{
	struct node	*copies[MAX_COPIES];

	for (int64_t k = 0; k < u->n; k++)
		copies[k] = copy_body(u->w, u->at.loop, value_at(u, first, k), (unsigned)k,
		    u->at.region);
	for (int64_t k = 0; !u->jams && k < u->n; k++)
		for (size_t i = 0; i < copies[k]->nkids; i++)
			node_add(u->w->arena, to, copies[k]->kids[i]);
	if (!u->jams || jam(u->w, u->at.region, copies, (size_t)u->n, to))
		return ST_OK;
	(void)script_refuse(u->w->script, u->args->step, why,
	    "loops in loop %s have ends that depend on it: they cannot be jammed",
	    u->at.loop->var->name);
	fault_hint(why, "unroll %s without jamming, or swap it inwards",
	    u->at.loop->var->name);
	return ST_BAD_SPEC;
}

/* With a constant number of iterations both ends are known. */
static void
set_constant_ends(struct work *w, struct node *main, struct node *rest, int64_t trip, int64_t n)
{
	int64_t	done = trip / n * n * rest->step;

	if (main->is_down) {
		main->lo[0] = term_int(w->arena, main->hi[0]->value - done);
		rest->hi[0] = main->lo[0];
	} else {
		main->hi[0] = term_int(w->arena, main->lo[0]->value + done);
		rest->lo[0] = main->hi[0];
	}
}

/* The unrolled loop and the rest in place of the loop. */
static void
put_loops(const struct unrolling *u, struct node *main, int64_t trip)
{
	struct work	*w = u->w;
	struct node	*rest = node_clone(w->arena, u->at.loop), *both[2] = { main, rest };

	rest->comment = NULL;
	rest->is_left = true;
	main->step = u->n * rest->step;
	main->is_unrolled = true;
	if (trip >= 0) {
		set_constant_ends(w, main, rest, trip, u->n);
	} else {
		main->ahead = (u->n - 1) * rest->step;
		rest->is_rest = true;
		rest->rest_step = main->step;
	}
	node_splice(w->arena, u->at.block, u->at.at, both, trip >= 0 && trip % u->n == 0 ? 1 : 2);
}

static enum status
unroll_fully(struct unrolling *u, int64_t trip, struct fault *why)
{
	const struct node	*l = u->at.loop;
	struct node		*body = node_new(u->w->arena, NODE_BLOCK, l->at);
	enum status		 st;

	if (trip < 1 || trip > MAX_COPIES)
		return script_refuse(u->w->script, u->args->step, why,
		    "loop %s has no constant number of iterations up to %d", l->var->name,
		    MAX_COPIES);
	u->n = trip;
	if ((st = make_body(u, l->is_down ? term_plus(u->w->arena, l->hi[0], -1) : l->lo[0],
	    body, why)) != ST_OK)
		return st;
	node_splice(u->w->arena, u->at.block, u->at.at, body->kids, body->nkids);
	return ST_OK;
}

static enum status
unroll_partly(struct unrolling *u, int64_t trip, struct fault *why)
{
	struct node	*main = node_clone(u->w->arena, u->at.loop);
	enum status	 st;

	main->kids[0] = node_new(u->w->arena, NODE_BLOCK, main->at);
	if ((st = make_body(u, term_name(u->w->arena, main->var), main->kids[0], why)) == ST_OK)
		put_loops(u, main, trip);
	return st;
}

static enum status
unroll(struct work *w, const struct step_args *args, bool jams, struct fault *why)
{
	struct unrolling	u = { .w = w, .args = args, .jams = jams };
	int64_t			trip;
	enum status		st;

	if ((st = loops_find(w, args->step, args->names[0], &u.at, why)) != ST_OK)
		return st;
	if (u.at.loop->is_unrolled)
		return script_refuse(w->script, args->step, why, "loop %s is unrolled already",
		    u.at.loop->var->name);
	trip = bounds_trip(u.at.loop);
	u.at.region->is_changed = true;
	u.at.region->is_reordered |= jams;
	if (args->nnumbers == 0)
		return unroll_fully(&u, trip, why);
	u.n = args->numbers[0];
	if (u.n > MAX_COPIES)
		return script_refuse(w->script, args->step, why, "more than %d copies",
		    MAX_COPIES);
	/* an unrolled body that no iteration would reach is left out */
	if (u.n == 1 || (trip >= 0 && trip < u.n))
		return ST_OK;
	return unroll_partly(&u, trip, why);
}

enum status
step_unroll(struct work *w, const struct step_args *args, struct fault *why)
{
	return unroll(w, args, false, why);
}

enum status
step_jam(struct work *w, const struct step_args *args, struct fault *why)
{
	return unroll(w, args, true, why);
}
