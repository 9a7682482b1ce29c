/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "client/cmd/job/ids.h"
#include "client/cmd/sweep/sweep_list.h"
#include "client/connect/connection.h"
#include "client/print/format.h"
#include "client/print/member.h"
#include "client/print/output.h"
#include "client/print/table.h"

enum { PAGE = 1000, NCELLS = 8, COUNTS_BYTES = 256 };

static const struct table_column columns[NCELLS + 1] = {
	{ "id", true }, { "sweep", false }, { "state", false }, { "jobs", true },
	{ "left", true }, { "user", true }, { "submitted", false }, { "over", false },
	{ NULL, false },
};

static enum status
params_of(const struct sweep_list *list, json_t **out, struct fault *why)
{
	if ((*out = json_object()) == NULL)
		return fault_set(why, ST_NOMEM, "sweeps");
	if (list->search != NULL)
		(void)json_object_set_new(*out, "search", json_string(list->search));
	if (list->state != NULL)
		(void)json_object_set_new(*out, "state", json_string(list->state));
	if (list->user != NULL)
		(void)json_object_set_new(*out, "user", ids_user(list->user));
	return ST_OK;
}

/* Up to `limit` sweeps, a page at a time; *next: where the next page begins, or null; both new. */
static enum status
fetch(struct connection *c, const json_t *params, int64_t limit, json_t *sweeps, json_t **next,
    struct fault *why)
{
	json_t		*page, *ask, *reply;
	int64_t		 left;
	enum status	 st;

	*next = json_null();
	while ((left = limit - (int64_t)json_array_size(sweeps)) > 0) {
		ask = json_copy((json_t *)(uintptr_t)params);
		(void)json_object_set_new(ask, "limit", json_integer(left < PAGE ? left : PAGE));
		if (json_is_string(*next))
			(void)json_object_set(ask, "cursor", *next);
		if ((st = connection_call(c, "sweep.list", ask, &reply, why)) != ST_OK)
			return st;
		page = json_object_get(reply, "sweeps");
		(void)json_array_extend(sweeps, page);
		json_decref(*next);
		*next = json_incref(json_object_get(reply, "next"));
		json_decref(reply);
		if (!json_is_string(*next))
			break;
	}
	return ST_OK;
}

static enum status
add_sweep(struct table *t, const json_t *sweep, struct fault *why)
{
	static const char *const	 none[] = { NULL };
	char				 n[4][FORMAT_BYTES], when[FORMAT_BYTES];
	char				 counts[COUNTS_BYTES];
	const char			*cells[NCELLS] = {
		member_count(sweep, "id", n[0]), member_text(sweep, "name"),
		member_text(sweep, "state"), member_count(sweep, "jobs", n[1]),
		member_count(sweep, "left", n[2]), member_user(sweep,
		"submitter", n[3]), format_time(member_number(sweep, "submitted"), when),
		member_counts(json_object_get(sweep, "statuses"), none, counts, sizeof counts),
	};

	return table_add(t, cells, why);
}

static enum status
print_table(const struct cli *cli, const json_t *sweeps, bool more, struct fault *why)
{
	const json_t	*sweep;
	struct table	*t;
	size_t		 i;
	enum status	 st = table_new(&t, columns, why);

	if (st != ST_OK)
		return st;
	json_array_foreach(sweeps, i, sweep)
		if (st == ST_OK)
			st = add_sweep(t, sweep, why);
	if (st == ST_OK && table_rows(t) > 0)
		table_print(t, stdout, output_columns());
	table_free(t);
	if (st == ST_OK && !cli->quiet && json_array_size(sweeps) == 0)
		(void)fprintf(stderr, "assay: there are no such sweeps\n");
	else if (st == ST_OK && !cli->quiet && more)
		(void)fprintf(stderr, "assay: and more: --limit N shows up to %d\n",
		    SWEEP_LIST_MAX);
	return st;
}

static enum status
print(const struct cli *cli, json_t *sweeps, json_t *next, struct fault *why)
{
	json_t		*doc, *sweep;
	size_t		 i;
	enum status	 st = ST_OK;

	if (cli->ndjson) {
		json_array_foreach(sweeps, i, sweep)
			if (st == ST_OK)
				st = output_line(sweep, why);
		return st;
	}
	if (!cli->json)
		return print_table(cli, sweeps, json_is_string(next), why);
	doc = json_pack("{s:O, s:O}", "sweeps", sweeps, "next", next);
	st = output_document(doc, why);
	json_decref(doc);
	return st;
}

enum status
sweep_list(struct cli *cli, const struct sweep_list *list, struct fault *why)
{
	struct connection	*c = NULL;
	json_t			*params = NULL, *sweeps = json_array(), *next = NULL;
	enum status		 st;

	if ((st = params_of(list, &params, why)) == ST_OK &&
	    (st = connection_open_reading(&c, cli, why)) == ST_OK &&
	    (st = fetch(c, params, list->limit, sweeps, &next, why)) == ST_OK)
		st = print(cli, sweeps, next, why);
	connection_free(c);
	json_decref(next);
	json_decref(sweeps);
	json_decref(params);
	return st;
}
