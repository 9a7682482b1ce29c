/* SPDX-License-Identifier: Apache-2.0 */
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "daemon/api/api.h"
#include "daemon/doors/door.h"
#include "daemon/doors/hangup.h"
#include "daemon/doors/peer.h"
#include "daemon/doors/tls.h"
#include "daemon/http/http_conn.h"
#include "daemon/http/http_wire.h"
#include "daemon/usage/vitals.h"
#include "proto/base/log.h"

enum {
	SHORT_BYTES	= 64 << 10,	/* of input that any connection may hold */
	MAX_STRANGERS	= 100,		/* of one address: peers that are no known users */
};

struct http_conn {
	struct http_conns	*all;		/* borrowed */
	struct bufferevent	*bev;		/* borrowed: evhttp's */
	struct evhttp_connection *evcon;	/* borrowed; NULL: not accepted yet */
	struct event		*late;		/* owned */
	enum http_kind		 kind;
	uid_t			 uid;
	struct proof		 proof;
	struct event		*unproven;	/* owned; it has to be known by then; NULL: not */
	union door_peer		 peer;		/* of HTTP_TLS and HTTP_OPEN */
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
	const struct timeval	limit = { api_env(c->all->api)->config->client_timeout_s, 0 };

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
 * one, because libevent would call it too large.  A body that is announced as too large becomes
 * none, because libevent would read all of it.  http_conn_fault has these requests refused.
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
	api_vitals(c->all->api)->ended[TRAFFIC_HTTP][TRAFFIC_MALFORMED]++;
	replace_line(in, at > c->wire.line_bytes ? at - c->wire.line_bytes : 0,
	    c->wire.bad_chunk ? "0\r\n\r\n" :
	    c->wire.too_large ? "Content-Length: 0\r\n\r\n" : "zz\r\n");
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
	return c->uid == USER_STRANGER ? USER_NOBODY : c->uid;
}

enum http_kind
http_conn_kind(const struct http_conn *c)
{
	return c->kind;
}

struct bufferevent *
http_conn_bufferevent(const struct http_conn *c)
{
	return c->bev;
}

struct account *
http_conn_account(const struct http_conn *c)
{
	return c->account;
}

int
http_conn_fault(struct http_conn *c, struct fault *why)
{
	if (++c->served <= c->whole)
		return 0;
	(void)fault_set(why, ST_BAD_REQUEST, "%s", c->wire.reason);
	if (!c->wire.too_large)
		return 400;
	fault_hint(why, "send less at once: a space of points, or several calls");
	return 413;
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
free_timers(struct http_conn *c)
{
	if (c->late != NULL)
		event_free(c->late);
	if (c->unproven != NULL)
		event_free(c->unproven);
}

/* One that failed is counted, and a peer that speaks no TLS told. */
static void
note_handshake(const struct http_conn *c)
{
	const char	*words = c->kind == HTTP_TLS ? tls_complain(c->bev) : NULL;

	if (words == NULL)
		return;
	log_debug("tls handshake failed: %s", words);
	api_vitals(c->all->api)->ended[TRAFFIC_HTTP][TRAFFIC_MALFORMED]++;
}

static void
on_closed(struct evhttp_connection *evcon, void *arg)
{
	struct http_conn	*c = arg;

	if (c->lost != NULL)
		c->lost(evcon, c->lost_arg);
	note_handshake(c);
	hangup_end(&c->hangup);
	HASH_DEL(c->all->by_evcon, c);
	(void)evbuffer_remove_cb(bufferevent_get_input(c->bev), on_input, c);
	if (c->account != NULL) {
		account_wait_no_more(c->account, &c->waiter);
		account_hold(c->account, &c->held, 0);
		account_close(c->account, TRAFFIC_HTTP);
	}
	free_timers(c);
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

	if (answer != NULL && c->kind == HTTP_TLS)
		tls_say(c->bev, answer);
	else if (answer != NULL)
		(void)send(fd, answer, strlen(answer), MSG_DONTWAIT | MSG_NOSIGNAL);
	(void)shutdown(fd, SHUT_RDWR);
	api_vitals(c->all->api)->ended[TRAFFIC_HTTP][reason]++;
}

/* In the middle of a call or a stream: on_closed does the rest. */
static void
on_left(void *arg)
{
	const struct http_conn	*c = arg;

	log_debug("http connection closed before its answer");
	evhttp_connection_free(c->evcon);
}

/* ---- peers ---- */

static bool
is_same_address(const union door_peer *a, const union door_peer *b)
{
	if (a->sa.sa_family != b->sa.sa_family)
		return false;
	if (a->sa.sa_family == AF_INET6)
		return memcmp(&a->in6.sin6_addr, &b->in6.sin6_addr, sizeof a->in6.sin6_addr) == 0;
	return a->in.sin_addr.s_addr == b->in.sin_addr.s_addr;
}

/* Peers of one address that are no known users. */
static unsigned
count_strangers(const struct http_conn *c)
{
	const struct http_conn	*o;
	unsigned		 n = 0;

	for (o = c->all->by_evcon; o != NULL; o = o->hh.next)
		n += o != c && o->kind != HTTP_LOCAL && o->uid >= USER_STRANGER &&
		    is_same_address(&o->peer, &c->peer);
	return n;
}

/* Who it is, as far as its socket tells. */
static void
look_at_peer(struct http_conn *c)
{
	const struct timeval	limit = { api_env(c->all->api)->config->client_timeout_s, 0 };
	const int		on = 1;
	const evutil_socket_t	fd = bufferevent_getfd(c->bev);
	socklen_t		bytes = sizeof c->peer;

	c->uid = c->kind == HTTP_TLS ? USER_STRANGER : USER_NOBODY;
	if (c->kind == HTTP_LOCAL && !peer_uid_at_once(fd, &c->uid))
		c->uid = USER_NOBODY;
	if (c->kind != HTTP_LOCAL) {
		(void)getpeername(fd, &c->peer.sa, &bytes);
		(void)setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
	}
	if (c->unproven != NULL)
		(void)evtimer_add(c->unproven, &limit);
	if (peer_is_tcp(fd))		/* an answer is one write or several: none waits */
		(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

static enum status
admit(struct http_conn *c, struct fault *why)
{
	if (c->kind != HTTP_LOCAL && count_strangers(c) >= MAX_STRANGERS) {
		(void)fault_set(why, ST_FULL, "too many connections of one address");
		fault_of_user(why);
		return ST_FULL;
	}
	return account_open(api_accounts(c->all->api), c->uid, TRAFFIC_HTTP, &c->account, why);
}

enum status
http_conn_become(struct http_conn *c, uid_t uid, const struct proof *proof, struct fault *why)
{
	const size_t	held = c->held;
	struct account	*account;
	enum status	st;

	c->proof = *proof;
	if (c->unproven != NULL)
		(void)evtimer_del(c->unproven);
	if (c->uid == uid)
		return ST_OK;
	if ((st = account_open(api_accounts(c->all->api), uid, TRAFFIC_HTTP, &account, why)) !=
	    ST_OK)
		return st;
	account_hold(c->account, &c->held, 0);
	account_close(c->account, TRAFFIC_HTTP);
	c->account = account;
	c->uid = uid;
	account_hold(c->account, &c->held, held);
	return ST_OK;
}

/* A certificate has to be of one that may sign it today. */
static bool
is_still_proven(struct http_conn *c)
{
	struct fault	why;
	uid_t		uid;

	if (c->proof.kind == PROOF_CERTIFICATE && !tls_still_trusts(c->all->tls, c->bev))
		return false;
	return users_find(api_env(c->all->api)->users, &c->proof, &uid, &why) == ST_OK &&
	    uid == c->uid;
}

static bool
is_to_end(struct http_conn *c, bool all)
{
	if (c->proof.kind == PROOF_NONE)
		return false;
	return all ? !is_still_proven(c) : proof_has_expired(&c->proof);
}

void
http_conns_check(struct http_conns *conns, bool all)
{
	struct http_conn	*c, *next;

	HASH_ITER(hh, conns->by_evcon, c, next) {
		if (!is_to_end(c, all))
			continue;
		log_info("http connection of uid=%u closed: its %s does not count any more",
		    (unsigned)c->uid, c->proof.kind == PROOF_TOKEN ? "token" : "certificate");
		evhttp_connection_free(c->evcon);
	}
}

/* Its user, or its address, has too many; or the daemon lacks memory. */
static void
refuse_connection(struct http_conn *c, const struct fault *why)
{
	char	answer[128];
	int	code = why->of_user ? 429 : 503;

	log_warn("http connection refused: %s", why->text);
	vitals_note_http(api_vitals(c->all->api), code);
	(void)snprintf(answer, sizeof answer, "HTTP/1.1 %d %s\r\nConnection: close\r\n"
	    "Retry-After: 1\r\nContent-Length: 0\r\n\r\n", code,
	    why->of_user ? "Too Many Requests" : "Service Unavailable");
	cut_off(c, answer, TRAFFIC_FULL);
}

/* Now it has a socket, and libevent's connection: that is the argument of its callbacks. */
static void
start(struct http_conn *c)
{
	void			*evcon = NULL;
	struct fault		 why;

	bufferevent_getcb(c->bev, NULL, NULL, NULL, &evcon);
	bufferevent_decref(c->bev);
	if (evcon == NULL) {		/* libevent has given it up */
		free_timers(c);
		free(c);
		return;
	}
	c->evcon = evcon;
	look_at_peer(c);
	c->hangup = (struct hangup){ .all = c->all->hangups, .fd = bufferevent_getfd(c->bev),
	    .is_known = c->kind == HTTP_LOCAL && c->uid != USER_NOBODY,
	    .ends_both = c->kind == HTTP_TLS, .on_left = on_left, .arg = c };
	HASH_ADD_PTR(c->all->by_evcon, evcon, c);
	evhttp_connection_set_closecb(evcon, on_closed, c);
	if (admit(c, &why) != ST_OK)
		refuse_connection(c, &why);
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
			vitals_note_http(api_vitals(c->all->api), 408);
		cut_off(c, may_answer(c) ? slow : NULL, TRAFFIC_SLOW);
	}
}

/* A peer that takes its time to prove who it is, from its first byte on. */
static void
on_unproven(evutil_socket_t fd, short what, void *arg)
{
	struct http_conn	*c = arg;

	(void)fd;
	(void)what;
	if (c->evcon == NULL)
		return;
	log_info("http connection cut off: it %s in time",
	    tls_is_shaken(c->bev) ? "did not say who it is" : "did not end its handshake");
	cut_off(c, NULL, TRAFFIC_SLOW);
}

static bool
make_timers(struct http_conn *c, struct event_base *base)
{
	c->late = evtimer_new(base, on_late, c);
	if (c->kind == HTTP_TLS)
		c->unproven = evtimer_new(base, on_unproven, c);
	return c->late != NULL && (c->kind != HTTP_TLS || c->unproven != NULL);
}

struct bufferevent *
http_conn_new(struct http_conns *all, enum http_kind kind, struct event_base *base)
{
	struct http_conn	*c = calloc(1, sizeof *c);
	struct bufferevent	*bev = kind == HTTP_TLS ? tls_accept(all->tls, base) :
				    bufferevent_socket_new(base, -1, 0);

	if (c != NULL)
		c->kind = kind;
	if (c == NULL || bev == NULL || !make_timers(c, base) ||
	    evbuffer_add_cb(bufferevent_get_input(bev), on_input, c) == NULL) {
		if (c != NULL)
			free_timers(c);
		free(c);
		if (bev != NULL)
			bufferevent_free(bev);
		return NULL;
	}
	c->all = all;
	c->bev = bev;
	c->waiter = (struct account_waiter){ .on_room = on_room, .arg = c };
	bufferevent_incref(bev);
	let_in(c, SHORT_BYTES);
	event_active(c->late, EV_TIMEOUT, 1);	/* right after libevent has accepted it */
	return bev;
}

struct http_conn *
http_conn_of(struct http_conns *all, const struct evhttp_connection *evcon)
{
	struct http_conn	*c;

	HASH_FIND_PTR(all->by_evcon, &evcon, c);
	return c;
}
