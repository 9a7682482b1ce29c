/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include <event2/bufferevent.h>
#include <event2/keyvalq_struct.h>

#include "daemon/http/http_impl.h"
#include "proto/base/log.h"

enum { FDS_FOR_OTHERS = 1300 };

/* ---- answers ---- */

void
exchange_free(struct exchange *ex)
{
	if (ex->conn != NULL)
		http_conn_on_lost(ex->conn, NULL, NULL);
	TAILQ_REMOVE(&ex->http->exchanges, ex, entry);
	turn_drop(ex->http->turns, &ex->turn);
	http_wait_free(ex->wait);
	http_events_free(ex->events);
	http_pieces_drop(ex->pieces);
	free(ex->subject);
	free(ex);
}

void
http_add_header(struct exchange *ex, const char *name, const char *value)
{
	(void)evhttp_add_header(evhttp_request_get_output_headers(ex->req), name, value);
}

void
http_api_reply(void *arg, const struct api_reply *r)
{
	struct exchange	*ex = arg;

	if (r->status != ST_OK) {
		http_problem(ex, 0, r->why, NULL);
		return;
	}
	if (r->next != NULL)
		http_link_next(ex, r->next);
	(void)evbuffer_add(r->result, "\n", 1);
	http_send(ex, ex->creates ? 201 : 200, "application/json", r->result, 0);
}

/* ---- from request to route ---- */

/* What a request of this kind needs before its route is run. */
static enum status
check(struct exchange *ex, unsigned method, struct fault *why)
{
	const bool	writes = method != EVHTTP_REQ_GET && method != EVHTTP_REQ_OPTIONS;
	enum status	st = http_check_site(ex, writes, why);

	return st == ST_OK && writes ? http_check_writer(ex, why) : st;
}

static void
serve(struct exchange *ex)
{
	const unsigned	 method = ex->head ? (unsigned)EVHTTP_REQ_GET :
			    (unsigned)evhttp_request_get_command(ex->req);
	struct fault	 why;
	enum status	 st = http_find_route(ex, method, &why);

	if (st != ST_OK)
		http_problem(ex, st == ST_BAD_REQUEST && ex->route == NULL ? 405 : 0, &why, NULL);
	else if ((st = check(ex, method, &why)) != ST_OK)
		http_problem(ex, st == ST_BAD_REQUEST ? 415 : 0, &why, NULL);
	else if (method == EVHTTP_REQ_OPTIONS)
		http_send_nothing(ex, 204, "");
	else
		ex->route->run(ex);
}

static void
on_turn(void *arg)
{
	struct exchange	*ex = arg;

	if (ex->conn != NULL) {
		serve(ex);
		return;
	}
	if (ex->req != NULL)
		evhttp_request_free(ex->req);
	exchange_free(ex);
}

/*
 * The connection is gone before the answer.  If it let go of the request, that is ours: it is freed
 * with the answer.
 */
static void
on_lost(struct evhttp_connection *conn, void *arg)
{
	struct exchange	*ex = arg;

	(void)conn;
	ex->conn = NULL;
	if (evhttp_request_get_connection(ex->req) != NULL)
		ex->req = NULL;
	if (ex->wait != NULL || ex->events != NULL || ex->pieces != NULL)
		http_stream_lost(ex);
	else
		api_leave(ex->call);
}

/* A page's script asks for a token itself; to Basic, its browser would. */
static bool
is_script(const struct exchange *ex)
{
	const char	*dest = http_asked(ex, "Sec-Fetch-Dest");

	return dest != NULL && strcmp(dest, "empty") == 0;
}

/* Whoever guesses tokens has a connection for each. */
static void
refuse_stranger(struct exchange *ex, const struct fault *why)
{
	http_add_header(ex, "Connection", "close");
	if (why->status == ST_DENIED) {
		http_add_header(ex, "WWW-Authenticate", "Bearer");
		if (!is_script(ex))
			http_add_header(ex, "WWW-Authenticate", "Basic realm=\"assay: the "
			    "password is your token\", charset=\"UTF-8\"");
	}
	http_problem(ex, why->status == ST_DENIED ? 401 : 0, why, NULL);
}

static void
on_request(struct evhttp_request *req, void *arg)
{
	struct http	*h = arg;
	struct exchange	*ex = calloc(1, sizeof *ex);
	struct fault	 why;
	int		 code;

	if (ex == NULL) {
		evhttp_send_error(req, 500, NULL);
		return;
	}
	ex->http = h;
	ex->req = req;
	ex->head = evhttp_request_get_command(req) == EVHTTP_REQ_HEAD;
	TAILQ_INSERT_TAIL(&h->exchanges, ex, entry);
	ex->conn = http_conn_of(&h->conns, evhttp_request_get_connection(req));
	ex->uid = http_conn_uid(ex->conn);
	http_conn_keep(ex->conn);
	http_conn_on_lost(ex->conn, on_lost, ex);
	if ((code = http_conn_fault(ex->conn, &why)) != 0) {
		http_add_header(ex, "Connection", "close");
		http_problem(ex, code, &why, NULL);
		return;
	}
	ex->is_known = http_who(ex, &why) == ST_OK;
	if (!ex->is_known && !http_is_page(ex)) {
		refuse_stranger(ex, &why);
		return;
	}
	ex->turn = (struct turn){ .run = on_turn, .arg = ex };
	if (!turn_ask(h->turns, &ex->turn, ex->uid))
		serve(ex);
}

/* ---- life ---- */

/* The lowest free descriptor is about as high as their number; -1: none is free. */
static bool
descriptors_are_scarce(const struct http *h)
{
	int	fd = eventfd(0, EFD_CLOEXEC);

	if (fd >= 0)
		(void)close(fd);
	return fd < 0 || fd >= h->scarce_fd;
}

static struct bufferevent *
make_connection(struct event_base *base, void *arg)
{
	const struct http_side	*side = arg;
	struct http		*h = side->http;
	struct bufferevent	*bev = http_conn_new(&h->conns, side->kind, base);

	for (unsigned i = 0; i < h->ndoors; i++)
		door_pass(h->doors[i]);
	for (unsigned i = 0; descriptors_are_scarce(h) && i < h->ndoors; i++)
		door_rest(h->doors[i]);
	return bev;
}

/* JSON-RPC, the database and the workers must not starve because of idle browsers. */
static int
first_scarce_descriptor(void)
{
	struct rlimit	r;
	long		n = getrlimit(RLIMIT_NOFILE, &r) == 0 && r.rlim_cur < 1 << 20 ?
			    (long)r.rlim_cur : 1 << 20;

	return (int)(n > 2 * FDS_FOR_OTHERS ? n - FDS_FOR_OTHERS : n / 2);
}

static enum status
open_side(struct http *h, enum http_kind kind, struct fault *why)
{
	struct http_side	*side = &h->side[kind];
	struct evhttp		*e = side->evhttp = evhttp_new(h->base);

	side->http = h;
	side->kind = kind;
	if (e == NULL)
		return fault_set(why, ST_NOMEM, "http");
	evhttp_set_max_headers_size(e, HTTP_HEADER_BYTES);
	evhttp_set_max_body_size(e, HTTP_BODY_BYTES);
	evhttp_set_timeout(e, HTTP_TIMEOUT_S);
	(void)evhttp_set_flags(e, EVHTTP_SERVER_LINGERING_CLOSE);
	/*
	 * All that evhttp can parse but CONNECT, which has no path: what is not allowed is ours to
	 * say.
	 */
	evhttp_set_allowed_methods(e, (ev_uint16_t)~EVHTTP_REQ_CONNECT);
	evhttp_set_bevcb(e, make_connection, side);
	evhttp_set_gencb(e, on_request, h);
	return ST_OK;
}

enum status
http_new(struct http **out, struct event_base *base, struct api *api, struct fault *why)
{
	struct http	*h = calloc(1, sizeof *h);
	enum status	 st = ST_OK;

	*out = NULL;
	if (h == NULL)
		return fault_set(why, ST_NOMEM, "http");
	h->api = h->conns.api = api;
	h->base = base;
	h->scarce_fd = first_scarce_descriptor();
	TAILQ_INIT(&h->exchanges);
	if ((st = turns_new(&h->turns, base, why)) == ST_OK)
		st = hangups_new(&h->conns.hangups, base, why);
	for (enum http_kind k = HTTP_LOCAL; st == ST_OK && k < HTTP_NKINDS; k++)
		st = open_side(h, k, why);
	if (st == ST_OK)
		*out = h;
	else
		http_free(h);
	return st;
}

enum status
http_listen(struct http *h, struct door *door, enum http_kind kind, struct fault *why)
{
	const struct config	*config = api_env(h->api)->config;
	enum status		 st;

	if (kind == HTTP_TLS && (st = tls_new(&h->conns.tls, config, why)) != ST_OK)
		return st;
	if (h->ndoors == HTTP_DOORS ||
	    evhttp_bind_listener(h->side[kind].evhttp, door_listener(door)) == NULL)
		return fault_set(why, ST_NOMEM, "http listener");
	door_lend(door);
	h->doors[h->ndoors++] = door;
	return ST_OK;
}

void
http_reload(struct http *h)
{
	struct fault	why;
	struct tls	*tls = h->conns.tls;
	char		line[1400];

	if (tls != NULL && tls_reload(tls, api_env(h->api)->config, &why) != ST_OK)
		log_error("tls: all stays as it is: %s", fault_line(&why, line, sizeof line));
	http_conns_check(&h->conns, true);
}

void
http_tick(struct http *h)
{
	http_conns_check(&h->conns, false);
}

void
http_free(struct http *h)
{
	struct exchange	*ex;

	if (h == NULL)
		return;
	/* with their connections and the requests of those */
	for (enum http_kind k = HTTP_LOCAL; k < HTTP_NKINDS; k++)
		if (h->side[k].evhttp != NULL)
			evhttp_free(h->side[k].evhttp);
	while ((ex = TAILQ_FIRST(&h->exchanges)) != NULL)
		exchange_free(ex);
	turns_free(h->turns);
	hangups_free(h->conns.hangups);
	tls_free(h->conns.tls);
	free(h);
}
