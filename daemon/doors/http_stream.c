/* SPDX-License-Identifier: Apache-2.0 */
/* Results, as a page or as a stream of lines: pages one after another, as fast as they are read. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <event2/bufferevent.h>

#include "daemon/doors/http_impl.h"
#include "proto/base/log.h"

enum { STREAM_ROWS = 200 };

static bool
wants_stream(const struct exchange *ex)
{
	const char	*accept = evhttp_find_header(evhttp_request_get_input_headers(ex->req),
			    "Accept");

	return accept != NULL && strcasestr(accept, "application/x-ndjson") != NULL;
}

/* A page of a stream, while it is read on a thread. */
struct stream_page {
	struct exchange		*ex;		/* borrowed; NULL: gone */
	struct reading		*reading;	/* borrowed */
	struct query		 query;		/* the exchange's */
	struct page		 page;		/* its buffer is owned */
};

void
http_stream_lost(struct exchange *ex)
{
	if (ex->req != NULL)
		evhttp_request_free(ex->req);
	if (ex->page != NULL) {		/* the thread has the query */
		ex->page->ex = NULL;
		ex->query = (struct query){ .ids = NULL };
		reading_cancel(ex->page->reading);
	}
	if (ex->export != NULL)
		http_export_lost(ex->export);
	exchange_free(ex);
}

/*
 * While a stream goes out nothing needs to come in; afterwards the connection waits for requests
 * again.
 */
static void
set_timeouts(struct evhttp_connection *conn, bool streaming)
{
	static const struct timeval	limit = { HTTP_TIMEOUT_S, 0 };

	(void)bufferevent_set_timeouts(evhttp_connection_get_bufferevent(conn),
	    streaming ? NULL : &limit, &limit);
}

void
http_stream_end(struct exchange *ex)
{
	struct evhttp_request		*req = ex->req;
	struct evhttp_connection	*conn = evhttp_request_get_connection(req);
	struct http			*h = ex->http;

	set_timeouts(conn, false);
	exchange_free(ex);
	(void)bufferevent_enable(evhttp_connection_get_bufferevent(conn), EV_WRITE);
	evhttp_send_reply_end(req);
	http_conn_answered(http_conn_of(h, conn));	/* unless that closed it */
}

void
http_stream_cut_off(struct exchange *ex, const struct fault *why)
{
	log_error("http stream cut off: %s", why->text);
	evhttp_connection_free(evhttp_request_get_connection(ex->req));
}

static void stream_page(struct evhttp_connection *, void *);

static void
stream_send(struct exchange *ex, struct evhttp_connection *conn, struct page *page)
{
	ex->rows_left -= page->rows;
	if (page->rows == 0 && page->ndamaged != 0) {	/* all of it is damaged */
		stream_page(conn, ex);
		return;
	}
	if (page->rows == 0) {
		http_stream_end(ex);
		return;
	}
	(void)evbuffer_add(page->out, "\n", 1);
	if (!page->more)
		ex->rows_left = 0;
	evhttp_send_reply_chunk_with_cb(ex->req, page->out, stream_page, ex);
	http_conn_keep(ex->conn);
}

static enum status
read_page(struct store *store, void *arg, struct fault *why)
{
	struct stream_page	*p = arg;

	return query_page(&p->query, store, &p->page, why);
}

static void
on_page(void *arg, enum status st, const struct fault *why)
{
	struct stream_page	*p = arg;
	struct exchange		*ex = p->ex;

	if (ex != NULL) {
		struct evhttp_connection	*conn = evhttp_request_get_connection(ex->req);

		ex->page = NULL;
		ex->query = p->query;
		if (st == ST_OK)
			stream_send(ex, conn, &p->page);
		else
			http_stream_cut_off(ex, why);
	} else {
		query_release(&p->query);
	}
	evbuffer_free(p->page.out);
	free(p);
}

static struct stream_page *
stream_page_new(struct exchange *ex)
{
	struct stream_page	*p = calloc(1, sizeof *p);

	if (p == NULL || (p->page.out = evbuffer_new()) == NULL) {
		free(p);
		return NULL;
	}
	p->ex = ex;
	p->query = ex->query;
	p->page.between = "\n";
	p->page.max_rows = ex->rows_left < STREAM_ROWS ? (size_t)ex->rows_left : STREAM_ROWS;
	if ((p->reading = api_read(ex->http->api, ex->uid, read_page, on_page, p)) != NULL)
		return p;
	evbuffer_free(p->page.out);
	free(p);
	return NULL;
}

/* The page before is with the kernel: read the next. */
static void
stream_page(struct evhttp_connection *conn, void *arg)
{
	struct exchange	*ex = arg;
	struct fault	 why;

	(void)conn;
	if ((ex->page = stream_page_new(ex)) != NULL)
		return;
	(void)fault_set(&why, ST_NOMEM, "out of memory");
	http_stream_cut_off(ex, &why);
}

bool
http_stream_begin(struct exchange *ex, const char *type)
{
	struct evhttp_connection	*conn = evhttp_request_get_connection(ex->req);

	http_count(ex->http, 200);
	http_add_header(ex, "Content-Type", type);
	http_add_header(ex, "Cache-Control", "no-store");
	http_add_header(ex, "X-Content-Type-Options", "nosniff");
	if (ex->head) {
		evhttp_send_reply(ex->req, 200, "OK", NULL);
		http_conn_answered(http_conn_of(ex->http, conn));
		exchange_free(ex);
		return true;
	}
	ex->streams = true;
	set_timeouts(conn, true);
	evhttp_send_reply_start(ex->req, 200, "OK");
	http_conn_keep(ex->conn);
	/* the head goes out with the first part */
	(void)bufferevent_disable(http_conn_bufferevent(ex->conn), EV_WRITE);
	return false;
}

void
http_run_results(struct exchange *ex)
{
	const struct viewer	 viewer = { api_env(ex->http->api)->users, ex->uid };
	struct fault		 why;
	json_t			*params;
	enum status		 st;

	if (!wants_stream(ex)) {
		http_run_call(ex);
		return;
	}
	if ((st = params_from_query(query_stream_params, http_query(ex), &params, &why)) == ST_OK)
		st = query_parse(&ex->query, &viewer, params, &why);
	json_decref(params);
	if (st == ST_OK)
		st = query_resolve(&ex->query, api_env(ex->http->api)->store, &why);
	ex->rows_left = ex->query.limited ? ex->query.limit : UINT64_MAX;
	if (st != ST_OK)
		http_problem(ex, 0, &why, NULL);
	else if (!http_stream_begin(ex, "application/x-ndjson"))
		stream_page(evhttp_request_get_connection(ex->req), ex);
}
