/* SPDX-License-Identifier: Apache-2.0 */
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/doors/request.h"
#include "daemon/doors/session_impl.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"

enum {
	LINES_PER_TURN	= 32,		/* then others get their turn */
	TURN_NS		= 1000000,	/* and after the call that used this up */
	READ_BYTES	= 64 << 10,	/* taken from the kernel at once */
	FULL_WAIT_S	= 5,		/* that calls wait for room, before they are refused */
};

static const struct timeval	full_wait = { FULL_WAIT_S, 0 };

/* ---- requests ---- */

/* Takes the request's id. */
static void
session_call(struct session *s, struct request *r)
{
	struct caller	 who = { s->uid, s->client, NULL,
			    users_role(api_env(s->pool->api)->users, s->uid) };
	struct pending	*p, *other = NULL;
	struct fault	 why;

	if (r->id != NULL)
		HASH_FIND_STR(s->by_id, r->id, other);
	if (other != NULL) {		/* answered without id: under it the first call's reply is
					 * still to come */
		(void)fault_at(&why, ST_BAD_REQUEST, "id",
		    "%s is the id of a request that is still unanswered", r->id);
		session_send_error(s, NULL, API_NOT_A_REQUEST, &why, NULL);
		free(r->id);
		return;
	}
	if (!account_has_room(s->account, 0)) {
		(void)account_full(s->account, &why);
		if (r->id != NULL)
			session_send_error(s, r->id, API_FULL, &why, NULL);
		free(r->id);
		return;
	}
	if ((p = calloc(1, sizeof *p)) == NULL) {
		free(r->id);
		session_kill(s);
		return;
	}
	p->session = s;
	p->id = r->id;
	TAILQ_INSERT_TAIL(&s->calls, p, entry);
	if (p->id != NULL)
		HASH_ADD_KEYPTR(hh, s->by_id, p->id, strlen(p->id), p);
	s->ncalls++;
	api_call(s->pool->api, &who, r->method, r->params, session_on_reply, p);
}

static void
on_line(struct session *s, const char *text, size_t bytes)
{
	struct request	 r;
	struct place	 place;
	struct fault	 why;
	json_t		*doc;

	s->lines++;
	if (strspn(text, " \t\r") == bytes || bytes == 0)	/* the newline ends the span */
		return;
	if (line_parse(text, bytes, &doc, &place, &why) != ST_OK) {
		place.line = s->lines;
		session_send_error(s, NULL, API_NOT_JSON, &why, &place);
		return;
	}
	if (request_read(&r, doc, &why) != ST_OK) {
		session_send_error(s, r.id, API_NOT_A_REQUEST, &why, NULL);
		free(r.id);
	} else {
		session_call(s, &r);
	}
	json_decref(doc);
}

static void
line_too_long(struct session *s)
{
	struct place	place = { s->lines + 1, 1, API_MAX_LINE_BYTES };
	struct fault	why;

	(void)fault_set(&why, ST_BAD_REQUEST, "a line longer than %d bytes", API_MAX_LINE_BYTES);
	fault_hint(&why, "send the jobs in several calls");
	session_send_error(s, NULL, API_NOT_JSON, &why, &place);
	session_cut_off(s, TRAFFIC_MALFORMED, "its line is too long");
	session_close(s);
}

/* ---- turns ---- */

/* More bytes from what the kernel gave; false: there are none. */
static bool
feed(struct session *s)
{
	struct evbuffer		*input = bufferevent_get_input(s->bev);
	struct evbuffer_iovec	 piece;

	if (evbuffer_peek(input, -1, NULL, &piece, 1) < 1 || piece.iov_len == 0)
		return false;
	if (line_put(&s->in, piece.iov_base, piece.iov_len) != ST_OK) {
		session_kill(s);
		return false;
	}
	(void)evbuffer_drain(input, piece.iov_len);
	return true;
}

/*
 * Its user's connections hold too much: this one waits for a while until the others have been read,
 * if its own answers were.  Then its calls are refused, so that its peer learns why.
 */
static bool
has_room(struct session *s)
{
	if (account_has_room(s->account, 0)) {
		s->full_ms = 0;
		return true;
	}
	if (evbuffer_get_length(session_output(s)) > 0)
		return false;		/* on_drained resumes */
	if (s->full_ms == 0)
		s->full_ms = clock_now_ms();
	if (clock_now_ms() - s->full_ms >= FULL_WAIT_S * 1000)
		return true;
	account_wait(s->account, &s->waiter, 1);
	session_turn_later(s, &full_wait);
	return false;
}

/* Neither too much unanswered nor too much unread: a reply or on_drained resumes. */
static bool
takes_calls(struct session *s)
{
	return s->phase < SESSION_CLOSING && s->ncalls < SESSION_MAX_CALLS &&
	    !unread_is_much(&s->unread) && has_room(s);
}

/* Room for a long line is taken before it grows, and kept until its end. */
static bool
may_grow(struct session *s)
{
	if (s->long_line || s->phase != SESSION_OPEN ||
	    s->in.end - s->in.begin < SESSION_SHORT_BYTES)
		return true;
	if (!account_has_room(s->account, SESSION_LONG_LINE_BYTES)) {
		account_wait(s->account, &s->waiter, SESSION_LONG_LINE_BYTES);
		return false;
	}
	s->long_line = true;
	session_settle(s);
	return true;
}

/* Lines, a few at a time; true: nothing whole is left. */
static bool
handle_lines(struct session *s)
{
	const uint64_t	 end_ns = clock_now_ns() + TURN_NS;
	const char	*line;
	size_t		 bytes;

	for (int n = 0; n < LINES_PER_TURN && (n == 0 || clock_now_ns() < end_ns); n++) {
		enum status	st;

		if (!takes_calls(s))
			return false;
		while ((st = line_take(&s->in, &line, &bytes)) == ST_NOT_FOUND)
			if (!may_grow(s) || !feed(s))
				return true;
		if (st == ST_FULL) {
			line_too_long(s);
			return false;
		}
		on_line(s, line, bytes);
	}
	session_turn_soon(s);
	return false;
}

/*
 * After the peer's last byte: done when all is answered and sent, or when the peer is gone
 * altogether.
 */
static void
half_turn(struct session *s)
{
	static const struct timeval	look_again = { 1, 0 };
	struct pollfd			p = { .fd = bufferevent_getfd(s->bev) };

	if (poll(&p, 1, 0) > 0 && (p.revents & (POLLHUP | POLLERR)) != 0)
		session_kill(s);
	else if (handle_lines(s) && s->ncalls == 0)
		session_close(s);
	else
		session_turn_later(s, &look_again);
}

/* From the first byte of a line to its last; time in which the session does not read is free. */
static void
time_request(struct session *s)
{
	const struct timeval	limit = { api_env(s->pool->api)->config->client_timeout_s, 0 };

	if (s->phase != SESSION_OPEN || s->in.begin == s->in.end) {
		(void)evtimer_del(s->late);
	} else if (!evtimer_pending(s->late, NULL) || s->late_line != s->lines) {
		s->late_line = s->lines;
		(void)evtimer_add(s->late, &limit);
	}
}

void
session_on_late(evutil_socket_t fd, short what, void *arg)
{
	struct session	*s = arg;
	struct place	 place = { s->lines + 1, 1, s->in.end - s->in.begin };
	struct fault	 why;

	(void)fd;
	(void)what;
	if (s->phase != SESSION_OPEN)
		return;
	if ((bufferevent_get_enabled(s->bev) & EV_READ) == 0) {
		time_request(s);
		return;
	}
	(void)fault_set(&why, ST_BAD_REQUEST, "a line took longer than %u s",
	    api_env(s->pool->api)->config->client_timeout_s);
	fault_hint(&why, "send smaller requests, or raise the daemon's client-timeout");
	session_send_error(s, NULL, API_NOT_JSON, &why, &place);
	session_cut_off(s, TRAFFIC_SLOW, "its request took too long");
	session_close(s);
}

static void
open_turn(struct session *s)
{
	(void)handle_lines(s);
	if (s->phase != SESSION_OPEN)
		return;
	if (takes_calls(s) && may_grow(s))
		(void)bufferevent_enable(s->bev, EV_READ);
	else
		(void)bufferevent_disable(s->bev, EV_READ);
	time_request(s);
}

void
session_turn(struct session *s)
{
	if (s->phase == SESSION_OPEN)
		open_turn(s);
	else
		half_turn(s);
	if (s->in.end - s->in.begin < SESSION_SHORT_BYTES)
		s->long_line = false;
	line_shrink(&s->in);
	if (s->phase < SESSION_DEAD)
		session_settle(s);
}

static void
on_readable(struct bufferevent *bev, void *arg)
{
	struct session	*s = arg;

	(void)bev;
	if (s->phase == SESSION_OPEN && !session_turn_is_due(s))
		session_turn_soon(s);
}

static void
on_drained(struct bufferevent *bev, void *arg)
{
	struct session	*s = arg;

	session_settle(s);
	if (s->phase < SESSION_CLOSING) {
		if (s->phase == SESSION_HALF || (bufferevent_get_enabled(bev) & EV_READ) == 0)
			session_turn_soon(s);
		api_client_room(s->client);
	} else if (s->phase == SESSION_CLOSING && evbuffer_get_length(session_output(s)) == 0) {
		session_kill(s);
	}
}

static void
on_event(struct bufferevent *bev, short what, void *arg)
{
	struct session	*s = arg;

	(void)bev;
	if (s->phase == SESSION_OPEN && (what & BEV_EVENT_EOF) != 0) {
		s->phase = SESSION_HALF;
		session_turn_soon(s);
	} else {
		session_kill(s);
	}
}

void
session_serve(struct session *s)
{
	(void)bufferevent_set_max_single_read(s->bev, READ_BYTES);
	bufferevent_setwatermark(s->bev, EV_READ, 0, READ_BYTES);
	bufferevent_setwatermark(s->bev, EV_WRITE, UNREAD_RESUME_BYTES, 0);
	bufferevent_setcb(s->bev, on_readable, on_drained, on_event, s);
	(void)bufferevent_enable(s->bev, EV_READ | EV_WRITE);
}
