/* SPDX-License-Identifier: Apache-2.0 */
/* Lists that a call gives, as that call, or as lines: one of each member of the list. */
#include <stdlib.h>
#include <string.h>

#include "daemon/http/http_impl.h"

enum { PIECE_ROWS = 100 };

static const struct list_kind {
	const char		*call;
	const char		*member;	/* of its reply: the list */
	const struct api_param	*query;		/* without a bound of `limit`, if it has pages */
	int64_t			 piece_rows;	/* 0: it has one page */
} kinds[] = {
	{ "sweep.list", "sweeps", sweep_stream_params, PIECE_ROWS },
	{ "queue.get", "jobs", http_limit_asked, 0 },
};

struct list_lines {
	const struct list_kind	*kind;
	json_t			*params;	/* owned reference; of the next call */
	int64_t			 rows_left;
};

static json_t *
ask_for_page(void *arg)
{
	struct list_lines	*l = arg;

	if (l->kind->piece_rows != 0)
		(void)json_object_set_new(l->params, "limit", json_integer(
		    l->rows_left < l->kind->piece_rows ? l->rows_left : l->kind->piece_rows));
	return json_incref(l->params);
}

static enum status
put_line(struct evbuffer *out, const json_t *value)
{
	char	*text = json_dumps(value, JSON_COMPACT);
	int	 n = text != NULL ? evbuffer_add_printf(out, "%s\n", text) : -1;

	free(text);
	return n > 0 ? ST_OK : ST_NOMEM;
}

static enum status
take_page(void *arg, const struct api_reply *r, struct evbuffer *out, bool *is_last,
    struct fault *why)
{
	struct list_lines	*l = arg;
	const size_t		 bytes = evbuffer_get_length(r->result);
	const char		*text = (const char *)evbuffer_pullup(r->result, -1);
	json_t			*reply = text != NULL ? json_loadb(text, bytes, 0, NULL) : NULL;
	const json_t		*list = json_object_get(reply, l->kind->member), *one;
	enum status		 st = list != NULL ? ST_OK : ST_NOMEM;
	size_t			 i;

	json_array_foreach(list, i, one)
		if (st == ST_OK)
			st = put_line(out, one);
	l->rows_left -= (int64_t)json_array_size(list);
	json_decref(reply);
	*is_last = r->next == NULL || l->rows_left <= 0;
	if (st == ST_OK && !*is_last && json_object_set_new(l->params, "cursor",
	    json_string(r->next)) != 0)
		st = ST_NOMEM;
	return st == ST_OK ? st : fault_set(why, st, "list");
}

static void
free_list(void *arg)
{
	struct list_lines	*l = arg;

	json_decref(l->params);
	free(l);
}

static const struct list_kind *
kind_of(const struct exchange *ex)
{
	const struct list_kind	*k = kinds;

	while (strcmp(k->call, ex->route->call) != 0)
		k++;
	return k;
}

void
http_run_list(struct exchange *ex)
{
	static const struct piece_source	source = { .ask = ask_for_page, .take = take_page,
						    .free = free_list };
	struct list_lines			*l;
	struct fault				why;

	if (!http_wants_lines(ex)) {
		http_run_call(ex);
		return;
	}
	if ((l = calloc(1, sizeof *l)) == NULL)
		(void)fault_set(&why, ST_NOMEM, "out of memory");
	else if (params_from_query((l->kind = kind_of(ex))->query, http_query(ex), &l->params,
	    &why) == ST_OK) {
		l->rows_left = params_int(l->params, "limit", INT64_MAX);
		http_send_pieces(ex, HTTP_LINES, &source, l);
		return;
	}
	free(l);
	http_problem(ex, 0, &why, NULL);
}
