/* SPDX-License-Identifier: Apache-2.0 */
/* sweep.list: a page of sweeps, newest first. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/api/api_impl.h"

enum { DEFAULT_LIMIT = 100 };

#define FILTERS									\
	{ "search", PARAM_TEXT, false, 1, PARAMS_NAME_BYTES },			\
	{ "state", PARAM_TEXT, false, 1, 16 },					\
	{ "user", PARAM_USER, false, 0, 0 },					\
	{ "cursor", PARAM_TEXT, false, 1, QUERY_CURSOR_BYTES - 1 }

const struct api_param sweep_list_params[] = {
	FILTERS,
	{ "limit", PARAM_INT, false, 1, API_MAX_LIST },
	{ NULL, PARAM_BOOL, false, 0, 0 },
};

const struct api_param sweep_stream_params[] = {
	FILTERS,
	{ "limit", PARAM_INT, false, 1, INT64_C(1) << 40 },
	{ NULL, PARAM_BOOL, false, 0, 0 },
};

static const char *const	states[SWEEP_NSTATES + 1] = {
	[SWEEP_IS_ARRIVING] = "arriving", [SWEEP_IS_ACTIVE] = "active", [SWEEP_IS_DONE] = "done",
	[SWEEP_IS_CANCELLED] = "cancelled", NULL
};

/* A call of sweep.list. */
struct sweep_page {
	json_t			*params;	/* owned reference; lends the filter its texts */
	struct sweep_filter	 filter;
	struct users		*users;		/* borrowed */
	size_t			 limit;
	json_t			*sweeps;	/* owned; NULL: handed on */
	int64_t			 last;		/* the oldest of them */
	bool			 more;		/* another page follows */
};

/* ---- parameters ---- */

static enum status
parse_state(const char *word, int *state, struct fault *why)
{
	const char	*nearest;

	*state = -1;
	if (word == NULL)
		return ST_OK;
	for (int i = 0; i < SWEEP_NSTATES; i++) {
		if (strcmp(states[i], word) == 0) {
			*state = i;
			return ST_OK;
		}
	}
	(void)fault_at(why, ST_BAD_REQUEST, "state",
	    "\"%s\" is none of arriving, active, done, cancelled", word);
	if ((nearest = nearest_name(word, states)) != NULL)
		fault_hint(why, "did you mean \"%s\"?", nearest);
	return ST_BAD_REQUEST;
}

static void
put_cursor(char buf[QUERY_CURSOR_BYTES], int64_t sweep_id)
{
	(void)snprintf(buf, QUERY_CURSOR_BYTES, "s.%" PRId64, sweep_id);
}

/* Accepts only the text of put_cursor. */
static enum status
parse_cursor(const char *text, int64_t *before, struct fault *why)
{
	char	again[QUERY_CURSOR_BYTES] = "";

	*before = 0;
	if (text == NULL)
		return ST_OK;
	if (sscanf(text, "s.%18" SCNd64, before) == 1 && *before > 0)
		put_cursor(again, *before);
	if (strcmp(again, text) == 0)
		return ST_OK;
	(void)fault_at(why, ST_BAD_REQUEST, "cursor", "not a cursor of this list");
	fault_hint(why, "give \"next\" of the previous page, with the same filters");
	return ST_BAD_REQUEST;
}

static enum status
parse(const struct call *c, struct sweep_page *p, struct fault *why)
{
	const json_t	*v = p->params;
	enum status	 st;

	p->filter.search = json_string_value(json_object_get(v, "search"));
	p->filter.submitter = -1;
	if (json_object_get(v, "user") != NULL &&
	    (st = api_user(c, json_object_get(v, "user"), &p->filter.submitter, why)) != ST_OK)
		return st;
	p->limit = (size_t)params_int(v, "limit", DEFAULT_LIMIT);
	if ((st = parse_state(json_string_value(json_object_get(v, "state")), &p->filter.state,
	    why)) != ST_OK)
		return st;
	return parse_cursor(json_string_value(json_object_get(v, "cursor")), &p->filter.before,
	    why);
}

/* ---- the page ---- */

static enum status
add_sweep(void *arg, const struct sweep_row *row, enum sweep_state state)
{
	struct sweep_page	*p = arg;
	json_t			*sweep;

	if (json_array_size(p->sweeps) == p->limit) {
		p->more = true;
		return ST_FULL;
	}
	p->last = row->id;
	sweep = json_pack("{s:I,s:s,s:I,s:f,s:s,s:I,s:I,s:o}",
	    "id", (json_int_t)row->id, "name", row->name, "submitter", (json_int_t)row->submitter,
	    "submitted", row->submitted, "state", states[state], "jobs", (json_int_t)row->jobs,
	    "left", (json_int_t)(row->jobs - row->finished), "statuses", store_statuses(row));
	view_set_name(p->users, sweep, row->submitter);
	return json_array_append_new(p->sweeps, sweep) == 0 ? ST_OK : ST_NOMEM;
}

static enum status
read_sweeps(struct store *store, void *arg, struct fault *why)
{
	struct sweep_page	*p = arg;
	enum status		 st = store_sweeps(store, &p->filter, add_sweep, p, why);

	if (st == ST_NOMEM)
		return fault_set(why, ST_NOMEM, "sweeps");
	return st == ST_FULL ? ST_OK : st;
}

/* How far those are that arrive is known to the event loop alone. */
static void
put_arriving(const struct api *api, json_t *sweeps)
{
	json_t	*sweep, *progress;
	size_t	 i;

	json_array_foreach(sweeps, i, sweep) {
		if (strcmp(json_string_value(json_object_get(sweep, "state")),
		    states[SWEEP_IS_ARRIVING]) != 0)
			continue;
		progress = api_arriving_json(api,
		    json_integer_value(json_object_get(sweep, "id")));
		(void)json_object_set_new(sweep, "arriving", progress);
	}
}

static enum status
answer_sweeps(struct call *c, void *arg, struct fault *why)
{
	struct sweep_page	*p = arg;
	json_t			*sweeps = p->sweeps;

	(void)why;
	p->sweeps = NULL;
	put_arriving(c->api, sweeps);
	if (p->more)
		put_cursor(c->next, p->last);
	return call_answer(c, json_pack("{s:o, s:s?}", "sweeps", sweeps, "next",
	    p->more ? c->next : NULL));
}

static void
free_sweeps(void *arg)
{
	struct sweep_page	*p = arg;

	json_decref(p->params);
	json_decref(p->sweeps);
	free(p);
}

enum status
api_sweep_list(struct call *c, const json_t *params, struct fault *why)
{
	static const struct lookup	 lookup = { read_sweeps, answer_sweeps, free_sweeps,
					    false };
	struct sweep_page		*p = calloc(1, sizeof *p);
	enum status			 st;

	if (p == NULL || (p->sweeps = json_array()) == NULL) {
		free(p);
		return fault_set(why, ST_NOMEM, "sweeps");
	}
	p->users = c->api->env.users;
	p->params = json_incref((json_t *)(uintptr_t)params);
	if ((st = parse(c, p, why)) == ST_OK)
		return call_read(c, &lookup, p);
	free_sweeps(p);
	return st;
}
