/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "daemon/api/api_impl.h"
#include "daemon/judge/overlap.h"
#include "daemon/view/steady.h"

/* A call of results.query. */
struct pages {
	struct query	 query;
	struct evbuffer	*out;		/* owned; NULL: handed on */
	json_t		*damaged;	/* owned; jobs of results left out; NULL: none */
	char		 next[QUERY_CURSOR_BYTES];	/* "": no page follows */
};

/* The last member, and the end of the object. */
static enum status
put_damaged(struct evbuffer *out, const json_t *ids, struct fault *why)
{
	char	*text = ids != NULL ? json_dumps(ids, JSON_COMPACT) : NULL;
	int	 n = evbuffer_add_printf(out, text != NULL ? ",\"damaged\":%s}" : "}", text);

	free(text);
	return n >= 0 ? ST_OK : fault_set(why, ST_NOMEM, "results");
}

/* {"results":[…],"next":"…"}, with the rows as the store holds them. */
static enum status
read_page(struct store *store, void *arg, struct fault *why)
{
	struct pages	*p = arg;
	struct page	 page = { .out = p->out, .between = ",", .max_rows = p->query.limit };
	enum status	 st;

	if (evbuffer_add_printf(p->out, "{\"results\":[") < 0)
		return fault_set(why, ST_NOMEM, "results");
	if ((st = query_resolve(&p->query, store, why)) != ST_OK ||
	    (st = query_page(&p->query, store, &page, why)) != ST_OK)
		return st;
	if (page.more)
		query_put_cursor(p->next, &p->query.filter);
	(void)evbuffer_add_printf(p->out, page.more ? "],\"next\":\"%s\"" : "],\"next\":null",
	    p->next);
	if (p->query.filter.corrected)
		(void)evbuffer_add_printf(p->out, ",\"ranked_by\":\"corrected_ns\"");
	p->damaged = query_damaged(&page);
	return put_damaged(p->out, p->damaged, why);
}

static enum status
answer_page(struct call *c, void *arg, struct fault *why)
{
	struct pages	*p = arg;
	struct evbuffer	*out = p->out;

	(void)why;
	p->out = NULL;
	api_note_damaged(c->api, p->damaged);
	memcpy(c->next, p->next, sizeof c->next);
	return call_answer_text(c, out);
}

static void
free_page(void *arg)
{
	struct pages	*p = arg;

	if (p->out != NULL)
		evbuffer_free(p->out);
	query_release(&p->query);
	json_decref(p->damaged);
	free(p);
}

enum status
api_results_query(struct call *c, const json_t *params, struct fault *why)
{
	static const struct lookup	lookup = { read_page, answer_page, free_page, false };
	struct pages			*p = calloc(1, sizeof *p);
	const struct viewer		 viewer = api_viewer(c);
	enum status			 st;

	if (p == NULL)
		return fault_set(why, ST_NOMEM, "results");
	if ((st = query_parse(&p->query, &viewer, params, why)) == ST_OK &&
	    (p->out = evbuffer_new()) == NULL)
		st = fault_set(why, ST_NOMEM, "results");
	if (st == ST_OK)
		return call_read(c, &lookup, p);
	free_page(p);
	return st;
}

/* The two fastest, or fewer; owned. */
struct top {
	const struct viewer *viewer;	/* borrowed */
	json_t	*result[2];
	size_t	 n;
};

static enum status
keep_top(void *arg, const struct result_row *row)
{
	struct top	*top = arg;
	struct shown	 r = { row->json, row->json_bytes, row->owner, row->rank };

	if (top->n == 2 || row->json == NULL)
		return ST_OK;
	top->result[top->n] = json_loadb(row->json, row->json_bytes, 0, NULL);
	view_set(top->viewer, top->result[top->n], &r);
	return top->result[top->n++] != NULL ? ST_OK : ST_NOMEM;
}

/* A call of results.best. */
struct best {
	struct viewer	 viewer;
	json_t		*which;		/* owned reference; the sweep's id or name */
	struct store	*store;		/* borrowed while it reads */
	struct evbuffer	*out;		/* owned; NULL: handed on */
	struct sweep_row sweep;
	size_t		 top, rows;	/* for each cell; written */
	json_t		*cells;		/* owned; NULL: the sweep has one */
	json_t		*damaged;	/* owned; as of a page; NULL: none */
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
				    .corrected = b->sweep.corrects, .limit = 2 };
	struct top		top = { .viewer = &b->viewer };
	struct fault		why;
	json_t			*o = NULL;

	if (store_results(b->store, &filter, keep_top, &top, &why) == ST_OK && top.n == 2)
		o = overlap_json(top.result[0], top.result[1]);
	json_decref(top.result[0]);
	json_decref(top.result[1]);
	return o != NULL ? o : json_null();
}

static void
note_page(struct best *b, const struct page *page)
{
	json_t	*ids = query_damaged(page);

	if (b->damaged == NULL)
		b->damaged = json_incref(ids);
	else if (ids != NULL)
		(void)json_array_extend(b->damaged, ids);
	json_decref(ids);
}

/* The fastest of a cell (0: the only one) behind those that are written. */
static enum status
put_fastest(struct best *b, int64_t cell, struct fault *why)
{
	struct query	 q = { .viewer = b->viewer, .filter = { .status = ST_OK, .submitter = -1,
			    .order = ORDER_FASTEST, .corrected = b->sweep.corrects,
			    .sweep_id = b->sweep.id, .spec_id = cell } };
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
	note_page(b, &page);
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
	json_t			*rest = json_pack(
	    "{s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:O*, s:O*}",
	    "jobs", (json_int_t)row->jobs, "left", (json_int_t)(row->jobs - row->finished),
	    "statuses", store_statuses(row),
	    "estimators", store_sweep_estimators(b->store, row->id),
	    "difference", b->cells == NULL ? difference(b, 0) : json_null(),
	    "noise", steady_noise(b->store, row->id), "drift", steady_drift(b->store, row->id),
	    "correction", steady_correction(b->store, row->id), "cells", b->cells,
	    "damaged", b->damaged);
	char			*text = json_dumps(rest, JSON_COMPACT | JSON_EMBED);
	int			 n = -1;

	if (text != NULL)
		n = evbuffer_add_printf(b->out, "],%s}", text);
	free(text);
	json_decref(rest);
	return n >= 0 ? ST_OK : fault_set(why, ST_NOMEM, "results");
}

static enum status
read_best(struct store *store, void *arg, struct fault *why)
{
	struct best	*b = arg;
	enum status	 st;

	b->store = store;
	if (evbuffer_add_printf(b->out, "{\"results\":[") < 0)
		return fault_set(why, ST_NOMEM, "results");
	if ((st = store_sweep(store, json_integer_value(b->which), json_string_value(b->which),
	    &b->sweep, why)) != ST_OK || (st = put_cells(b, why)) != ST_OK)
		return st;
	return put_rest(b, why);
}

static enum status
answer_best(struct call *c, void *arg, struct fault *why)
{
	struct best	*b = arg;
	struct evbuffer	*out = b->out;

	(void)why;
	b->out = NULL;
	api_note_damaged(c->api, b->damaged);
	return call_answer_text(c, out);
}

static void
free_best(void *arg)
{
	struct best	*b = arg;

	if (b->out != NULL)
		evbuffer_free(b->out);
	json_decref(b->cells);
	json_decref(b->damaged);
	json_decref(b->which);
	free(b);
}

enum status
api_results_best(struct call *c, const json_t *params, struct fault *why)
{
	static const struct lookup	lookup = { read_best, answer_best, free_best, false };
	struct best			*b = calloc(1, sizeof *b);

	if (b == NULL || (b->out = evbuffer_new()) == NULL) {
		free(b);
		return fault_set(why, ST_NOMEM, "results");
	}
	b->viewer = api_viewer(c);
	b->top = (size_t)params_int(params, "top", 1);
	b->which = json_incref(json_object_get(params, "sweep"));
	return call_read(c, &lookup, b);
}
