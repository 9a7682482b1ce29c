/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <event2/bufferevent.h>
#include <event2/keyvalq_struct.h>

#include "daemon/api/readiness.h"
#include "daemon/doors/http_impl.h"
#include "proto/base/log.h"

enum { STREAM_ROWS = 200 };

/* ---- what a request asks for ---- */

static const char *
query_string(const struct exchange *ex)
{
	const char	*q = evhttp_uri_get_query(evhttp_request_get_evhttp_uri(ex->req));

	return q != NULL ? q : "";
}

/* A subject of digits only is an id, as in query strings. */
static enum status
add_subject(const struct exchange *ex, json_t *params, struct fault *why)
{
	const bool		 is_id = strcmp(ex->route->subject, "id") == 0;
	const struct api_param	 table[] = {
		{ ex->route->subject, is_id ? PARAM_ID : PARAM_SWEEP, true, 0, 0 },
		{ NULL, PARAM_BOOL, false, 0, 0 },
	};
	bool			 digits = ex->subject[strspn(ex->subject, "0123456789")] == '\0';
	json_t			*v;

	v = digits && strlen(ex->subject) < 19 ? json_integer(strtoll(ex->subject, NULL, 10)) :
	    json_string(ex->subject);
	if (json_object_set_new(params, ex->route->subject, v) != 0)
		return fault_set(why, ST_NOMEM, "request");
	v = json_pack("{s:O}", ex->route->subject, v);
	if (params_check(table, v, why) != ST_OK) {
		json_decref(v);
		return ST_BAD_REQUEST;
	}
	json_decref(v);
	return ST_OK;
}

static void
call(struct exchange *ex, const json_t *params)
{
	struct caller	who = { ex->uid, NULL, &ex->call };

	api_call(ex->http->api, &who, ex->route->call, params, http_api_reply, ex);
}

static void
run_call(struct exchange *ex)
{
	struct fault	 why;
	json_t		*params;
	enum status	 st = params_from_query(ex->route->query, query_string(ex), &params, &why);

	if (st == ST_OK && ex->route->subject != NULL)
		st = add_subject(ex, params, &why);
	if (st == ST_OK)
		call(ex, params);
	else
		http_problem(ex, 0, &why, NULL);
	json_decref(params);
}

/* ---- submissions ---- */

static json_t *
read_body(struct exchange *ex, struct fault *why, struct place *place)
{
	struct evbuffer	*in = evhttp_request_get_input_buffer(ex->req);
	size_t		 bytes = evbuffer_get_length(in);
	const char	*text = bytes != 0 ? (const char *)evbuffer_pullup(in, -1) : "";
	json_t		*body = NULL;

	*place = (struct place){ 0 };
	if (text == NULL)
		(void)fault_set(why, ST_NOMEM, "body");
	else if (bytes == 0)
		(void)fault_set(why, ST_BAD_REQUEST, "the body is empty");
	else if (line_parse(text, bytes, &body, place, why) == ST_OK && !json_is_object(body)) {
		(void)fault_set(why, ST_BAD_REQUEST, "the body must be one JSON object");
		json_decref(body);
		body = NULL;
	}
	return body;
}

/* A body is the job or the sweep itself, or the params of the call: {"jobs": […]}. */
static bool
is_params(const struct exchange *ex, const json_t *body)
{
	return strcmp(ex->route->subject, "job") == 0 && (json_object_get(body, "jobs") != NULL ||
	    json_object_get(body, "variants") != NULL);
}

static void
run_submit(struct exchange *ex)
{
	const char	*wrap = ex->route->subject;
	struct place	 place;
	struct fault	 why;
	json_t		*body, *params, *none;

	if (params_from_query(ex->route->query, query_string(ex), &none, &why) != ST_OK) {
		http_problem(ex, 0, &why, NULL);
		return;
	}
	json_decref(none);
	if ((body = read_body(ex, &why, &place)) == NULL) {
		http_problem(ex, 0, &why, place.line != 0 ? &place : NULL);
		return;
	}
	if (is_params(ex, body)) {
		params = json_incref(body);
	} else {
		params = json_pack("{s:O}", wrap, body);
		ex->unwrap = wrap;
	}
	call(ex, params);
	json_decref(params);
	json_decref(body);
}

/* ---- results, as a page or as a stream ---- */

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

static void
stream_end(struct exchange *ex, struct evhttp_connection *conn)
{
	struct evhttp_request	*req = ex->req;
	struct http		*h = ex->http;

	set_timeouts(conn, false);
	exchange_free(ex);
	evhttp_send_reply_end(req);
	http_conn_answered(http_conn_of(h, conn));	/* unless that closed it */
}

/* The peer misses the last chunk; http_stream_lost cleans up. */
static void
stream_cut_off(struct evhttp_connection *conn, const struct fault *why)
{
	log_error("http stream cut off: %s", why->text);
	evhttp_connection_free(conn);
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
		stream_end(ex, conn);
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
			stream_cut_off(conn, why);
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

	if ((ex->page = stream_page_new(ex)) != NULL)
		return;
	(void)fault_set(&why, ST_NOMEM, "out of memory");
	stream_cut_off(conn, &why);
}

static void
stream_start(struct exchange *ex)
{
	struct evhttp_connection	*conn = evhttp_request_get_connection(ex->req);
	struct evbuffer			*nothing;

	http_count(ex->http, 200);
	http_add_header(ex, "Content-Type", "application/x-ndjson");
	http_add_header(ex, "Cache-Control", "no-store");
	if (ex->head) {
		nothing = NULL;
		evhttp_send_reply(ex->req, 200, "OK", nothing);
		http_conn_answered(http_conn_of(ex->http, conn));
		exchange_free(ex);
		return;
	}
	ex->streams = true;
	set_timeouts(conn, true);
	evhttp_send_reply_start(ex->req, 200, "OK");
	http_conn_keep(ex->conn);
	stream_page(conn, ex);
}

static void
run_results(struct exchange *ex)
{
	struct fault	 why;
	json_t		*params;
	enum status	 st;

	if (!wants_stream(ex)) {
		run_call(ex);
		return;
	}
	if ((st = params_from_query(query_stream_params, query_string(ex), &params, &why)) == ST_OK)
		st = query_parse(&ex->query, params, &why);
	json_decref(params);
	if (st == ST_OK)
		st = query_resolve(&ex->query, api_env(ex->http->api)->store, &why);
	ex->rows_left = ex->query.limited ? ex->query.limit : UINT64_MAX;
	if (st == ST_OK)
		stream_start(ex);
	else
		http_problem(ex, 0, &why, NULL);
}

/* ---- plain text ---- */

static void
answer_text(struct exchange *ex, const char *type,
    void (*put)(const struct api *, struct evbuffer *))
{
	struct evbuffer	*body = evbuffer_new();
	struct fault	 why;

	if (body == NULL) {
		(void)fault_set(&why, ST_NOMEM, "out of memory");
		http_problem(ex, 0, &why, NULL);
		return;
	}
	put(ex->http->api, body);
	http_send(ex, 200, type, body, HTTP_FRESH);
	evbuffer_free(body);
}

static void
put_ok(const struct api *api, struct evbuffer *out)
{
	(void)api;
	(void)evbuffer_add(out, "ok\n", 3);
}

static void
run_healthz(struct exchange *ex)
{
	answer_text(ex, "text/plain; charset=utf-8", put_ok);
}

static void
run_readyz(struct exchange *ex)
{
	json_t		*readiness = api_readiness(ex->http->api);
	char		*text = json_dumps(readiness, JSON_COMPACT);
	struct evbuffer	*body = evbuffer_new();
	struct fault	 why;

	if (text == NULL || body == NULL || evbuffer_add_printf(body, "%s\n", text) < 0) {
		(void)fault_set(&why, ST_NOMEM, "out of memory");
		http_problem(ex, 0, &why, NULL);
	} else {
		http_send(ex, api_is_ready(readiness) ? 200 : 503, "application/json", body,
		    HTTP_FRESH);
	}
	if (body != NULL)
		evbuffer_free(body);
	free(text);
	json_decref(readiness);
}

static void
run_metrics(struct exchange *ex)
{
	answer_text(ex, "text/plain; version=0.0.4; charset=utf-8", api_put_metrics);
}

#define END	{ NULL, PARAM_BOOL, false, 0, 0 }
static const struct api_param	nothing_asked[] = { END };
static const struct api_param	top_asked[] = { { "top", PARAM_INT, false, 1, API_MAX_TOP }, END };
static const struct api_param	limit_asked[] = { { "limit", PARAM_INT, false, 0, API_MAX_LIST },
    END };

const struct route http_routes[] = {
	{ EVHTTP_REQ_GET, "/v1/results", run_results, "results.query", NULL, query_params },
	{ EVHTTP_REQ_POST, "/v1/jobs", run_submit, "job.submit", "job", nothing_asked },
	{ EVHTTP_REQ_GET, "/v1/jobs/:", run_call, "job.get", "id", nothing_asked },
	{ EVHTTP_REQ_GET, "/v1/jobs/:/spec", run_call, "job.spec", "id", nothing_asked },
	{ EVHTTP_REQ_DELETE, "/v1/jobs/:", run_call, "job.cancel", "id", nothing_asked },
	{ EVHTTP_REQ_GET, "/v1/sweeps", run_call, "sweep.list", NULL, sweep_list_params },
	{ EVHTTP_REQ_POST, "/v1/sweeps", run_submit, "sweep.create", "sweep", nothing_asked },
	{ EVHTTP_REQ_POST, "/v1/compare", run_submit, "compare.run", "compare", nothing_asked },
	{ EVHTTP_REQ_GET, "/v1/sweeps/:", run_call, "sweep.get", "sweep", nothing_asked },
	{ EVHTTP_REQ_DELETE, "/v1/sweeps/:", run_call, "sweep.cancel", "sweep", nothing_asked },
	{ EVHTTP_REQ_GET, "/v1/sweeps/:/best", run_call, "results.best", "sweep", top_asked },
	{ EVHTTP_REQ_GET, "/v1/queue", run_call, "queue.get", NULL, limit_asked },
	{ EVHTTP_REQ_POST, "/v1/queue/pause", run_call, "queue.pause", NULL, pause_params },
	{ EVHTTP_REQ_POST, "/v1/queue/resume", run_call, "queue.resume", NULL, pause_params },
	{ EVHTTP_REQ_GET, "/v1/host", run_call, "host.get", NULL, nothing_asked },
	{ EVHTTP_REQ_POST, "/v1/host/calibrate", run_call, "host.calibrate", NULL, nothing_asked },
	{ EVHTTP_REQ_POST, "/v1/host/reference", run_call, "host.reference", NULL, nothing_asked },
	{ EVHTTP_REQ_GET, "/v1/info", run_call, "server.info", NULL, nothing_asked },
	{ EVHTTP_REQ_GET, "/metrics", run_metrics, NULL, NULL, nothing_asked },
	{ EVHTTP_REQ_GET, "/readyz", run_readyz, NULL, NULL, nothing_asked },
	{ EVHTTP_REQ_GET, "/healthz", run_healthz, NULL, NULL, nothing_asked },
	{ 0, NULL, NULL, NULL, NULL, NULL },
};
