/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include <event2/bufferevent.h>
#include <event2/keyvalq_struct.h>

#include "daemon/api/vitals.h"
#include "daemon/doors/http_impl.h"
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
	query_release(&ex->query);
	free(ex->subject);
	free(ex);
}

void
http_add_header(struct exchange *ex, const char *name, const char *value)
{
	(void)evhttp_add_header(evhttp_request_get_output_headers(ex->req), name, value);
}

void
http_count(struct http *h, int code)
{
	if (code >= 0 && code < VITALS_HTTP_CODES)
		api_vitals(h->api)->http[code]++;
}

void
http_api_reply(void *arg, const struct api_reply *r)
{
	struct exchange	*ex = arg;
	bool		 created = ex->route->method == EVHTTP_REQ_POST;

	if (r->status != ST_OK) {
		http_problem(ex, 0, r->why, NULL);
		return;
	}
	(void)evbuffer_add(r->result, "\n", 1);
	http_send(ex, created ? 201 : 200, "application/json", r->result, 0);
}

/* ---- from request to route ---- */

/* A path against "/v1/jobs/:": *subject and its length are what stands for ":". */
static bool
path_matches(const char *pattern, const char *path, const char **subject, size_t *bytes)
{
	*subject = NULL;
	while (*pattern != '\0') {
		if (*pattern == ':') {
			*subject = path;
			*bytes = strcspn(path, "/");
			if (*bytes == 0)
				return false;
			path += *bytes;
			pattern++;
		} else if (*pattern++ != *path++) {
			return false;
		}
	}
	return *path == '\0';
}

static enum status
take_subject(struct exchange *ex, const char *subject, size_t bytes, struct fault *why)
{
	if (subject == NULL)
		return ST_OK;
	if ((ex->subject = strndup(subject, bytes)) == NULL)
		return fault_set(why, ST_NOMEM, "request");
	return params_unescape(ex->subject, false, why);
}

static const char *
words_of(unsigned method)
{
	if (method == EVHTTP_REQ_GET)
		return "GET, HEAD";
	return method == EVHTTP_REQ_POST ? "POST" : "DELETE";
}

/* ST_NOT_FOUND: no such path.  ST_BAD_REQUEST with an Allow header: not with this method. */
static enum status
find_route(struct exchange *ex, const char *path, unsigned method, struct fault *why)
{
	char		 allow[64] = "";
	const char	*subject;
	size_t		 bytes = 0;

	for (const struct route *r = http_routes; r->method != 0; r++) {
		if (!path_matches(r->pattern, path, &subject, &bytes))
			continue;
		if (r->method == method) {
			ex->route = r;
			return take_subject(ex, subject, bytes, why);
		}
		(void)snprintf(allow + strlen(allow), sizeof allow - strlen(allow), "%s%s",
		    allow[0] != '\0' ? ", " : "", words_of(r->method));
	}
	if (allow[0] == '\0')
		return fault_set(why, ST_NOT_FOUND, "there is nothing at %.200s", path);
	http_add_header(ex, "Allow", allow);
	return fault_set(why, ST_BAD_REQUEST, "%.200s takes %s", path, allow);
}

static const char *
header(const struct exchange *ex, const char *name)
{
	return evhttp_find_header(evhttp_request_get_input_headers(ex->req), name);
}

/* Refuses requests that another site's page made a browser send. */
static enum status
check_site(const struct exchange *ex, evutil_socket_t fd, bool writes, struct fault *why)
{
	const char	*host = header(ex, "Host");
	enum status	 st;

	if (http_is_tcp(fd) && host != NULL && !http_is_loopback_name(host)) {
		st = fault_at(why, ST_DENIED, "Host", "this is not %.100s", host);
		fault_hint(why, "ask for 127.0.0.1, [::1] or localhost");
		return st;
	}
	if (writes && (header(ex, "Origin") != NULL || header(ex, "Sec-Fetch-Site") != NULL))
		return fault_set(why, ST_DENIED, "no writes from web pages");
	if (!http_is_own_page(header(ex, "Origin"), header(ex, "Sec-Fetch-Site"), host))
		return fault_set(why, ST_DENIED, "no answers for the pages of other sites");
	return ST_OK;
}

static enum status
check_writer(struct exchange *ex, evutil_socket_t fd, struct fault *why)
{
	static const char	json[] = "application/json";
	const char		*type = header(ex, "Content-Type");
	enum status		 st;

	if ((st = http_peer_uid(fd, &ex->uid, why)) != ST_OK ||
	    ex->route->method != EVHTTP_REQ_POST)
		return st;
	if (type != NULL && strncasecmp(type, json, sizeof json - 1) == 0 &&
	    strchr("; \t", type[sizeof json - 1]) != NULL)
		return ST_OK;		/* strchr finds the end of a bare type, too */
	return fault_at(why, ST_BAD_REQUEST, "Content-Type", "must be %s", json);
}

static void
serve(struct exchange *ex)
{
	unsigned	 method = (unsigned)evhttp_request_get_command(ex->req);
	const char	*path = evhttp_uri_get_path(evhttp_request_get_evhttp_uri(ex->req));
	struct evhttp_connection *conn = evhttp_request_get_connection(ex->req);
	evutil_socket_t	 fd = bufferevent_getfd(evhttp_connection_get_bufferevent(conn));
	struct fault	 why;
	enum status	 st;

	ex->head = method == EVHTTP_REQ_HEAD;
	if (ex->head)
		method = EVHTTP_REQ_GET;
	if ((st = find_route(ex, path != NULL ? path : "", method, &why)) != ST_OK) {
		http_problem(ex, st == ST_BAD_REQUEST && ex->route == NULL ? 405 : 0, &why, NULL);
		return;
	}
	if ((st = check_site(ex, fd, method != EVHTTP_REQ_GET, &why)) == ST_OK &&
	    method != EVHTTP_REQ_GET)
		st = check_writer(ex, fd, &why);
	if (st != ST_OK)
		http_problem(ex, st == ST_BAD_REQUEST ? 415 : 0, &why, NULL);
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
	if (ex->streams)
		http_stream_lost(ex);
	else
		api_leave(ex->call);
}

static void
on_request(struct evhttp_request *req, void *arg)
{
	struct http	*h = arg;
	struct exchange	*ex = calloc(1, sizeof *ex);
	struct fault	 why;
	const char	*fault;

	if (ex == NULL) {
		evhttp_send_error(req, 500, NULL);
		return;
	}
	ex->http = h;
	ex->req = req;
	TAILQ_INSERT_TAIL(&h->exchanges, ex, entry);
	ex->conn = http_conn_of(h, evhttp_request_get_connection(req));
	ex->uid = http_conn_uid(ex->conn);
	http_conn_keep(ex->conn);
	http_conn_on_lost(ex->conn, on_lost, ex);
	if ((fault = http_conn_fault(ex->conn)) != NULL) {
		http_add_header(ex, "Connection", "close");
		(void)fault_set(&why, ST_BAD_REQUEST, "%s", fault);
		http_problem(ex, 0, &why, NULL);
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
	struct http		*h = arg;
	struct bufferevent	*bev = http_conn_new(h, base);

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

enum status
http_new(struct http **out, struct event_base *base, struct api *api, struct fault *why)
{
	struct http	*h = calloc(1, sizeof *h);

	*out = NULL;
	if (h == NULL || turns_new(&h->turns, base, why) != ST_OK ||
	    hangups_new(&h->hangups, base, why) != ST_OK ||
	    (h->evhttp = evhttp_new(base)) == NULL) {
		if (h != NULL) {
			hangups_free(h->hangups);
			turns_free(h->turns);
		}
		free(h);
		return fault_set(why, ST_NOMEM, "http");
	}
	h->api = api;
	h->base = base;
	h->scarce_fd = first_scarce_descriptor();
	TAILQ_INIT(&h->exchanges);
	evhttp_set_max_headers_size(h->evhttp, HTTP_HEADER_BYTES);
	evhttp_set_max_body_size(h->evhttp, HTTP_BODY_BYTES);
	evhttp_set_timeout(h->evhttp, HTTP_TIMEOUT_S);
	(void)evhttp_set_flags(h->evhttp, EVHTTP_SERVER_LINGERING_CLOSE);
	/*
	 * All that evhttp can parse but CONNECT, which has no path: what is not allowed is ours to
	 * say.
	 */
	evhttp_set_allowed_methods(h->evhttp, (ev_uint16_t)~EVHTTP_REQ_CONNECT);
	evhttp_set_bevcb(h->evhttp, make_connection, h);
	evhttp_set_gencb(h->evhttp, on_request, h);
	*out = h;
	return ST_OK;
}

enum status
http_listen(struct http *h, struct door *door, struct fault *why)
{
	if (h->ndoors == HTTP_DOORS || evhttp_bind_listener(h->evhttp, door_listener(door)) == NULL)
		return fault_set(why, ST_NOMEM, "http listener");
	door_lend(door);
	h->doors[h->ndoors++] = door;
	return ST_OK;
}

void
http_free(struct http *h)
{
	struct exchange	*ex;

	if (h == NULL)
		return;
	evhttp_free(h->evhttp);		/* with its connections and their requests */
	while ((ex = TAILQ_FIRST(&h->exchanges)) != NULL)
		exchange_free(ex);
	turns_free(h->turns);
	hangups_free(h->hangups);
	free(h);
}
