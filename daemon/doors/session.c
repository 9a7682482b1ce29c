/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/bufferevent.h>
#include <uthash.h>

#include "daemon/api/api.h"
#include "daemon/doors/line.h"
#include "daemon/doors/session.h"
#include "proto/base/log.h"

enum {
	LINES_PER_TURN	= 32,		/* then others get their turn */
	READ_BYTES	= 256 << 10,	/* taken from the kernel at once */
	ROOM_BYTES	= 1 << 20,	/* unread output up to which subscriptions go on */
	LINGER_S	= 5,		/* a session that is being closed may still read its last
					 * reply */
};

/* What a session still does. */
enum phase {
	SESSION_OPEN,
	SESSION_HALF,		/* the peer will send no more: answer what is open, then close */
	SESSION_CLOSING,	/* nothing more is read or called: send what is there, then close */
	SESSION_DEAD,		/* freed at the next turn */
};

struct session {
	struct session_pool	*pool;		/* borrowed */
	uint64_t		 number;
	uid_t			 uid;
	enum phase		 phase;
	struct bufferevent	*bev;		/* owned */
	struct event		*turn;		/* owned; buffered lines, the end, whether the peer
						 * is still there */
	struct line_buffer	 in;
	size_t			 lines;		/* so far */
	struct api_client	*client;	/* owned */
	struct pending		*by_id;		/* unanswered requests, by the text of their id */
	TAILQ_HEAD(, pending)	 calls;		/* unanswered requests and notifications; owned by
						 * their calls */
	unsigned		 ncalls;
	TAILQ_ENTRY(session)	 entry;
};

/*
 * A call under way.  It outlives its session: the reply comes exactly once, even if there is no
 * reader left.
 */
struct pending {
	struct session		*session;	/* NULL: gone */
	char			*id;		/* owned; JSON text; NULL: a notification, never
						 * answered */
	TAILQ_ENTRY(pending)	 entry;
	UT_hash_handle		 hh;
};

struct session_pool {
	struct event_base	*base;		/* borrowed */
	struct api		*api;		/* borrowed */
	TAILQ_HEAD(, session)	 sessions;
	unsigned		 nsessions;
	uint64_t		 accepted;
};

static struct evbuffer *
output(struct session *s)
{
	return bufferevent_get_output(s->bev);
}

/* ---- the end ---- */

static void
session_free(struct session *s)
{
	struct pending	*p;

	s->phase = SESSION_DEAD;
	api_client_free(s->client);
	while ((p = TAILQ_FIRST(&s->calls)) != NULL) {		/* submissions on their way to the
								 * disk */
		TAILQ_REMOVE(&s->calls, p, entry);
		if (p->id != NULL)
			HASH_DEL(s->by_id, p);
		p->session = NULL;
	}
	TAILQ_REMOVE(&s->pool->sessions, s, entry);
	s->pool->nsessions--;
	log_debug("session=%" PRIu64 " closed", s->number);
	event_free(s->turn);
	bufferevent_free(s->bev);
	line_release(&s->in);
	free(s);
}

static void
turn_soon(struct session *s)
{
	static const struct timeval	now = { 0, 0 };

	(void)evtimer_add(s->turn, &now);
}

/* From inside a call or callback: the session goes at its next turn. */
static void
session_kill(struct session *s)
{
	s->phase = SESSION_DEAD;
	(void)bufferevent_disable(s->bev, EV_READ | EV_WRITE);
	turn_soon(s);
}

/* Read and call nothing more; close once the output is gone, or after a while. */
static void
session_close(struct session *s)
{
	static const struct timeval	linger = { LINGER_S, 0 };

	if (s->phase >= SESSION_CLOSING)
		return;
	s->phase = SESSION_CLOSING;
	(void)bufferevent_disable(s->bev, EV_READ);
	if (evbuffer_get_length(output(s)) == 0)
		session_kill(s);
	else
		(void)evtimer_add(s->turn, &linger);
}

/* ---- sending ---- */

/* After each piece of output: a peer that does not read is cut off. */
static void
check_output(struct session *s)
{
	size_t	bytes = evbuffer_get_length(output(s));

	if (bytes <= API_OUTPUT_BYTES || s->phase == SESSION_DEAD)
		return;
	log_warn("session=%" PRIu64 " uid=%u cut off: it left %zu bytes unread", s->number,
	    (unsigned)s->uid, bytes);
	session_kill(s);
}

static void
send_error(struct session *s, const char *id, int code, const struct fault *why,
    const struct place *place)
{
	json_t	*data = api_fault_data(why), *error;
	char	*text;

	if (place != NULL)
		(void)json_object_set_new(data, "place",
		    json_pack("{s:I,s:I,s:I}", "line", (json_int_t)place->line, "column",
		    (json_int_t)place->column, "offset", (json_int_t)place->offset));
	error = json_pack("{s:i,s:o,s:o}", "code", code, "message", json_string(why->text),
	    "data", data);
	text = json_dumps(error, JSON_COMPACT);
	if (text == NULL || evbuffer_add_printf(output(s),
	    "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":%s}\n", id != NULL ? id : "null", text) < 0)
		session_kill(s);
	free(text);
	json_decref(error);
	check_output(s);
}

static void
send_reply(struct session *s, const char *id, const struct api_reply *r)
{
	if (r->status != ST_OK) {
		send_error(s, id, r->code, r->why, NULL);
		return;
	}
	if (evbuffer_add_printf(output(s), "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":", id) < 0 ||
	    evbuffer_add_buffer(output(s), r->result) != 0 || evbuffer_add(output(s),
	    "}\n", 2) != 0)
		session_kill(s);
	check_output(s);
}

static void
pending_free(struct pending *p)
{
	free(p->id);
	free(p);
}

static void
on_reply(void *arg, const struct api_reply *r)
{
	struct pending	*p = arg;
	struct session	*s = p->session;

	if (s == NULL) {
		pending_free(p);
		return;
	}
	TAILQ_REMOVE(&s->calls, p, entry);
	if (p->id != NULL)
		HASH_DEL(s->by_id, p);
	s->ncalls--;
	if (s->phase == SESSION_HALF ||
	    (s->phase == SESSION_OPEN && s->ncalls == SESSION_MAX_CALLS - 1))
		turn_soon(s);			/* go on with what is buffered, or close */
	if (s->phase < SESSION_DEAD && p->id != NULL)
		send_reply(s, p->id, r);
	pending_free(p);
}

/* ---- subscriptions ---- */

static void
on_result(void *arg, int64_t subscription, int64_t cursor, const char *json, size_t bytes)
{
	struct session	*s = arg;

	if (s->phase == SESSION_DEAD)
		return;
	if (evbuffer_add_printf(output(s), "{\"jsonrpc\":\"2.0\",\"method\":\"result\",\"params\":{"
	    "\"subscription\":%" PRId64 ",\"cursor\":%" PRId64 ",\"result\":", subscription,
	    cursor) < 0 || evbuffer_add(output(s), json, bytes) != 0 || evbuffer_add(output(s),
	    "}}\n", 3) != 0)
		session_kill(s);
	check_output(s);
}

static bool
has_room(void *arg)
{
	struct session	*s = arg;

	return s->phase < SESSION_CLOSING && evbuffer_get_length(output(s)) < ROOM_BYTES;
}

static const struct api_hooks	hooks = { on_result, has_room };

/* ---- requests ---- */

struct request {
	const char	*method;	/* borrowed from the document */
	const json_t	*params;	/* borrowed; NULL: none */
	char		*id;		/* owned; JSON text; NULL: a notification */
};

static enum status
request_id(const json_t *id, char **text, struct fault *why)
{
	*text = NULL;
	if (id == NULL)
		return ST_OK;
	if (!json_is_string(id) && !json_is_number(id))
		return fault_at(why, ST_BAD_REQUEST, "id", "must be a number or a string");
	if ((*text = json_dumps(id, JSON_ENCODE_ANY | JSON_COMPACT)) == NULL)
		return fault_set(why, ST_NOMEM, "id");
	if (strlen(*text) <= SESSION_ID_BYTES)
		return ST_OK;
	free(*text);
	*text = NULL;
	return fault_at(why, ST_BAD_REQUEST, "id", "longer than %d bytes", SESSION_ID_BYTES);
}

static enum status
unknown_member(const char *name, struct fault *why)
{
	static const char *const	names[] = { "jsonrpc", "id", "method", "params", NULL };
	const char			*nearest = nearest_name(name, names);

	(void)fault_at(why, ST_BAD_REQUEST, name, "unknown member of a request");
	if (nearest != NULL)
		fault_hint(why, "did you mean \"%s\"?", nearest);
	return ST_BAD_REQUEST;
}

/* The id first, so that any other fault can be answered under it. */
static enum status
request_read(struct request *r, json_t *doc, struct fault *why)
{
	const char	*version, *name;
	json_t		*member;
	enum status	 st;

	*r = (struct request){ .params = json_object_get(doc, "params") };
	if (!json_is_object(doc))
		return fault_set(why, ST_BAD_REQUEST,
		    "a request is one JSON object, no array and no bare value");
	if ((st = request_id(json_object_get(doc, "id"), &r->id, why)) != ST_OK)
		return st;
	version = json_string_value(json_object_get(doc, "jsonrpc"));
	if (version == NULL || strcmp(version, "2.0") != 0)
		return fault_at(why, ST_BAD_REQUEST, "jsonrpc", "must be \"2.0\"");
	if ((r->method = json_string_value(json_object_get(doc, "method"))) == NULL)
		return fault_at(why, ST_BAD_REQUEST, "method", "must be a string");
	json_object_foreach(doc, name, member)
		if (strcmp(name, "jsonrpc") != 0 && strcmp(name, "id") != 0 &&
		    strcmp(name, "method") != 0 && strcmp(name, "params") != 0)
			return unknown_member(name, why);
	return ST_OK;
}

/* Takes the request's id. */
static void
session_call(struct session *s, struct request *r)
{
	struct caller	 who = { s->uid, s->client };
	struct pending	*p, *other = NULL;
	struct fault	 why;

	if (r->id != NULL)
		HASH_FIND_STR(s->by_id, r->id, other);
	if (other != NULL) {		/* answered without id: under it the first call's reply is
					 * still to come */
		(void)fault_at(&why, ST_BAD_REQUEST, "id",
		    "%s is the id of a request that is still unanswered", r->id);
		send_error(s, NULL, API_NOT_A_REQUEST, &why, NULL);
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
	api_call(s->pool->api, &who, r->method, r->params, on_reply, p);
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
		send_error(s, NULL, API_NOT_JSON, &why, &place);
		return;
	}
	if (request_read(&r, doc, &why) != ST_OK) {
		send_error(s, r.id, API_NOT_A_REQUEST, &why, NULL);
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
	send_error(s, NULL, API_NOT_JSON, &why, &place);
	log_warn("session=%" PRIu64 " uid=%u cut off: its line is too long", s->number,
	    (unsigned)s->uid);
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

/* Lines, a few at a time; true: nothing whole is left. */
static bool
handle_lines(struct session *s)
{
	const char	*line;
	size_t		 bytes;

	for (int n = 0; n < LINES_PER_TURN; n++) {
		enum status	st;

		if (s->phase >= SESSION_CLOSING || s->ncalls >= SESSION_MAX_CALLS)
			return false;
		while ((st = line_take(&s->in, &line, &bytes)) == ST_NOT_FOUND)
			if (!feed(s))
				return true;
		if (st == ST_FULL) {
			line_too_long(s);
			return false;
		}
		on_line(s, line, bytes);
	}
	turn_soon(s);
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
	else if (!evtimer_pending(s->turn, NULL))
		(void)evtimer_add(s->turn, &look_again);
}

static void
open_turn(struct session *s)
{
	(void)handle_lines(s);
	if (s->phase != SESSION_OPEN)
		return;
	if (s->ncalls >= SESSION_MAX_CALLS)		/* on_reply resumes */
		(void)bufferevent_disable(s->bev, EV_READ);
	else
		(void)bufferevent_enable(s->bev, EV_READ);
}

static void
on_turn(evutil_socket_t fd, short what, void *arg)
{
	struct session	*s = arg;

	(void)fd;
	(void)what;
	if (s->phase == SESSION_OPEN)
		open_turn(s);
	else if (s->phase == SESSION_HALF)
		half_turn(s);
	else
		session_free(s);		/* dead, or closing for long enough */
}

static void
on_readable(struct bufferevent *bev, void *arg)
{
	struct session	*s = arg;

	(void)bev;
	if (s->phase == SESSION_OPEN && !evtimer_pending(s->turn, NULL))
		open_turn(s);
}

static void
on_drained(struct bufferevent *bev, void *arg)
{
	struct session	*s = arg;

	(void)bev;
	if (s->phase == SESSION_CLOSING)
		session_kill(s);
	else if (s->phase < SESSION_CLOSING)
		api_client_room(s->client);
}

static void
on_event(struct bufferevent *bev, short what, void *arg)
{
	struct session	*s = arg;

	(void)bev;
	if (s->phase == SESSION_OPEN && (what & BEV_EVENT_EOF) != 0) {
		s->phase = SESSION_HALF;
		turn_soon(s);
	} else {
		session_kill(s);
	}
}

/* ---- connections ---- */

static bool
peer_uid(evutil_socket_t fd, uid_t *uid)
{
	struct ucred	peer;
	socklen_t	bytes = sizeof peer;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) != 0)
		return false;
	*uid = peer.uid;
	return true;
}

static void
refuse(evutil_socket_t fd)
{
	static const char	full[] =
	    "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32004,\"message\":"
	    "\"too many connections\",\"data\":{\"word\":\"full\",\"reason\":\"too many "
	    "connections\"," "\"hint\":\"try again later\"}}}\n";

	(void)send(fd, full, sizeof full - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
	(void)close(fd);
	log_warn("connection refused: there are %d already", SESSION_MAX);
}

/* Half-built sessions are taken apart by hand: session_free expects a whole one. */
static struct session *
session_new(struct session_pool *pool, evutil_socket_t fd)
{
	struct session	*s = calloc(1, sizeof *s);

	if (s == NULL)
		return NULL;
	s->pool = pool;
	s->turn = evtimer_new(pool->base, on_turn, s);
	s->client = api_client_new(pool->api, &hooks, s);
	if (s->turn != NULL && s->client != NULL)
		s->bev = bufferevent_socket_new(pool->base, fd, BEV_OPT_CLOSE_ON_FREE);
	if (s->bev != NULL)
		return s;
	if (s->turn != NULL)
		event_free(s->turn);
	api_client_free(s->client);
	free(s);
	return NULL;
}

void
session_accept(struct session_pool *pool, evutil_socket_t fd)
{
	struct session	*s;
	uid_t		 uid;

	if (pool->nsessions >= SESSION_MAX) {
		refuse(fd);
		return;
	}
	if (!peer_uid(fd, &uid) || (s = session_new(pool, fd)) == NULL) {
		(void)close(fd);
		return;
	}
	s->number = ++pool->accepted;
	s->uid = uid;
	line_init(&s->in);
	TAILQ_INIT(&s->calls);
	TAILQ_INSERT_TAIL(&pool->sessions, s, entry);
	pool->nsessions++;
	(void)bufferevent_set_max_single_read(s->bev, READ_BYTES);
	bufferevent_setwatermark(s->bev, EV_READ, 0, READ_BYTES);
	bufferevent_setcb(s->bev, on_readable, on_drained, on_event, s);
	(void)bufferevent_enable(s->bev, EV_READ | EV_WRITE);
	log_debug("session=%" PRIu64 " uid=%u", s->number, (unsigned)uid);
}

enum status
session_pool_new(struct session_pool **out, struct event_base *base, struct api *api,
    struct fault *why)
{
	if ((*out = calloc(1, sizeof **out)) == NULL)
		return fault_set(why, ST_NOMEM, "sessions");
	(*out)->base = base;
	(*out)->api = api;
	TAILQ_INIT(&(*out)->sessions);
	return ST_OK;
}

void
session_pool_hush(struct session_pool *pool)
{
	struct session	*s;

	TAILQ_FOREACH(s, &pool->sessions, entry)
		if (s->phase < SESSION_CLOSING) {
			s->phase = SESSION_CLOSING;
			(void)bufferevent_disable(s->bev, EV_READ);
		}
}

void
session_pool_free(struct session_pool *pool)
{
	struct session	*s;

	if (pool == NULL)
		return;
	while ((s = TAILQ_FIRST(&pool->sessions)) != NULL) {
		if (s->phase != SESSION_DEAD)
			(void)evbuffer_write(output(s), bufferevent_getfd(s->bev));
		session_free(s);
	}
	free(pool);
}
