/* SPDX-License-Identifier: Apache-2.0 */
/* The beginning and the end of bodies in pieces. */
#include <event2/bufferevent.h>

#include "daemon/http/http_impl.h"
#include "daemon/usage/vitals.h"
#include "proto/base/log.h"

void
http_stream_lost(struct exchange *ex)
{
	if (ex->req != NULL)
		evhttp_request_free(ex->req);
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
	http_conn_answered(http_conn_of(&h->conns, conn));	/* unless that closed it */
}

void
http_stream_cut_off(struct exchange *ex, const struct fault *why)
{
	log_error("http stream cut off: %s", why->text);
	evhttp_connection_free(evhttp_request_get_connection(ex->req));
}

bool
http_stream_begin(struct exchange *ex, const char *type)
{
	struct evhttp_connection	*conn = evhttp_request_get_connection(ex->req);

	vitals_note_http(api_vitals(ex->http->api), 200);
	http_add_header(ex, "Content-Type", type);
	http_add_header(ex, "Cache-Control", "no-store");
	http_add_header(ex, "X-Content-Type-Options", "nosniff");
	http_add_header(ex, "Vary", "Accept, Accept-Encoding");
	if (ex->head) {
		evhttp_send_reply(ex->req, 200, "OK", NULL);
		http_conn_answered(http_conn_of(&ex->http->conns, conn));
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
