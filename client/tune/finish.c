/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "client/search/compare.h"
#include "client/tune/finish.h"
#include "client/tune/front.h"

/* ---- timing in turn ---- */

/* The stored results of the k best in a cell, the best first. */
static enum status
fetch(const struct tuner *t, size_t cell, size_t top, json_t *documents, struct fault *why)
{
	enum status	st = ST_OK;

	for (size_t k = 0; st == ST_OK && k < top; k++) {
		size_t	at = ledger_rank(&t->ledger, t->field, cell, k);
		json_t	*job;

		if (at == t->ledger.n)
			break;
		st = connection_call(t->flight.connection, "job.get", json_pack("{s:I}", "id",
		    (json_int_t)t->ledger.at[at].cell[cell].job), &job, why);
		if (st != ST_OK)
			break;
		if (json_is_object(json_object_get(job, "result")))
			(void)json_array_append(documents, json_object_get(job, "result"));
		json_decref(job);
	}
	return st;
}

static size_t
place_of(const struct tuner *t, size_t cell, int64_t job)
{
	size_t	i = 0;

	while (i < t->ledger.n && t->ledger.at[i].cell[cell].job != job)
		i++;
	return i;
}

/* Of the best and those that cannot be told from it: the one with the least code. */
static const struct result *
smallest(const struct confirm *c)
{
	const struct result	*best = c->left[0];

	for (size_t i = 0; i < c->nties; i++)
		if (c->tie[i].job->code_bytes < best->code_bytes)
			best = c->tie[i].job;
	return best;
}

static enum status
confirm_cell(struct finish *f, const struct tuner *t, size_t cell, const struct results *rivals,
    double error, struct progress *p, struct fault *why)
{
	struct compare	 compare = { .connection = t->flight.connection, .progress = *p };
	struct confirm	 confirm;
	size_t		 at;
	enum status	 st;

	if ((st = confirm_init(&confirm, rivals, error, why)) != ST_OK)
		return st;
	if ((st = compare_confirm(&compare, &confirm, why)) == ST_OK) {
		const struct result	*best = smallest(&confirm);

		f->confirmed[cell] = confirm_outcome(&confirm);
		(void)json_object_set_new(f->confirmed[cell], "tie_broken_by",
		    best != confirm.left[0] ? json_string("code_bytes") : json_null());
		if ((at = place_of(t, cell, best->job)) < t->ledger.n)
			f->winner[cell] = at;
	}
	compare_release(&compare);
	confirm_release(&confirm);
	return st;
}

static enum status
confirm_top(struct finish *f, const struct tuner *t, size_t cell, size_t top, double error,
    struct progress *p, struct fault *why)
{
	json_t		*documents = json_array();
	struct results	 rivals = { NULL, NULL, 0 };
	enum status	 st = fetch(t, cell, top, documents, why);

	if (st == ST_OK && json_array_size(documents) > 1 &&
	    (st = results_read(&rivals, documents, why)) == ST_OK)
		st = confirm_cell(f, t, cell, &rivals, error, p, why);
	results_release(&rivals);
	json_decref(documents);
	return st;
}

enum status
finish_search(struct finish *f, const struct tuner *t, size_t top, double error,
    struct progress *p, struct fault *why)
{
	const size_t	n = t->field->ncells;
	const bool	turns = top > 1 && t->objective.of != OF_CODE &&
			    (n == 1 || t->objective.over == OVER_EACH);
	enum status	st = ST_OK;

	*f = (struct finish){ .overall = ledger_rank(&t->ledger, t->field, n, 0) };
	for (size_t c = 0; c < n; c++)
		f->winner[c] = ledger_rank(&t->ledger, t->field, c, 0);
	for (size_t c = 0; turns && st == ST_OK && c < n; c++)
		st = confirm_top(f, t, c, top, error, p, why);
	if (n == 1 && turns)
		f->overall = f->winner[0];
	return st;
}

void
finish_release(struct finish *f)
{
	for (size_t c = 0; c < FIELD_MAX_CELLS; c++)
		json_decref(f->confirmed[c]);
	*f = (struct finish){ .overall = 0 };
}

/* ---- the document ---- */

struct tally
finish_tally(const struct tuner *t)
{
	struct tally	n = { 0, 0, 0 };

	for (size_t i = 0; i < t->ledger.n; i++) {
		const struct record	*r = &t->ledger.at[i];

		n.timed += record_is_timed(r, t->field);
		n.stopped += record_is_bound(r, t->field);
		n.failed += !record_is_timed(r, t->field) && !record_is_bound(r, t->field);
	}
	return n;
}

static json_t *
named_record(const struct tuner *t, size_t at)
{
	char	words[512];
	json_t	*o;

	if (at >= t->ledger.n)
		return json_null();
	o = record_json(&t->ledger.at[at], t->field);
	(void)json_object_set_new(o, "name", json_string(field_words(t->field,
	    &t->ledger.at[at].point, words, sizeof words)));
	return o;
}

/* Fast and large to slow and small; NULL: is not asked for. */
static json_t *
front_of(const struct tuner *t)
{
	size_t	at[FRONT_MAX], n = front_find(&t->ledger, t->field, at);
	json_t	*front = t->objective.of == OF_PARETO ? json_array() : NULL;

	for (size_t i = 0; front != NULL && i < n; i++) {
		json_t	*one = named_record(t, at[i]);

		(void)json_object_set_new(one, "code_bytes", json_integer((json_int_t)
		    record_code_bytes(&t->ledger.at[at[i]], t->field)));
		(void)json_array_append_new(front, one);
	}
	return front;
}

/* What was searched: { NAME: values }; of whole variants their names. */
static json_t *
dimensions_of(const struct field *f)
{
	json_t	*all = json_object();

	for (size_t d = 0; d < f->grid.ndims; d++) {
		json_t	*values = json_array();

		for (uint32_t i = 0; i < f->grid.values[d]; i++) {
			const json_t	*v = field_value(f, d, i);
			const json_t	*name = json_object_get(v, "name");

			(void)json_array_append_new(values, name != NULL ? json_pack("{s:O}",
			    "name", name) : json_incref((json_t *)(uintptr_t)v));
		}
		(void)json_object_set_new(all, field_name(f, d), values);
	}
	return all;
}

static json_t *
cells_of(const struct field *f)
{
	json_t	*cells = json_array();

	for (size_t c = 0; c < f->ncells; c++)
		(void)json_array_append_new(cells, field_cell_values(f, c));
	return cells;
}

static json_t *
winners_of(const struct finish *f, const struct tuner *t)
{
	json_t	*winners = json_array();

	for (size_t c = 0; c < t->field->ncells; c++) {
		const bool	 has = f->winner[c] < t->ledger.n;
		const double	 ns = has ? t->ledger.at[f->winner[c]].cell[c].ns : NAN;

		(void)json_array_append_new(winners, json_pack("{s:o, s:o, s:o, s:O?}", "cell",
		    field_cell_values(t->field, c), "winner", named_record(t, f->winner[c]),
		    "time_ns", has ? json_real(ns) : json_null(), "confirmed",
		    f->confirmed[c]));
	}
	return winners;
}

json_t *
finish_document(const struct finish *f, const struct tuner *t, const json_t *head)
{
	const struct tally	 n = finish_tally(t);
	json_t			*o = json_copy((json_t *)(uintptr_t)head);
	json_t			*records = json_array(), *numbers;

	for (size_t i = 0; i < t->ledger.n; i++)
		(void)json_array_append_new(records, record_json(&t->ledger.at[i], t->field));
	numbers = json_pack("{s:s, s:f, s:s, s:o, s:o*, s:s, s:I, s:I, s:I, s:I, s:o, s:o, s:o,"
	    " s:o}",
	    "end", budget_end_name(t->end), "seconds", t->took_s,
	    "objective", objective_of_words[t->objective.of],
	    "dimensions", dimensions_of(t->field), "front", front_of(t), "over",
	    objective_over_words[t->objective.over],
	    "evaluations", (json_int_t)t->ledger.n, "timed", (json_int_t)n.timed, "stopped",
	    (json_int_t)n.stopped, "failed", (json_int_t)n.failed, "cells", cells_of(t->field),
	    "winner", named_record(t, f->overall), "winners", winners_of(f, t), "records",
	    records);
	(void)json_object_update(o, numbers);
	json_decref(numbers);
	return o;
}
