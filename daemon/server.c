/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "daemon/api/api.h"
#include "daemon/doors/door.h"
#include "daemon/doors/session.h"
#include "daemon/event_drop.h"
#include "daemon/http/http.h"
#include "daemon/server.h"
#include "daemon/signals.h"
#include "daemon/store/store_files.h"
#include "daemon/store/store_lock.h"
#include "daemon/usage/vitals.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"

enum {
	GATHER_US	= 2000,		/* between commits */
	GATHER_LONG_US	= 20000,	/* until a commit that no client waits for */
	LAST_WORDS_US	= 50000,	/* for the last replies when the daemon stops */
	TICK_S		= 1,
	DESCRIPTORS	= 8192,
};

enum server_http { SERVER_SOCKET, SERVER_TCP, SERVER_TLS, SERVER_READ_ONLY, SERVER_HTTP };

struct server {
	struct event_base	*base;		/* borrowed */
	const struct config	*config;	/* borrowed */
	struct store		*store;		/* borrowed */
	struct dispatch		*dispatch;	/* borrowed */
	struct upkeep		*upkeep;	/* borrowed */
	struct api		*api;		/* owned, as are all below */
	struct session_pool	*sessions;
	struct http		*http;
	struct door		*rpc_door;
	struct door		*http_door[SERVER_HTTP];	/* NULL: not configured */
	struct event		*commit, *tick, *parent;
	struct signals		*signals;
	struct timeval		 committed;	/* when the last commit ended */
	bool			 is_draining, is_stopping;
	double			 locked_at_s;	/* monotonic; by another process; 0: it is not */
	double			 drained_by_s;	/* monotonic */
	void			(*reload)(void *arg);
	void			*reload_arg;
};

/* ---- events ---- */

static void	 stop_when_drained(struct server *);

/* Another process has the lock: one line when that begins, one when it is over. */
static void
wait_for_lock(struct server *s)
{
	const char	*path = store_path(s->store);

	if (!store_try_lock(s->store)) {
		if (s->locked_at_s == 0)
			log_warn("store=%s another process holds its write lock: writes wait",
			    path);
		s->locked_at_s = s->locked_at_s == 0 ? clock_now_s() : s->locked_at_s;
	} else if (s->locked_at_s != 0) {
		log_info("store=%s is free again after %.1f s", path,
		    clock_now_s() - s->locked_at_s);
		s->locked_at_s = 0;
		dispatch_kick(s->dispatch);
	}
}

static void
commit_now(struct server *s)
{
	const double	began = clock_now_s();
	struct fault	why;
	enum status	st = store_commit(s->store, &why);

	vitals_note_commit(api_vitals(s->api), clock_now_s() - began, st != ST_OK);
	if (st != ST_OK)
		log_error("store=%s commit: %s", store_path(s->store), why.text);
	(void)evutil_gettimeofday(&s->committed, NULL);
}

static void
on_commit(evutil_socket_t fd, short what, void *arg)
{
	struct server	*s = arg;

	(void)fd;
	(void)what;
	wait_for_lock(s);
	if (!store_is_locked(s->store))
		commit_now(s);
	stop_when_drained(s);
}

/*
 * Group commit.  A write that a client waits for is committed at once, but GATHER_US after the
 * commit before: under load, writes share a commit, because each commit waits for the disk.  Other
 * writes wait up to GATHER_LONG_US. A wall clock that is set back prolongs no wait.
 */
static void
on_dirty(void *arg, bool hurry)
{
	struct server	*s = arg;
	struct timeval	 now, calm, wait = { 0, hurry ? 0 : GATHER_LONG_US };
	long		 calm_us;

	if (!hurry && evtimer_pending(s->commit, NULL))
		return;
	(void)event_base_gettimeofday_cached(s->base, &now);
	evutil_timersub(&now, &s->committed, &calm);
	calm_us = calm.tv_sec * 1000000L + calm.tv_usec;
	if (hurry && calm_us >= 0 && calm_us < GATHER_US)
		wait.tv_usec = GATHER_US - calm_us;
	(void)evtimer_add(s->commit, &wait);
}

/* No new connections and requests; accepted work becomes durable and is acknowledged. */
static void
stop(void *arg, const char *reason)
{
	struct server		*s = arg;
	const struct timeval	 last_words = { 0, s->config->answers_only ? 0 : LAST_WORDS_US };

	if (s->is_stopping)
		return;
	s->is_stopping = true;
	log_info("assayd stops: %s", reason);
	door_close(s->rpc_door);
	for (unsigned i = 0; i < SERVER_HTTP; i++)
		if (s->http_door[i] != NULL)
			door_close(s->http_door[i]);
	session_pool_hush(s->sessions);
	store_last_wait(s->store);
	commit_now(s);
	(void)event_base_loopexit(s->base, &last_words);
}

/* ---- the drain: the timing under way may end, nothing else begins ---- */

static void
stop_when_drained(struct server *s)
{
	if (!s->is_draining || s->is_stopping)
		return;
	if (!dispatch_is_timing(s->dispatch))
		stop(s, "SIGTERM");
	else if (clock_now_s() >= s->drained_by_s)
		stop(s, "SIGTERM; the timing under way took too long, it begins again later");
}

static void
begin_nothing(struct server *s, const char *reason)
{
	upkeep_stop(s->upkeep);
	dispatch_drain(s->dispatch);
	api_drain(s->api, reason);
}

static void
drain(void *arg)
{
	struct server	*s = arg;

	s->is_draining = true;
	s->drained_by_s = clock_now_s() + s->config->drain_s;
	begin_nothing(s, "the daemon is about to stop and takes no more work");
	if (s->config->drain_s != 0 && dispatch_is_timing(s->dispatch))
		log_info("assayd drains: SIGTERM; at most %u s for the timing under way",
		    s->config->drain_s);
	stop_when_drained(s);
}

static void
reload(void *arg)
{
	struct server	*s = arg;

	s->reload(s->reload_arg);
}

/* ---- ticks and the starter ---- */

/* Once a second: is the database there, and does the disk take writes again? */
static void
watch_store(struct server *s)
{
	const bool	takes = store_takes_commits(s->store, NULL);
	struct fault	why;

	if ((takes && store_is_there(s->store, NULL)) || store_is_locked(s->store))
		return;
	if (store_probe(s->store, &why) == ST_OK)
		log_info("store=%s takes commits again", store_path(s->store));
	else if (takes)
		log_error("store=%s takes no commits: %s", store_path(s->store), why.text);
}

static void
on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct server	*s = arg;

	(void)fd;
	(void)what;
	vitals_note_tick(api_vitals(s->api), clock_now_s(), TICK_S);
	watch_store(s);
	api_tick(s->api);
	http_tick(s->http);
	log_tick();
	dispatch_tick(s->dispatch);
	upkeep_tick(s->upkeep, clock_now_s());
	stop_when_drained(s);
}

/* Nothing is read from the descriptor; its end means that the other end is closed. */
static void
on_parent(evutil_socket_t fd, short what, void *arg)
{
	char	bytes[256];
	ssize_t	n = read(fd, bytes, sizeof bytes);

	(void)what;
	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		stop(arg, "exit-with-fd was closed");
}

static void
on_accept(struct evconnlistener *listener, evutil_socket_t fd, struct sockaddr *peer,
    int bytes, void *arg)
{
	struct server	*s = arg;

	(void)listener;
	(void)peer;
	(void)bytes;
	session_accept(s->sessions, fd);
	door_pass(s->rpc_door);
}

/* ---- opening ---- */

/* Room for thousands of clients beside the database and the workers. */
static void
raise_descriptors(void)
{
	struct rlimit	r;

	if (getrlimit(RLIMIT_NOFILE, &r) != 0 || r.rlim_cur >= DESCRIPTORS)
		return;
	r.rlim_cur = r.rlim_max < DESCRIPTORS ? r.rlim_max : DESCRIPTORS;
	if (setrlimit(RLIMIT_NOFILE, &r) != 0)
		log_warn("descriptor limit: %s", strerror(errno));
}

static enum status
open_tcp(struct server *s, enum server_http which, const char *address, struct fault *why)
{
	static const struct {
		const char	*setting;
		enum http_kind	 kind;
	} doors[SERVER_HTTP] = {
		[SERVER_TCP] = { "http", HTTP_LOCAL }, [SERVER_TLS] = { "tls", HTTP_TLS },
		[SERVER_READ_ONLY] = { "read-only", HTTP_OPEN },
	};
	const enum http_kind	kind = doors[which].kind;
	struct door		**door = &s->http_door[which];
	enum status		st;

	if (address[0] == '\0')
		return ST_OK;
	st = door_tcp(door, s->base, doors[which].setting, address, kind == HTTP_LOCAL, why);
	return st == ST_OK ? http_listen(s->http, *door, kind, why) : st;
}

static enum status
open_doors(struct server *s, struct fault *why)
{
	const struct config	*c = s->config;
	struct door		**door = &s->http_door[SERVER_SOCKET];
	enum status		 st;

	if ((st = door_unix(&s->rpc_door, s->base, c->socket_path, c->socket_mode, why)) != ST_OK)
		return st;
	evconnlistener_set_cb(door_listener(s->rpc_door), on_accept, s);
	if (c->http_socket_path[0] != '\0') {
		if ((st = door_unix(door, s->base, c->http_socket_path, c->socket_mode, why)) !=
		    ST_OK || (st = http_listen(s->http, *door, HTTP_LOCAL, why)) != ST_OK)
			return st;
	}
	if ((st = open_tcp(s, SERVER_TCP, c->http_tcp, why)) != ST_OK ||
	    (st = open_tcp(s, SERVER_TLS, c->tls, why)) != ST_OK ||
	    (st = open_tcp(s, SERVER_READ_ONLY, c->read_only, why)) != ST_OK)
		return st;
	if (s->http_door[SERVER_TCP] != NULL)
		api_set_http_tcp(s->api, door_address(s->http_door[SERVER_TCP]));
	if (s->http_door[SERVER_TLS] != NULL)
		api_set_tls(s->api, door_address(s->http_door[SERVER_TLS]));
	return ST_OK;
}

static enum status
make_events(struct server *s, struct fault *why)
{
	s->commit = evtimer_new(s->base, on_commit, s);
	s->tick = event_new(s->base, -1, EV_PERSIST, on_tick, s);
	if (s->commit == NULL || s->tick == NULL)
		return fault_set(why, ST_NOMEM, "events");
	if (s->config->exit_with_fd < 0)
		return ST_OK;
	if (evutil_make_socket_nonblocking(s->config->exit_with_fd) != 0 ||
	    evutil_make_socket_closeonexec(s->config->exit_with_fd) != 0)
		return fault_set(why, ST_BAD_REQUEST, "exit-with-fd %d: %s",
		    s->config->exit_with_fd, strerror(errno));
	s->parent = event_new(s->base, s->config->exit_with_fd, EV_READ | EV_PERSIST, on_parent, s);
	return s->parent != NULL ? ST_OK : fault_set(why, ST_NOMEM, "events");
}

static enum status
add_events(struct server *s, struct fault *why)
{
	static const struct timeval		second = { TICK_S, 0 };
	static const struct signal_hooks	hooks = { drain, stop, reload };

	if (event_add(s->tick, &second) != 0)
		return fault_set(why, ST_IO, "events cannot be added");
	if (signals_new(&s->signals, s->base, &hooks, s, why) != ST_OK)
		return ST_NOMEM;
	if (s->parent != NULL && event_add(s->parent, NULL) != 0)
		return fault_set(why, ST_BAD_REQUEST,
		    "exit-with-fd %d cannot be watched: give a pipe or a socket",
		    s->config->exit_with_fd);
	return ST_OK;
}

enum status
server_new(struct server **out, const struct api_env *env, struct fault *why)
{
	struct event_base	*base = env->base;
	const struct config	*config = env->config;
	struct server		*s = calloc(1, sizeof *s);
	enum status		 st;

	*out = NULL;
	if (s == NULL)
		return fault_set(why, ST_NOMEM, "server");
	s->base = base;
	s->config = config;
	s->store = env->store;
	s->dispatch = env->dispatch;
	s->upkeep = env->upkeep;
	raise_descriptors();
	if (config->ready_fd >= 0)		/* in a worker it would hide the daemon's end */
		(void)evutil_make_socket_closeonexec(config->ready_fd);
	if ((st = api_new(&s->api, env, why)) != ST_OK ||
	    (st = session_pool_new(&s->sessions, base, s->api, why)) != ST_OK ||
	    (st = http_new(&s->http, base, s->api, why)) != ST_OK ||
	    (st = make_events(s, why)) != ST_OK || (st = open_doors(s, why)) != ST_OK ||
	    (st = add_events(s, why)) != ST_OK) {
		server_free(s);
		return st;
	}
	store_set_on_dirty(s->store, on_dirty, s);
	*out = s;
	return ST_OK;
}

/* ---- running ---- */

static const char *
address_of(const struct server *s, enum server_http which)
{
	return s->http_door[which] != NULL ? door_address(s->http_door[which]) : "-";
}

static void
say_ready(const struct server *s)
{
	static const char *const	words[SERVER_HTTP] = { NULL, "http", "tls", "read-only" };
	char				text[500] = "ready\n";
	size_t				n = strlen(text);
	int				fd = s->config->ready_fd;

	if (fd < 0)
		return;
	for (unsigned i = SERVER_TCP; i < SERVER_HTTP; i++)
		if (s->http_door[i] != NULL)
			n += (size_t)snprintf(text + n, sizeof text - n, "%s %.128s\n", words[i],
			    door_address(s->http_door[i]));
	if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		log_warn("ready-fd %d: %s", fd, strerror(errno));
	(void)close(fd);
}

void
server_only_answer(struct server *s)
{
	begin_nothing(s, "this daemon only answers questions");
}

enum status
server_recover(struct server *s, struct fault *why)
{
	return api_recover(s->api, why);
}

enum status
server_run(struct server *s, struct fault *why)
{
	door_open(s->rpc_door);
	for (unsigned i = 0; i < SERVER_HTTP; i++)
		if (s->http_door[i] != NULL)
			door_open(s->http_door[i]);
	log_info("serving rpc=%s http=%s tcp=%s tls=%s read-only=%s", door_address(s->rpc_door),
	    address_of(s, SERVER_SOCKET), address_of(s, SERVER_TCP), address_of(s, SERVER_TLS),
	    address_of(s, SERVER_READ_ONLY));
	say_ready(s);
	if (event_base_dispatch(s->base) < 0)
		return fault_set(why, ST_INTERNAL, "the event loop failed: %s", strerror(errno));
	return api_recovered(s->api, why);
}

void
server_set_quota(struct server *s, unsigned connections)
{
	accounts_set_quota(api_accounts(s->api), connections);
}

void
server_reload_doors(struct server *s)
{
	http_reload(s->http);
}

void
server_on_reload(struct server *s, void (*fn)(void *), void *arg)
{
	s->reload = fn;
	s->reload_arg = arg;
}

void
server_free(struct server *s)
{
	if (s == NULL)
		return;
	store_set_on_dirty(s->store, NULL, NULL);
	if (s->api != NULL)
		api_stop(s->api);
	session_pool_free(s->sessions);
	http_free(s->http);
	door_free(s->rpc_door);
	for (unsigned i = 0; i < SERVER_HTTP; i++)
		door_free(s->http_door[i]);
	api_free(s->api);
	event_drop(s->commit);
	event_drop(s->tick);
	signals_free(s->signals);
	event_drop(s->parent);
	free(s);
}
