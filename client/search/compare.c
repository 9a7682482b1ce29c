/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "client/connect/receive.h"
#include "client/print/format.h"
#include "client/print/member.h"
#include "client/print/row.h"
#include "client/print/table.h"
#include "client/search/compare.h"
#include "client/search/confirm.h"

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
put_in_order(struct compare *c, const json_t *landed)
{
	json_t	*id;
	size_t	 i;

	json_array_foreach(c->ids, i, id)
		(void)json_array_append(c->results, result_of(landed, json_integer_value(id)));
}

enum status
compare_run(struct compare *c, json_t *params, struct fault *why)
{
	json_t		*reply, *landed = json_array();
	enum status	 st;

	compare_release(c);
	(void)json_object_set_new(params, "follow", json_true());
	if ((st = connection_call(c->connection, "compare.run", params, &reply, why)) != ST_OK) {
		json_decref(landed);
		return st;
	}
	c->ids = json_incref(json_object_get(reply, "ids"));
	c->results = json_array();
	json_decref(reply);
	st = receive_results(c->connection, c->ids, &c->progress, keep_result, landed, why);
	if (st == ST_OK)
		put_in_order(c, landed);
	json_decref(landed);
	return st;
}

void
compare_release(struct compare *c)
{
	json_decref(c->ids);
	json_decref(c->results);
	c->ids = c->results = NULL;
}

enum status
compare_confirm(struct compare *c, const json_t *results, double error, json_t **found, struct fault *why)
{
	struct confirm	 r;
	json_t		*params;
	enum status	 st = ST_OK;

	*found = NULL;
	compare_release(c);
	confirm_init(&r, results, error);
	while (st == ST_OK && (params = confirm_next_round(&r)) != NULL)
		if ((st = compare_run(c, params, why)) == ST_OK)
			confirm_add_round(&r, c->results);
	if (st == ST_OK)
		*found = confirm_outcome(&r);
	confirm_release(&r);
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
		(void)snprintf(pairs, sizeof pairs, "%.0f", member_number(c, "pairs"));
	cells[0] = member_text(side, "name");
	cells[1] = format_duration_ns(member_number(side, "median_ns"), median);
	cells[2] = ratio;
	cells[3] = interval;
	cells[4] = confirm_verdict(result);
	cells[5] = pairs;
	cells[6] = strcmp(member_text(c, "tie_broken_by"), "size") != 0 ? "" :
	    strcmp(member_text(c, "winner"), "b") == 0 ? "has less code" : "has more code";
	return table_add(t, cells, why);
}

static enum status
add_failed(struct table *t, const json_t *result, struct fault *why)
{
	char		*note = row_telling_line(member_text(result, "detail"));
	const char	*cells[7] = { member_text(result, "name"), "", "", "", member_text(result, "status"), "",
	    note };
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
	(void)snprintf(ratio, sizeof ratio, "%.4f", member_number(c, "ratio"));
	if (json_is_array(interval))
		(void)snprintf(both, sizeof both, "%.4f to %.4f", json_number_value(json_array_get(interval, 0)),
		    json_number_value(json_array_get(interval, 1)));
	return add_row(t, json_object_get(c, "b"), ratio, both, result, why);
}

enum status
compare_print(FILE *to, const json_t *results, size_t columns, struct fault *why)
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
