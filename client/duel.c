/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/duel.h"
#include "client/follow.h"
#include "client/format.h"
#include "client/result.h"
#include "client/table.h"

/* ---- running one ---- */

static enum status
keep_result(void *arg, const json_t *result, struct fault *why)
{
	(void)why;
	return json_array_append(arg, (json_t *)(uintptr_t)result) == 0 ? ST_OK : ST_NOMEM;
}

static json_t *
result_of(const json_t *results, json_int_t id)
{
	json_t	*result;
	size_t	 i;

	json_array_foreach((json_t *)(uintptr_t)results, i, result)
		if (json_integer_value(json_object_get(result, "job")) == id)
			return result;
	return NULL;
}

static void
put_in_order(struct duel *c, const json_t *landed)
{
	json_t	*id;
	size_t	 i;

	json_array_foreach(c->ids, i, id)
		(void)json_array_append(c->results, result_of(landed, json_integer_value(id)));
}

enum status
duel_run(struct duel *c, json_t *params, struct fault *why)
{
	json_t		*reply, *landed = json_array();
	enum status	 st;

	duel_release(c);
	(void)json_object_set_new(params, "follow", json_true());
	if ((st = talk_call(c->talk, "compare.run", params, &reply, why)) != ST_OK) {
		json_decref(landed);
		return st;
	}
	c->ids = json_incref(json_object_get(reply, "ids"));
	c->results = json_array();
	json_decref(reply);
	st = follow_results(c->talk, c->ids, &c->progress, keep_result, landed, why);
	if (st == ST_OK)
		put_in_order(c, landed);
	json_decref(landed);
	return st;
}

void
duel_release(struct duel *c)
{
	json_decref(c->ids);
	json_decref(c->results);
	c->ids = c->results = NULL;
}

const char *
duel_verdict(const json_t *result)
{
	return result_text(json_object_get(result, "comparison"), "verdict");
}

static double
ratio_of(const json_t *result)
{
	return result_number(json_object_get(result, "comparison"), "ratio");
}

/* ---- confirming the best ---- */

struct rivals {
	json_t	*list;		/* owned; results of the jobs that are left, the champion first */
	json_t	*all;		/* owned; results of all comparisons so far */
	unsigned rounds;
};

/* The place among the rivals of the fastest that beat the champion; 0: none did. */
static size_t
fastest_of(const json_t *results)
{
	double	 least = INFINITY;
	size_t	 at = 0, i;
	json_t	*result;

	json_array_foreach((json_t *)(uintptr_t)results, i, result) {
		if (strcmp(duel_verdict(result), "faster") == 0 && ratio_of(result) < least) {
			least = ratio_of(result);
			at = i + 1;
		}
	}
	return at;
}

static enum status
run_round(struct duel *c, struct rivals *r, struct fault *why)
{
	json_t		*ids = json_array(), *one;
	size_t		 i;
	enum status	 st;

	json_array_foreach(r->list, i, one)
		(void)json_array_append(ids, json_object_get(one, "job"));
	if ((st = duel_run(c, json_pack("{s:o}", "ids", ids), why)) != ST_OK)
		return st;
	r->rounds++;
	(void)json_array_extend(r->all, c->results);
	return ST_OK;
}

/* The winner goes to the front; whom it beat is out. */
static void
dethrone(struct rivals *r, size_t at)
{
	json_t	*champion = json_incref(json_array_get(r->list, at));

	(void)json_array_remove(r->list, at);
	(void)json_array_set_new(r->list, 0, champion);
}

static json_t *
ties_of(const struct duel *c, const struct rivals *r)
{
	json_t	*ties = json_array(), *result;
	size_t	 i;

	json_array_foreach(c->results, i, result) {
		const json_t	*rival = json_array_get(r->list, i + 1);

		if (strcmp(duel_verdict(result), "indistinguishable") == 0)
			(void)json_array_append_new(ties, json_pack("{s:O, s:O, s:f}", "job",
			    json_object_get(rival, "job"), "name", json_object_get(rival, "name"), "ratio",
			    ratio_of(result)));
	}
	return ties;
}

/* A comparison that failed, and so says nothing of its rival, is told as what it is. */
static size_t
failures_in(const json_t *results)
{
	json_t	*result;
	size_t	 i, n = 0;

	json_array_foreach((json_t *)(uintptr_t)results, i, result)
		n += duel_verdict(result)[0] == '\0';
	return n;
}

enum status
duel_confirm(struct duel *c, const json_t *results, json_t **found, struct fault *why)
{
	struct rivals	 r = { .list = json_copy((json_t *)(uintptr_t)results), .all = json_array() };
	const json_t	*best;
	json_t		*ties;
	size_t		 at = 1;
	enum status	 st = ST_OK;

	*found = NULL;
	duel_release(c);
	while (st == ST_OK && at != 0 && json_array_size(r.list) > 1) {
		if ((st = run_round(c, &r, why)) == ST_OK && (at = fastest_of(c->results)) != 0)
			dethrone(&r, at);
	}
	if (st == ST_OK) {
		best = json_array_get(r.list, 0);
		ties = at == 0 ? ties_of(c, &r) : json_array();
		*found = json_pack("{s:O, s:O, s:b, s:I, s:i, s:O}", "job", json_object_get(best, "job"), "name",
		    json_object_get(best, "name"), "distinguishable", json_array_size(ties) == 0 &&
		    failures_in(r.all) == 0, "failed", (json_int_t)failures_in(r.all), "rounds", (int)r.rounds,
		    "comparisons", r.all);
		(void)json_object_set_new(*found, "ties", ties);
	}
	json_decref(r.list);
	json_decref(r.all);
	return st;
}

/* ---- for people ---- */

static enum status
add_row(struct table *t, const json_t *side, const char *ratio, const char *interval, const json_t *result,
    struct fault *why)
{
	const json_t	*c = json_object_get(result, "comparison");
	char		 median[FORMAT_BYTES], pairs[FORMAT_BYTES] = "";
	const char	*cells[7];

	if (c != NULL)
		(void)snprintf(pairs, sizeof pairs, "%.0f", result_number(c, "pairs"));
	cells[0] = result_text(side, "name");
	cells[1] = format_duration_ns(result_number(side, "median_ns"), median);
	cells[2] = ratio;
	cells[3] = interval;
	cells[4] = duel_verdict(result);
	cells[5] = pairs;
	cells[6] = strcmp(result_text(c, "tie_broken_by"), "size") != 0 ? "" :
	    strcmp(result_text(c, "winner"), "b") == 0 ? "has less code" : "has more code";
	return table_add(t, cells, why);
}

static enum status
add_failed(struct table *t, const json_t *result, struct fault *why)
{
	char		*note = result_telling_line(result_text(result, "detail"));
	const char	*cells[7] = { result_text(result, "name"), "", "", "", result_text(result, "status"), "", note };
	enum status	 st = table_add(t, cells, why);

	free(note);
	return st;
}

static enum status
add_compared(struct table *t, const json_t *result, struct fault *why)
{
	const json_t	*c = json_object_get(result, "comparison"), *interval = json_object_get(c, "interval");
	char		 ratio[FORMAT_BYTES], both[2 * FORMAT_BYTES] = "";

	if (!json_is_object(c))
		return add_failed(t, result, why);
	(void)snprintf(ratio, sizeof ratio, "%.4f", result_number(c, "ratio"));
	if (json_is_array(interval))
		(void)snprintf(both, sizeof both, "%.4f to %.4f", json_number_value(json_array_get(interval, 0)),
		    json_number_value(json_array_get(interval, 1)));
	return add_row(t, json_object_get(c, "b"), ratio, both, result, why);
}

enum status
duel_print(FILE *to, const json_t *results, size_t columns, struct fault *why)
{
	static const struct table_column	head[] = {
		{ "variant", false }, { "median", true }, { "ratio", true }, { "interval", true }, { "verdict", false },
		{ "pairs", true }, { "note", false }, { NULL, false },
	};
	const json_t	*first = NULL;
	json_t		*result;
	struct table	*t;
	size_t		 i;
	enum status	 st = table_new(&t, head, why);

	json_array_foreach((json_t *)(uintptr_t)results, i, result)
		if (first == NULL)
			first = json_object_get(json_object_get(result, "comparison"), "a");
	if (st == ST_OK && first != NULL)
		st = add_row(t, first, "1", "", NULL, why);
	json_array_foreach((json_t *)(uintptr_t)results, i, result)
		if (st == ST_OK)
			st = add_compared(t, result, why);
	if (st == ST_OK)
		table_print(t, to, columns);
	table_free(t);
	return st;
}
