/* SPDX-License-Identifier: Apache-2.0 */
/* Results, as a page, or as lines: all that match. */
#include <stdlib.h>

#include "daemon/http/http_impl.h"

enum { PIECE_ROWS = 200 };

struct result_lines {
	struct query	 query;
	bool		 is_resolved;
	uint64_t	 rows_left;
};

static enum status
read_results(void *arg, struct store *store, struct evbuffer *out, bool *is_last,
    struct fault *why)
{
	struct result_lines	*r = arg;
	struct page		 page = { .out = out, .between = "\n", .max_rows = PIECE_ROWS };
	enum status		 st = ST_OK;

	if (r->rows_left < PIECE_ROWS)
		page.max_rows = (size_t)r->rows_left;
	if (!r->is_resolved)
		st = query_resolve(&r->query, store, why);
	r->is_resolved = true;
	if (st != ST_OK || (st = query_page(&r->query, store, &page, why)) != ST_OK)
		return st;
	r->rows_left -= page.rows;
	*is_last = !page.more || r->rows_left == 0;
	if (page.rows != 0 && evbuffer_add(out, "\n", 1) != 0)
		return fault_set(why, ST_NOMEM, "results");
	return ST_OK;
}

static void
free_results(void *arg)
{
	struct result_lines	*r = arg;

	query_release(&r->query);
	free(r);
}

static enum status
parse_lines(struct result_lines *r, const struct exchange *ex, struct fault *why)
{
	const struct viewer	 viewer = { api_env(ex->http->api)->users, ex->uid };
	json_t			*params;
	enum status		 st = params_from_query(query_stream_params, http_query(ex),
				    &params, why);

	if (st == ST_OK)
		st = query_parse(&r->query, &viewer, params, why);
	json_decref(params);
	r->rows_left = r->query.limited ? r->query.limit : UINT64_MAX;
	return st;
}

void
http_run_results(struct exchange *ex)
{
	static const struct piece_source	source = { .read = read_results,
						    .free = free_results };
	struct result_lines			*r;
	struct fault				why;

	if (!http_wants_lines(ex)) {
		http_run_call(ex);
		return;
	}
	if ((r = calloc(1, sizeof *r)) == NULL)
		(void)fault_set(&why, ST_NOMEM, "out of memory");
	else if (parse_lines(r, ex, &why) == ST_OK) {
		http_send_pieces(ex, HTTP_LINES, &source, r);
		return;
	}
	free(r);
	http_problem(ex, 0, &why, NULL);
}
