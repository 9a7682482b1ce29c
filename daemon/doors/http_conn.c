/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "daemon/api/vitals.h"
#include "daemon/doors/http_conn.h"
#include "daemon/doors/http_hangup.h"
#include "daemon/doors/http_impl.h"
#include "daemon/doors/http_wire.h"
#include "proto/base/log.h"

enum {
	SHORT_BYTES	= 64 << 10,	/* of input that any connection may hold */
};
#define NOBODY	((uid_t)-1)		/* unknown users share an account */

struct http_conn {
	struct http		*http;		/* borrowed */
	struct bufferevent	*bev;		/* borrowed: evhttp's */
	struct evhttp_connection *evcon;	/* borrowed; NULL: not accepted yet */
	struct event		*late;		/* owned */
	uid_t			 uid;
	struct account		*account;	/* NULL: refused */
	struct account_waiter	 waiter;
	size_t			 held;
	struct wire		 wire;
	uint64_t		 whole, served;	/* requests read; of these given to the daemon */
	uint64_t		 answered;
	bool			 mends;		/* the input is being changed by us */
	struct hangup		 hangup;	/* watched while `lost` is set */
	void			(*lost)(struct evhttp_connection *, void *);
	void			*lost_arg;
	UT_hash_handle		 hh;		/* by evcon */
};

/* ---- memory ---- */

static void
let_in(struct http_conn *c, size_t bytes)
{
	bufferevent_setwatermark(c->bev, EV_READ, 0, bytes);
}

static void
time_request(struct http_conn *c)
{
	const struct timeval	limit = { api_env(c->http->api)->config->client_timeout_s, 0 };

	if (c->wire.state == WIRE_IDLE || c->wire.state == WIRE_BAD || c->waiter.waits)
		(void)evtimer_del(c->late);
	else if (!evtimer_pending(c->late, NULL))
		(void)evtimer_add(c->late, &limit);
}

static void
take_room(struct http_conn *c, size_t bytes)
{
	account_hold(c->account, &c->held, bytes);
	let_in(c, bytes + SHORT_BYTES);
}

static void
on_room(void *arg)
{
	struct http_conn	*c = arg;

	take_room(c, c->waiter.need_bytes);
	time_request(c);
}

/* A body that is long is let in when its user's connections have room for it. */
static void
admit_body(struct http_conn *c)
{
	uint64_t	bytes = c->wire.state == WIRE_BODY ? c->wire.left :
			    c->wire.state == WIRE_CHUNK_SIZE ? HTTP_BODY_BYTES : 0;

	if (bytes <= SHORT_BYTES)
		return;
	if (bytes > HTTP_BODY_BYTES)		/* libevent reads it, and answers 413 */
		bytes = HTTP_BODY_BYTES;
	if (account_has_room(c->account, (size_t)bytes)) {
		take_room(c, (size_t)bytes);
		return;
	}
	let_in(c, 1);
	account_wait(c->account, &c->waiter, (size_t)bytes);
}

/* ---- what comes in ---- */

/*
 * libevent parses line by line: in place of the line at fault, and of all behind it, it gets one
 * that it refuses.  So requests before this one are still answered.  A bad chunk becomes the last
 * one, because libevent would call it too large: http_conn_fault has that request refused.
 */
static void
replace_line(struct evbuffer *in, size_t from, const char *bad)
{
	struct evbuffer	*good = evbuffer_new();

	if (good != NULL) {
		(void)evbuffer_remove_buffer(in, good, from);
		(void)evbuffer_add(good, bad, strlen(bad));
	}
	(void)evbuffer_drain(in, evbuffer_get_length(in));
	if (good != NULL) {
		(void)evbuffer_prepend_buffer(in, good);
		evbuffer_free(good);
	}
}

static void
refuse_request(struct http_conn *c, struct evbuffer *in, size_t at)
{
	log_debug("http request refused: %s", c->wire.reason);
	api_vitals(c->http->api)->ended[TRAFFIC_HTTP][TRAFFIC_MALFORMED]++;
	replace_line(in, at > c->wire.line_bytes ? at - c->wire.line_bytes : 0,
	    c->wire.bad_chunk ? "0\r\n\r\n" : "zz\r\n");
}

/*
 * The head that ends at `end` says nothing of a body: libevent would wait for the end of all input.
 * Returns the head's new end; 0: no memory.
 */
static size_t
say_no_body(struct evbuffer *in, size_t end)
{
	static const char	line[] = "Content-Length: 0\r\n";
	struct evbuffer		*head = evbuffer_new();
	bool			 ok;

	if (head == NULL)
		return 0;
	ok = evbuffer_remove_buffer(in, head, end - 2) == (int)(end - 2) &&
	    evbuffer_add(head, line, sizeof line - 1) == 0 &&
	    evbuffer_prepend_buffer(in, head) == 0;
	evbuffer_free(head);
	return ok ? end + sizeof line - 1 : 0;
}

/* A piece of what comes from `at` on; returns where it ends, 0: nothing more is to be read. */
static size_t
read_piece(struct http_conn *c, struct evbuffer *in, size_t at, const char *bytes, size_t n)
{
	const enum wire_state	before = c->wire.state;

	at += wire_read(&c->wire, bytes, n);
	if (c->wire.state == WIRE_BAD) {
		refuse_request(c, in, at);
		return 0;
	}
	if (before <= WIRE_HEAD && c->wire.state > WIRE_HEAD)
		admit_body(c);
	if (c->wire.state != WIRE_IDLE)
		return at;
	c->whole++;
	(void)evtimer_del(c->late);
	return c->wire.says_no_length ? say_no_body(in, at) : at;
}

uid_t
http_conn_uid(const struct http_conn *c)
{
	return c->uid;
}

const char *
http_conn_fault(struct http_conn *c)
{
	return ++c->served > c->whole ? c->wire.reason : NULL;
}

static void
on_input(struct evbuffer *in, const struct evbuffer_cb_info *info, void *arg)
{
	struct http_conn	*c = arg;
	struct evbuffer_iovec	 piece;
	struct evbuffer_ptr	 from;
	size_t			 at = evbuffer_get_length(in) - info->n_added;

	if (info->n_added == 0 || c->wire.state == WIRE_BAD || c->account == NULL || c->mends)
		return;
	c->mends = true;
	while (at < evbuffer_get_length(in)) {
		if (evbuffer_ptr_set(in, &from, at, EVBUFFER_PTR_SET) != 0 ||
		    evbuffer_peek(in, -1, &from, &piece, 1) < 1 || piece.iov_len == 0)
			break;
		if ((at = read_piece(c, in, at, piece.iov_base, piece.iov_len)) == 0)
			break;
	}
	c->mends = false;
	time_request(c);
}

/* libevent takes the end of what comes in for the end of all.  It reads again when this is over. */
void
http_conn_keep(struct http_conn *c)
{
	(void)bufferevent_disable(c->bev, EV_READ);
}

void
http_conn_answered(struct http_conn *c)
{
	if (c == NULL)
		return;
	c->answered++;
	http_conn_keep(c);
	if (c->account == NULL || c->held == 0)
		return;
	account_hold(c->account, &c->held, 0);
	let_in(c, SHORT_BYTES);
}

/* ---- life ---- */

static void
on_closed(struct evhttp_connection *evcon, void *arg)
{
	struct http_conn	*c = arg;

	if (c->lost != NULL)
		c->lost(evcon, c->lost_arg);
	hangup_end(&c->hangup);
	HASH_DEL(c->http->conns, c);
	(void)evbuffer_remove_cb(bufferevent_get_input(c->bev), on_input, c);
	if (c->account != NULL) {
		account_wait_no_more(c->account, &c->waiter);
		account_hold(c->account, &c->held, 0);
		account_close(c->account, TRAFFIC_HTTP);
	}
	event_free(c->late);
	free(c);
}

void
http_conn_on_lost(struct http_conn *c, void (*lost)(struct evhttp_connection *, void *),
    void *arg)
{
	c->lost = lost;
	c->lost_arg = arg;
	if (lost != NULL)
		hangup_watch(&c->hangup);
	else
		hangup_rest(&c->hangup);
}

/* libevent closes it when it reads the end. */
static void
cut_off(struct http_conn *c, const char *answer, enum traffic_reason reason)
{
	evutil_socket_t	fd = bufferevent_getfd(c->bev);

	if (answer != NULL)
		(void)send(fd, answer, strlen(answer), MSG_DONTWAIT | MSG_NOSIGNAL);
	(void)shutdown(fd, SHUT_RDWR);
	api_vitals(c->http->api)->ended[TRAFFIC_HTTP][reason]++;
}

/* In the middle of a call or a stream: on_closed does the rest. */
static void
on_left(void *arg)
{
	const struct http_conn	*c = arg;

	log_debug("http connection closed before its answer");
	evhttp_connection_free(c->evcon);
}

/* Now it has a socket, and libevent's connection: that is the argument of its callbacks. */
static void
start(struct http_conn *c)
{
	static const char	full[] = "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n"
				    "Retry-After: 1\r\nContent-Length: 0\r\n\r\n";
	void			*evcon = NULL;
	struct fault		 why;

	bufferevent_getcb(c->bev, NULL, NULL, NULL, &evcon);
	bufferevent_decref(c->bev);
	if (evcon == NULL) {		/* libevent has given it up */
		event_free(c->late);
		free(c);
		return;
	}
	c->evcon = evcon;
	if (!http_peer_uid_at_once(bufferevent_getfd(c->bev), &c->uid))
		c->uid = NOBODY;
	c->hangup = (struct hangup){ .all = c->http->hangups, .fd = bufferevent_getfd(c->bev),
	    .is_known = c->uid != NOBODY, .on_left = on_left, .arg = c };
	HASH_ADD_PTR(c->http->conns, evcon, c);
	evhttp_connection_set_closecb(evcon, on_closed, c);
	if (account_open(api_accounts(c->http->api), c->uid, TRAFFIC_HTTP, &c->account, &why) !=
	    ST_OK) {
		log_warn("http connection refused: %s", why.text);
		http_count(c->http, 503);
		cut_off(c, full, TRAFFIC_FULL);
	}
}

/* Nothing that is to be sent before it. */
static bool
may_answer(const struct http_conn *c)
{
	return c->answered == c->whole &&
	    evbuffer_get_length(bufferevent_get_output(c->bev)) == 0;
}

static void
on_late(evutil_socket_t fd, short what, void *arg)
{
	static const char	slow[] = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n"
				    "Content-Length: 0\r\n\r\n";
	struct http_conn	*c = arg;

	(void)fd;
	(void)what;
	if (c->evcon == NULL) {
		start(c);
	} else {
		log_warn("http connection cut off: its request took too long");
		if (may_answer(c))
			http_count(c->http, 408);
		cut_off(c, may_answer(c) ? slow : NULL, TRAFFIC_SLOW);
	}
}

struct bufferevent *
http_conn_new(struct http *h, struct event_base *base)
{
	struct http_conn	*c = calloc(1, sizeof *c);
	struct bufferevent	*bev = bufferevent_socket_new(base, -1, 0);

	if (c == NULL || bev == NULL || (c->late = evtimer_new(base, on_late, c)) == NULL ||
	    evbuffer_add_cb(bufferevent_get_input(bev), on_input, c) == NULL) {
		if (c != NULL && c->late != NULL)
			event_free(c->late);
		free(c);
		if (bev != NULL)
			bufferevent_free(bev);
		return NULL;
	}
	c->http = h;
	c->bev = bev;
	c->waiter = (struct account_waiter){ .on_room = on_room, .arg = c };
	bufferevent_incref(bev);
	let_in(c, SHORT_BYTES);
	event_active(c->late, EV_TIMEOUT, 1);	/* right after libevent has accepted it */
	return bev;
}

struct http_conn *
http_conn_of(struct http *h, const struct evhttp_connection *evcon)
{
	struct http_conn	*c;

	HASH_FIND_PTR(h->conns, &evcon, c);
	return c;
}
