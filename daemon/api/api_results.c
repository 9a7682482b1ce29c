/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "daemon/api/api_impl.h"
#include "daemon/judge/overlap.h"

/* {"results":[…],"next":"…"}, with the rows as the store holds them. */
static enum status
answer_page(struct call *c, struct query *q, struct fault *why)
{
	struct page	 page = { .out = evbuffer_new(), .between = ",", .max_rows = q->limit };
	char		 cursor[QUERY_CURSOR_BYTES];
	enum status	 st;

	if (page.out == NULL || evbuffer_add_printf(page.out, "{\"results\":[") < 0)
		st = fault_set(why, ST_NOMEM, "results");
	else
		st = query_page(q, c->api->env.store, &page, why);
	if (st != ST_OK) {
		if (page.out != NULL)
			evbuffer_free(page.out);
		return st;
	}
	query_put_cursor(cursor, &q->filter);
	(void)evbuffer_add_printf(page.out, page.more ? "],\"next\":\"%s\"}" :
	    "],\"next\":null}", cursor);
	return call_answer_text(c, page.out);
}

enum status
api_results_query(struct call *c, const json_t *params, struct fault *why)
{
	struct query	q;
	enum status	st;

	if ((st = query_parse(&q, params, why)) != ST_OK)
		return st;
	if ((st = query_resolve(&q, c->api->env.store, why)) == ST_OK)
		st = answer_page(c, &q, why);
	query_release(&q);
	return st;
}

/* The two fastest, or fewer; owned. */
struct top {
	json_t	*result[2];
	size_t	 n;
};

static enum status
keep_top(void *arg, const struct result_row *row)
{
	struct top	*top = arg;

	if (top->n == 2)
		return ST_OK;
	top->result[top->n] = json_loadb(row->json, row->json_bytes, 0, NULL);
	return top->result[top->n++] != NULL ? ST_OK : ST_NOMEM;
}

/* What results.best has of a sweep. */
struct best {
	struct store	*store;		/* borrowed */
	struct evbuffer	*out;		/* borrowed */
	struct sweep_row sweep;
	size_t		 top, rows;	/* for each cell; written */
	json_t		*cells;		/* owned; NULL: the sweep has one */
};

/*
 * The distance of the fastest from the second, each timed by itself, in a cell (0: the only one).
 * New reference; JSON null: there is no second.
 */
static json_t *
difference(const struct best *b, int64_t cell)
{
	struct result_filter	filter = { .sweep_id = b->sweep.id, .spec_id = cell,
				    .status = ST_OK, .submitter = -1, .order = ORDER_FASTEST,
				    .limit = 2 };
	struct top		top = { .n = 0 };
	struct fault		why;
	json_t			*o = NULL;

	if (store_results(b->store, &filter, keep_top, &top, &why) == ST_OK && top.n == 2)
		o = overlap_json(top.result[0], top.result[1]);
	json_decref(top.result[0]);
	json_decref(top.result[1]);
	return o != NULL ? o : json_null();
}

/* The fastest of a cell (0: the only one) behind those that are written. */
static enum status
put_fastest(struct best *b, int64_t cell, struct fault *why)
{
	struct query	 q = { .filter = { .status = ST_OK, .submitter = -1,
			    .order = ORDER_FASTEST, .sweep_id = b->sweep.id, .spec_id = cell } };
	struct page	 page = { .between = ",", .max_rows = b->top };
	enum status	 st;

	if ((page.out = evbuffer_new()) == NULL)
		return fault_set(why, ST_NOMEM, "results");
	if ((st = query_page(&q, b->store, &page, why)) == ST_OK && page.rows > 0) {
		if (b->rows > 0)
			(void)evbuffer_add(b->out, ",", 1);
		(void)evbuffer_add_buffer(b->out, page.out);
		b->rows += page.rows;
	}
	evbuffer_free(page.out);
	if (st == ST_OK && b->cells != NULL)
		(void)json_array_append_new(b->cells, json_pack("{s:I, s:o}", "results",
		    (json_int_t)page.rows, "difference", difference(b, cell)));
	return st;
}

static enum status
put_cells(struct best *b, struct fault *why)
{
	const int64_t	first = store_sweep_cell(b->store, b->sweep.id, 0);
	enum status	st = ST_OK;

	if (first == 0 || store_sweep_cell(b->store, b->sweep.id, first) == 0)
		return put_fastest(b, 0, why);
	if ((b->cells = json_array()) == NULL)
		return fault_set(why, ST_NOMEM, "results");
	for (int64_t cell = first; cell != 0 && st == ST_OK &&
	    evbuffer_get_length(b->out) < QUERY_PAGE_BYTES;
	    cell = store_sweep_cell(b->store, b->sweep.id, cell))
		st = put_fastest(b, cell, why);
	return st;
}

static enum status
put_rest(struct best *b, struct fault *why)
{
	const struct sweep_row	*row = &b->sweep;
	json_t			*rest = json_pack("{s:I, s:I, s:o, s:o, s:o, s:O*}", "jobs",
				    (json_int_t)row->jobs, "left",
				    (json_int_t)(row->jobs - row->finished), "statuses",
				    api_statuses(row), "estimators",
				    store_sweep_estimators(b->store, row->id), "difference",
				    b->cells == NULL ? difference(b, 0) : json_null(), "cells",
				    b->cells);
	char			*text = json_dumps(rest, JSON_COMPACT | JSON_EMBED);
	int			 n = -1;

	if (text != NULL)
		n = evbuffer_add_printf(b->out, "],%s}", text);
	free(text);
	json_decref(rest);
	return n >= 0 ? ST_OK : fault_set(why, ST_NOMEM, "results");
}

enum status
api_results_best(struct call *c, const json_t *params, struct fault *why)
{
	struct best	b = { .store = c->api->env.store,
			    .top = (size_t)params_int(params, "top", 1) };
	enum status	st;

	if ((st = api_find_sweep(c->api, json_object_get(params, "sweep"), &b.sweep, why)) != ST_OK)
		return st;
	if ((b.out = evbuffer_new()) == NULL ||
	    evbuffer_add_printf(b.out, "{\"results\":[") < 0)
		st = fault_set(why, ST_NOMEM, "results");
	else if ((st = put_cells(&b, why)) == ST_OK)
		st = put_rest(&b, why);
	json_decref(b.cells);
	if (st == ST_OK)
		return call_answer_text(c, b.out);
	if (b.out != NULL)
		evbuffer_free(b.out);
	return st;
}
