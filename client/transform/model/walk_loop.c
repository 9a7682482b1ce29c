/* SPDX-License-Identifier: Apache-2.0 */
/* The iterations of a loop: its ends, its steps, and what an unrolled one leaves. */
#include <isl/aff.h>
#include <isl/val.h>

#include "client/transform/model/walk.h"

/* ---- loops and conditions ---- */

void
walk_constrain(struct walk *w, isl_set *by)
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
			walk_problem(w, n->at, "an end of this loop is not affine: loops and "
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
		walk_constrain(w, isl_pw_aff_eq_set(isl_pw_aff_copy(gone), floor_to(
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
void
walk_constrain_loop(struct walk *w, const struct node *n)
{
	isl_pw_aff	*v = affine_term(w->to->arena, &w->here, term_name(w->to->arena, n->var));

	walk_constrain(w, within(w, n, isl_pw_aff_copy(v), false));
	walk_constrain(w, within(w, n, isl_pw_aff_copy(v), true));
	if (n->ahead > 0)
		walk_constrain(w, within(w, n, moved(w, isl_pw_aff_copy(v), n->is_down, n->ahead),
		    !n->is_down));
	if (n->step > 1 || n->is_rest)
		constrain_steps(w, n, v);
	isl_pw_aff_free(v);
}
