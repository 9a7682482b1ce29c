/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "daemon/api_impl.h"

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
	(void)evbuffer_add_printf(page.out, page.more ? "],\"next\":\"%s\"}" : "],\"next\":null}", cursor);
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

enum status
api_results_best(struct call *c, const json_t *params, struct fault *why)
{
	struct query	 q = { .filter = { .status = ST_OK, .submitter = -1, .order = ORDER_FASTEST } };
	struct page	 page = { .between = ",", .max_rows = (size_t)params_int(params, "top", 1) };
	struct sweep_row row;
	enum status	 st;

	if ((st = api_find_sweep(c->api, json_object_get(params, "sweep"), &row, why)) != ST_OK)
		return st;
	q.filter.sweep_id = row.id;
	if ((page.out = evbuffer_new()) == NULL || evbuffer_add_printf(page.out, "{\"results\":[") < 0)
		st = fault_set(why, ST_NOMEM, "results");
	else
		st = query_page(&q, c->api->env.store, &page, why);
	if (st != ST_OK) {
		if (page.out != NULL)
			evbuffer_free(page.out);
		return st;
	}
	(void)evbuffer_add_printf(page.out, "],\"jobs\":%lld,\"left\":%lld}", (long long)row.jobs,
	    (long long)(row.jobs - row.finished));
	return call_answer_text(c, page.out);
}
