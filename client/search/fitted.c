/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "client/search/fitted.h"
#include "client/search/operands.h"

static const struct states_point *
best_state(const struct fitted *f)
{
	return &f->states.point[f->states.best];
}

static const struct solve_point *
best_size(const struct fitted *f)
{
	return &f->solve.point[f->solve.best];
}

double
fitted_reached_ns(const struct fitted *f)
{
	return f->by_bytes ? best_size(f)->time_ns : states_time_ns(&f->states, best_state(f));
}

double
fitted_difference(const struct fitted *f)
{
	return fitted_reached_ns(f) / f->asked_ns - 1;
}

enum fitted_trust
fitted_trust(const struct fitted *f)
{
	if (f->end != SOLVE_HIT)
		return FITTED_NONE;
	if (states_noise(&f->states) > f->band)
		return FITTED_NOISY;
	return f->by_bytes || states_rivals(&f->states) == 0 ? FITTED_SURE : FITTED_AMBIGUOUS;
}

const char *
fitted_trust_name(enum fitted_trust t)
{
	static const char *const	names[] = { "sure", "ambiguous", "noisy", "none" };

	return names[t];
}

/* ---- members of a spec ---- */

static json_t *
size_context(uint64_t bytes)
{
	return json_pack("{s:I}", "flush_bytes", (json_int_t)bytes);
}

static json_t *
state_context(const struct states_point *p)
{
	return json_string(p->is_cold ? "cold" : "warm");
}

json_t *
fitted_context(const struct fitted *f)
{
	return f->by_bytes ? size_context(best_size(f)->bytes) : state_context(best_state(f));
}

/* Takes members of operands: with their inputs, as they are in all evaluations. */
static json_t *
with_inputs(const struct fitted *f, json_t *members)
{
	json_t	*inputs = json_deep_copy(f->turning);

	(void)json_object_update_recursive(members, inputs);
	json_decref(inputs);
	return members;
}

static json_t *
state_args(const struct fitted *f, const struct states_point *p)
{
	return with_inputs(f, operands_members(&f->states, p));
}

json_t *
fitted_args(const struct fitted *f)
{
	return f->by_bytes ? with_inputs(f, json_object()) : state_args(f, best_state(f));
}

/* ---- the whole ---- */

static json_t *
evaluation(json_t *context, json_t *args, double time_ns, double times)
{
	return json_pack("{s:o, s:o, s:f, s:I}", "context", context, "args", args,
	    "time_ns", time_ns, "times", (json_int_t)times);
}

/* Sizes without 0, which is the warm state. */
static json_t *
evaluations(const struct fitted *f)
{
	const struct states	*s = &f->states;
	json_t			*list = json_array();

	for (size_t i = 0; i < s->n; i++)
		(void)json_array_append_new(list, evaluation(state_context(&s->point[i]),
		    state_args(f, &s->point[i]), states_time_ns(s, &s->point[i]),
		    s->point[i].times));
	for (size_t i = 0; i < f->solve.n; i++)
		if (f->solve.point[i].bytes > 0)
			(void)json_array_append_new(list, evaluation(
			    size_context(f->solve.point[i].bytes), with_inputs(f, json_object()),
			    f->solve.point[i].time_ns, f->solve.point[i].times));
	return list;
}

static json_t *
real_or_null(double x)
{
	return isnan(x) ? json_null() : json_real(x);
}

static void
put_ends(const struct fitted *f, json_t *to)
{
	const struct states	*s = &f->states;
	const bool		 has_sizes = f->solve.n > 1;
	const struct solve_point *top = has_sizes ? &f->solve.point[f->solve.n - 1] : NULL;

	(void)json_object_set_new(to, "warm_ns", real_or_null(states_warm_ns(s)));
	(void)json_object_set_new(to, "cold_ns",
	    s->n > 1 ? json_real(states_time_ns(s, &s->point[1])) : json_null());
	(void)json_object_set_new(to, "flushed_ns",
	    has_sizes ? json_real(top->time_ns) : json_null());
	(void)json_object_set_new(to, "flushed_bytes",
	    has_sizes ? json_integer((json_int_t)top->bytes) : json_null());
	(void)json_object_set_new(to, "evaluations", evaluations(f));
}

json_t *
fitted_document(const struct fitted *f)
{
	json_t	*doc = json_pack("{s:f, s:s, s:o, s:o, s:f, s:f, s:f, s:s, s:I, s:o, s:b}",
	    "asked_ns", f->asked_ns, "outcome", solve_end_name(f->end),
	    "context", fitted_context(f), "args", fitted_args(f),
	    "reached_ns", fitted_reached_ns(f), "difference", fitted_difference(f),
	    "band", f->band, "confidence", fitted_trust_name(fitted_trust(f)),
	    "rivals", (json_int_t)states_rivals(&f->states),
	    "noise", real_or_null(states_noise(&f->states)), "flat", states_is_flat(&f->states));

	if (doc != NULL)
		put_ends(f, doc);
	return doc;
}
