/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/doors/door.h"
#include "daemon/doors/session_impl.h"
#include "daemon/usage/vitals.h"
#include "proto/base/log.h"

enum { LINGER_S = 5 };	/* a session that is being closed may still read its last reply */

struct evbuffer *
session_output(struct session *s)
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
	account_wait_no_more(s->account, &s->waiter);
	account_hold(s->account, &s->held, 0);
	account_close(s->account, TRAFFIC_RPC);
	while ((p = TAILQ_FIRST(&s->calls)) != NULL) {		/* submissions on their way to the
								 * disk */
		TAILQ_REMOVE(&s->calls, p, entry);
		if (p->id != NULL)
			HASH_DEL(s->by_id, p);
		p->session = NULL;
	}
	TAILQ_REMOVE(&s->pool->sessions, s, entry);
	log_debug("session=%" PRIu64 " closed", s->number);
	turn_drop(s->pool->turns, &s->turn);
	event_free(s->later);
	event_free(s->late);
	unread_release(&s->unread);
	bufferevent_free(s->bev);
	line_release(&s->in);
	free(s);
}

void
session_turn_soon(struct session *s)
{
	static const struct timeval	now = { 0, 0 };

	if (turn_ask(s->pool->turns, &s->turn, s->uid))
		(void)evtimer_del(s->later);
	else
		(void)evtimer_add(s->later, &now);
}

bool
session_turn_is_due(const struct session *s)
{
	return s->turn.user != NULL || evtimer_pending(s->later, NULL);
}

void
session_turn_later(struct session *s, const struct timeval *when)
{
	if (!session_turn_is_due(s))
		(void)evtimer_add(s->later, when);
}

/* From inside a call or callback: the session goes at its next turn. */
void
session_kill(struct session *s)
{
	s->phase = SESSION_DEAD;
	(void)bufferevent_disable(s->bev, EV_READ | EV_WRITE);
	session_turn_soon(s);
}

/* Read and call nothing more; close once the output is gone, or after a while. */
void
session_close(struct session *s)
{
	static const struct timeval	linger = { LINGER_S, 0 };

	if (s->phase >= SESSION_CLOSING)
		return;
	s->phase = SESSION_CLOSING;
	(void)bufferevent_disable(s->bev, EV_READ);
	turn_drop(s->pool->turns, &s->turn);
	if (evbuffer_get_length(session_output(s)) == 0)
		session_kill(s);
	else
		(void)evtimer_add(s->later, &linger);
}

void
session_cut_off(struct session *s, enum traffic_reason reason, const char *words)
{
	log_warn("session=%" PRIu64 " uid=%u cut off: %s", s->number, (unsigned)s->uid, words);
	api_vitals(s->pool->api)->ended[TRAFFIC_RPC][reason]++;
}

/*
 * Room for a whole line is taken at once: of several long lines that grew side by side, none might
 * ever end.
 */
void
session_settle(struct session *s)
{
	size_t	in = s->long_line ? SESSION_LONG_LINE_BYTES : s->in.size;

	account_hold(s->account, &s->held, in + evbuffer_get_length(bufferevent_get_input(s->bev)) +
	    evbuffer_get_length(session_output(s)));
}

/* ---- connections ---- */

static void
refuse(struct session_pool *pool, evutil_socket_t fd, const struct fault *why)
{
	json_t	*error = json_pack("{s:s,s:n,s:{s:i,s:s,s:o}}", "jsonrpc", "2.0", "id", "error",
		    "code", API_FULL, "message", why->text, "data", api_fault_data(why));
	char	*text = json_dumps(error, JSON_COMPACT);

	if (text != NULL) {
		(void)send(fd, text, strlen(text), MSG_DONTWAIT | MSG_NOSIGNAL);
		(void)send(fd, "\n", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
	}
	(void)close(fd);
	free(text);
	json_decref(error);
	log_warn("connection refused: %s", why->text);
	api_vitals(pool->api)->ended[TRAFFIC_RPC][TRAFFIC_FULL]++;
}

static void
on_turn(void *arg)
{
	struct session	*s = arg;

	if (s->phase < SESSION_CLOSING)
		session_turn(s);
	else
		session_free(s);		/* dead, or closing for long enough */
}

static void
on_later(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	on_turn(arg);
}

static void
on_stalled(void *arg)
{
	struct session	*s = arg;
	char		 words[64];

	(void)snprintf(words, sizeof words, "it left %zu bytes unread",
	    evbuffer_get_length(session_output(s)));
	session_cut_off(s, TRAFFIC_UNREAD, words);
	session_kill(s);
}

/* Half-built sessions are taken apart by hand: session_free expects a whole one. */
static struct session *
session_new(struct session_pool *pool, evutil_socket_t fd, uid_t uid)
{
	struct session	*s = calloc(1, sizeof *s);

	if (s == NULL)
		return NULL;
	s->pool = pool;
	s->uid = uid;
	s->turn = (struct turn){ .run = on_turn, .arg = s };
	s->later = evtimer_new(pool->base, on_later, s);
	s->late = evtimer_new(pool->base, session_on_late, s);
	s->client = api_client_new(pool->api, uid, &session_hooks, s);
	if (s->later != NULL && s->late != NULL && s->client != NULL)
		s->bev = bufferevent_socket_new(pool->base, fd, BEV_OPT_CLOSE_ON_FREE);
	if (s->bev != NULL && unread_init(&s->unread, pool->base, session_output(s),
	    api_env(pool->api)->config->client_timeout_s, on_stalled, s))
		return s;
	unread_release(&s->unread);
	if (s->bev != NULL)
		bufferevent_free(s->bev);
	if (s->late != NULL)
		event_free(s->late);
	if (s->later != NULL)
		event_free(s->later);
	api_client_free(s->client);
	free(s);
	return NULL;
}

static void
on_room(void *arg)
{
	struct session	*s = arg;

	if (s->waiter.need_bytes == SESSION_LONG_LINE_BYTES) {
		s->long_line = true;
		session_settle(s);
	}
	session_turn_soon(s);
}

void
session_accept(struct session_pool *pool, evutil_socket_t fd)
{
	struct account	*account;
	struct session	*s;
	struct fault	 why;
	uid_t		 uid;

	if (!door_peer_uid(fd, &uid)) {
		(void)close(fd);
		return;
	}
	if (account_open(api_accounts(pool->api), uid, TRAFFIC_RPC, &account, &why) != ST_OK) {
		refuse(pool, fd, &why);
		return;
	}
	if ((s = session_new(pool, fd, uid)) == NULL) {
		account_close(account, TRAFFIC_RPC);
		(void)close(fd);
		return;
	}
	s->number = ++pool->accepted;
	s->account = account;
	s->waiter = (struct account_waiter){ .on_room = on_room, .arg = s };
	api_client_charge(s->client, account);
	line_init(&s->in);
	TAILQ_INIT(&s->calls);
	TAILQ_INSERT_TAIL(&pool->sessions, s, entry);
	session_serve(s);
	log_debug("session=%" PRIu64 " uid=%u", s->number, (unsigned)uid);
}

enum status
session_pool_new(struct session_pool **out, struct event_base *base, struct api *api,
    struct fault *why)
{
	struct session_pool	*pool = calloc(1, sizeof *pool);

	*out = NULL;
	if (pool == NULL || turns_new(&pool->turns, base, why) != ST_OK) {
		free(pool);
		return fault_set(why, ST_NOMEM, "sessions");
	}
	pool->base = base;
	pool->api = api;
	TAILQ_INIT(&pool->sessions);
	*out = pool;
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
			(void)evbuffer_write(session_output(s), bufferevent_getfd(s->bev));
		session_free(s);
	}
	turns_free(pool->turns);
	free(pool);
}
