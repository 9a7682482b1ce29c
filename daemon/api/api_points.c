/* SPDX-License-Identifier: Apache-2.0 */
/* sweep.points, kernel.list and kernel.history: what pages draw. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemon/api/api_impl.h"
#include "daemon/view/columns.h"

enum { POINTS_DEFAULT = 10000, HISTORY_DEFAULT = 1000, KERNELS_DEFAULT = 200 };

/* A call of the other two. */
struct drawing {
	json_t	*params;	/* owned reference */
	json_t	*reply;		/* owned; NULL: handed on */
};

static enum status
answer_drawing(struct call *c, void *arg, struct fault *why)
{
	struct drawing	*d = arg;
	json_t		*reply = d->reply;

	(void)why;
	d->reply = NULL;
	return call_answer(c, reply);
}

static void
free_drawing(void *arg)
{
	struct drawing	*d = arg;

	json_decref(d->params);
	json_decref(d->reply);
	free(d);
}

static enum status
read_drawing(struct call *c, const struct lookup *lookup, const json_t *params,
    struct fault *why)
{
	struct drawing	*d = calloc(1, sizeof *d);

	if (d == NULL)
		return fault_set(why, ST_NOMEM, "points");
	d->params = json_incref((json_t *)(uintptr_t)params);
	return call_read(c, lookup, d);
}

/* ---- sweep.points ---- */

struct point_call {
	json_t		*params;	/* owned reference */
	struct evbuffer	*out;		/* owned; NULL: handed on */
	int64_t		 next;		/* `after` of the page behind; 0: there is none */
};

static enum status
put_points(struct point_call *d, struct columns *p, struct store *store,
    const struct sweep_row *row, size_t limit)
{
	const int64_t	 last = columns_count(p) > 0 ? columns_last(p) :
			    params_int(d->params, "after", 0);
	const bool	 is_full = columns_count(p) == limit;
	json_t		*end = json_pack("{s:I, s:o, s:o}", "cursor", (json_int_t)last, "next",
			    is_full ? json_integer(last) : json_null(), "sweep",
			    api_sweep_ref(row->id, row->name));
	char		*text = end != NULL ? json_dumps(end, JSON_COMPACT | JSON_EMBED) : NULL;
	enum status	 st = ST_NOMEM;

	d->next = is_full ? last : 0;
	if (text != NULL && evbuffer_add(d->out, "{", 1) == 0 &&
	    (st = columns_put(p, store, d->out)) == ST_OK &&
	    evbuffer_add_printf(d->out, ",%s}", text) < 0)
		st = ST_NOMEM;
	free(text);
	json_decref(end);
	return st;
}

static enum status
read_points(struct store *store, void *arg, struct fault *why)
{
	struct point_call	*d = arg;
	const json_t		*which = json_object_get(d->params, "sweep");
	const size_t		 limit = (size_t)params_int(d->params, "limit", POINTS_DEFAULT);
	struct columns		*p = columns_new();
	struct sweep_row	 row;
	enum status		 st = ST_NOMEM;

	if (p != NULL && (st = store_sweep(store, json_integer_value(which),
	    json_string_value(which), &row, why)) == ST_OK &&
	    (st = store_sweep_points(store, row.id, params_int(d->params, "after", 0), limit,
	    columns_add, p, why)) == ST_OK)
		st = put_points(d, p, store, &row, limit);
	columns_free(p);
	return st == ST_NOMEM ? fault_set(why, ST_NOMEM, "points") : st;
}

static enum status
answer_points(struct call *c, void *arg, struct fault *why)
{
	struct point_call	*d = arg;
	struct evbuffer		*out = d->out;

	(void)why;
	d->out = NULL;
	if (d->next != 0)
		(void)snprintf(c->next, sizeof c->next, "%" PRId64, d->next);
	return call_answer_text(c, out);
}

static void
free_points(void *arg)
{
	struct point_call	*d = arg;

	json_decref(d->params);
	if (d->out != NULL)
		evbuffer_free(d->out);
	free(d);
}

enum status
api_sweep_points(struct call *c, const json_t *params, struct fault *why)
{
	static const struct lookup	 lookup = { read_points, answer_points, free_points,
					    false };
	struct point_call		*d = calloc(1, sizeof *d);

	if (d == NULL || (d->out = evbuffer_new()) == NULL) {
		free(d);
		return fault_set(why, ST_NOMEM, "points");
	}
	d->params = json_incref((json_t *)(uintptr_t)params);
	return call_read(c, &lookup, d);
}

/* ---- kernels with revisions ---- */

static enum status
list_kernel(void *list, const struct kernel_row *row)
{
	return json_array_append_new(list, json_pack("{s:s, s:s, s:I, s:I, s:f}", "routine",
	    row->routine, "name", row->name, "results", (json_int_t)row->results, "revisions",
	    (json_int_t)row->revisions, "finished", row->finished)) == 0 ? ST_OK : ST_NOMEM;
}

static enum status
read_kernels(struct store *store, void *arg, struct fault *why)
{
	struct drawing	*d = arg;
	json_t		*list = json_array();
	enum status	 st = store_kernels(store, (size_t)params_int(d->params, "limit",
			    KERNELS_DEFAULT), list_kernel, list, why);

	d->reply = json_pack("{s:o}", "kernels", list);
	return st;
}

enum status
api_kernel_list(struct call *c, const json_t *params, struct fault *why)
{
	static const struct lookup	lookup = { read_kernels, answer_drawing, free_drawing,
					    false };

	return read_drawing(c, &lookup, params, why);
}

static json_t *
number_or_null(double x)
{
	return isfinite(x) ? json_real(x) : json_null();
}

struct revisions {
	json_t	*list;		/* borrowed */
	json_t	*cells;		/* borrowed; {params, context} by the spec's id as text */
	struct store *store;	/* borrowed */
};

static enum status
list_revision(void *arg, const struct point_row *row)
{
	struct revisions	*r = arg;
	char			 cell[24];

	(void)snprintf(cell, sizeof cell, "%lld", (long long)row->spec_id);
	if (json_object_get(r->cells, cell) == NULL)
		(void)json_object_set_new(r->cells, cell, columns_cell(r->store, row->spec_id));
	return json_array_append_new(r->list, json_pack(
	    "{s:I, s:s, s:s, s:s?, s:s, s:f, s:o, s:o, s:o, s:I}", "job", (json_int_t)row->job_id,
	    "revision", row->revision, "cell", cell, "host_class", row->host_class, "status",
	    row->status, "finished", row->finished, "value_ns", number_or_null(row->value_ns),
	    "low_ns", number_or_null(row->low_ns), "high_ns", number_or_null(row->high_ns),
	    "sweep", (json_int_t)row->sweep_id)) == 0 ? ST_OK : ST_NOMEM;
}

static enum status
read_history(struct store *store, void *arg, struct fault *why)
{
	struct drawing		*d = arg;
	struct revisions	 r = { json_array(), json_object(), store };
	enum status		 st = store_history(store, json_string_value(json_object_get(
				    d->params, "routine")), json_string_value(json_object_get(
				    d->params, "name")), (size_t)params_int(d->params, "limit",
				    HISTORY_DEFAULT), list_revision, &r, why);

	d->reply = json_pack("{s:O, s:O, s:o, s:o}", "routine",
	    json_object_get(d->params, "routine"), "name", json_object_get(d->params, "name"),
	    "results", r.list, "cells", r.cells);
	return st;
}

enum status
api_kernel_history(struct call *c, const json_t *params, struct fault *why)
{
	static const struct lookup	lookup = { read_history, answer_drawing, free_drawing,
					    false };

	return read_drawing(c, &lookup, params, why);
}
