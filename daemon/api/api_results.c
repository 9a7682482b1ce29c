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

/*
 * The distance of the fastest from the second, each timed by itself.  New reference; JSON null:
 * there is no second.
 */
static json_t *
difference(struct store *store, int64_t sweep_id)
{
	struct result_filter	filter = { .sweep_id = sweep_id, .status = ST_OK, .submitter = -1,
				    .order = ORDER_FASTEST, .limit = 2 };
	struct top		top = { .n = 0 };
	struct fault		why;
	json_t			*o = NULL;

	if (store_results(store, &filter, keep_top, &top, &why) == ST_OK && top.n == 2)
		o = overlap_json(top.result[0], top.result[1]);
	json_decref(top.result[0]);
	json_decref(top.result[1]);
	return o != NULL ? o : json_null();
}

static enum status
put_rest(struct evbuffer *out, struct store *store, const struct sweep_row *row)
{
	json_t	*rest = json_pack("{s:I, s:I, s:o, s:o, s:o}", "jobs", (json_int_t)row->jobs,
		    "left", (json_int_t)(row->jobs - row->finished), "statuses",
		    api_statuses(row), "estimators", store_sweep_estimators(store, row->id),
		    "difference",
		    difference(store, row->id));
	char	*text = json_dumps(rest, JSON_COMPACT | JSON_EMBED);
	int	 n = -1;

	if (text != NULL)
		n = evbuffer_add_printf(out, "],%s}", text);
	free(text);
	json_decref(rest);
	return n >= 0 ? ST_OK : ST_NOMEM;
}

enum status
api_results_best(struct call *c, const json_t *params, struct fault *why)
{
	struct query	 q = { .filter = { .status = ST_OK, .submitter = -1,
			    .order = ORDER_FASTEST } };
	struct page	 page = { .between = ",",
			    .max_rows = (size_t)params_int(params, "top", 1) };
	struct sweep_row row;
	enum status	 st;

	if ((st = api_find_sweep(c->api, json_object_get(params, "sweep"), &row, why)) != ST_OK)
		return st;
	q.filter.sweep_id = row.id;
	if ((page.out = evbuffer_new()) == NULL ||
	    evbuffer_add_printf(page.out, "{\"results\":[") < 0)
		st = fault_set(why, ST_NOMEM, "results");
	else
		st = query_page(&q, c->api->env.store, &page, why);
	if (st == ST_OK && put_rest(page.out, c->api->env.store, &row) != ST_OK)
		st = fault_set(why, ST_NOMEM, "results");
	if (st != ST_OK) {
		if (page.out != NULL)
			evbuffer_free(page.out);
		return st;
	}
	return call_answer_text(c, page.out);
}
