/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "client/cmd/tune/tune_search.h"

enum { PHASE_POINTS = 5 };

/* The sweep in one context, and with only the winner's values in dimensions of the other phase. */
static json_t *
phase_sweep(const struct tuning *t, bool memory, const json_t *winner)
{
	json_t		*sweep = json_deep_copy(t->sweep), *space, *value;
	const json_t	*of_memory = json_object_get(t->tune, "memory"), *name;
	const char	*dimension;
	size_t		 i;

	space = json_object_get(sweep, "space");
	(void)json_object_set_new(json_object_get(sweep, "spec"), "context",
	    json_string(memory ? "cold" : "warm"));
	if (json_array_size(of_memory) == 0)
		return sweep;
	json_object_foreach(json_object_get(t->sweep, "space"), dimension, value) {
		bool	mine = !memory;

		json_array_foreach(of_memory, i, name)
			if (strcmp(json_string_value(name), dimension) == 0)
				mine = memory;
		if (!mine)
			(void)json_object_set_new(space, dimension, json_pack("[O]",
			    winner != NULL && json_object_get(winner, dimension) != NULL ?
			    json_object_get(winner, dimension) : json_array_get(value, 0)));
	}
	return sweep;
}

static enum status
check_memory(const struct tuning *t, struct fault *why)
{
	const json_t	*of_memory = json_object_get(t->tune, "memory"), *name;
	const json_t	*space = json_object_get(t->sweep, "space");
	size_t		 i;

	if (json_object_get(space, "context") != NULL)
		return fault_at(why, ST_BAD_SPEC, "space.context", "does not go with --two-phase, "
		    "which is warm first and cold then");
	if (of_memory != NULL && !json_is_array(of_memory))
		return fault_at(why, ST_BAD_SPEC, "tune.memory", "must be a list of dimensions");
	json_array_foreach(of_memory, i, name)
		if (!json_is_string(name) ||
		    json_object_get(space, json_string_value(name)) == NULL)
			return fault_at(why, ST_BAD_SPEC, "tune.memory",
			    "element %zu is no dimension of the space", i);
	return ST_OK;
}

/* The best points of the first phase begin the second. */
static enum status
hand_over(struct tuning *t, struct fault *why)
{
	const struct tuner	*from = &t->search[0].tuner;
	struct tune_search	*to = &t->search[1];
	struct point		 p = { .at = { 0 } };
	enum status		 st = ST_OK;

	for (size_t k = 0; st == ST_OK && k < PHASE_POINTS; k++) {
		size_t	at = ledger_rank(&from->ledger, from->field, from->field->ncells, k);
		json_t	*values;

		if (at == from->ledger.n)
			break;
		values = field_values(from->field, &from->ledger.at[at].point);
		if (field_find(to->field, values, &p))
			st = tuner_begin_with(&to->tuner, &p, why);
		json_decref(values);
	}
	return st;
}

enum status
tune_phases_run(struct tuning *t, struct fault *why)
{
	const unsigned	phases = t->how.two_phase ? TUNE_PHASES : 1;
	enum status	st = t->how.two_phase ? check_memory(t, why) : ST_OK;

	for (t->phases = 0; st == ST_OK && t->phases < phases; t->phases++) {
		struct tune_search	*s = &t->search[t->phases], *last = s - (t->phases > 0);
		json_t			*winner = NULL;

		if (t->phases > 0 && last->finish.overall < last->tuner.ledger.n)
			winner = field_values(last->field,
			    &last->tuner.ledger.at[last->finish.overall].point);
		st = field_open(&s->field, t->how.two_phase ?
		    phase_sweep(t, t->phases > 0, winner) : json_incref(t->sweep), why);
		json_decref(winner);
		if (st == ST_OK && (st = tune_search_open(t, s, why)) == ST_OK && t->phases > 0)
			st = hand_over(t, why);
		if (st == ST_OK)
			st = tune_search_run(t, s, why);
		if (st == ST_CANCELLED)
			t->phases++;
		if (st == ST_CANCELLED)
			break;
	}
	return st;
}
