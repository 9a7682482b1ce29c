/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "daemon/api/api.h"
#include "daemon/doors/door.h"
#include "daemon/doors/http.h"
#include "daemon/doors/session.h"
#include "daemon/server.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"

enum {
	GATHER_US	= 2000,		/* between commits */
	GATHER_LONG_US	= 20000,	/* until a commit that no client waits for */
	LAST_WORDS_US	= 50000,	/* for the last replies when the daemon stops */
	DESCRIPTORS	= 8192,
};

struct server {
	struct event_base	*base;		/* borrowed */
	const struct config	*config;	/* borrowed */
	struct store		*store;		/* borrowed */
	struct dispatch		*dispatch;	/* borrowed */
	struct upkeep		*upkeep;	/* borrowed */
	struct api		*api;		/* owned, as are all below */
	struct session_pool	*sessions;
	struct http		*http;
	/* the last two NULL: not configured */
	struct door		*rpc_door, *http_door, *tcp_door;
	struct event		*commit, *tick, *on_term, *on_int, *parent;
	struct timeval		 committed;	/* when the last commit ended */
};

/* ---- events ---- */

static void
commit_now(struct server *s)
{
	struct fault	why;

	if (store_commit(s->store, &why) != ST_OK)
		log_error("store=%s commit: %s", store_path(s->store), why.text);
	(void)evutil_gettimeofday(&s->committed, NULL);
}

static void
on_commit(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	commit_now(arg);
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

static void
on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct server	*s = arg;

	(void)fd;
	(void)what;
	dispatch_tick(s->dispatch);
	upkeep_tick(s->upkeep, clock_wall_s());
}

/* No new connections and requests; accepted work becomes durable and is acknowledged. */
static void
stop(struct server *s, const char *reason)
{
	static const struct timeval	last_words = { 0, LAST_WORDS_US };

	log_info("assayd stops: %s", reason);
	door_close(s->rpc_door);
	if (s->http_door != NULL)
		door_close(s->http_door);
	if (s->tcp_door != NULL)
		door_close(s->tcp_door);
	session_pool_hush(s->sessions);
	commit_now(s);
	(void)event_base_loopexit(s->base, &last_words);
}

static void
on_signal(evutil_socket_t number, short what, void *arg)
{
	(void)what;
	stop(arg, number == SIGTERM ? "SIGTERM" : "SIGINT");
}

static void
on_pipe(int number)
{
	(void)number;
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
open_doors(struct server *s, struct fault *why)
{
	const struct config	*c = s->config;
	enum status		 st;

	if ((st = door_unix(&s->rpc_door, s->base, c->socket_path, c->socket_mode, why)) != ST_OK)
		return st;
	evconnlistener_set_cb(door_listener(s->rpc_door), on_accept, s);
	if (c->http_socket_path[0] != '\0') {
		if ((st = door_unix(&s->http_door, s->base, c->http_socket_path, c->socket_mode,
		    why)) != ST_OK || (st = http_listen(s->http, s->http_door, why)) != ST_OK)
			return st;
	}
	if (c->http_tcp[0] != '\0') {
		if ((st = door_tcp(&s->tcp_door, s->base, c->http_tcp, why)) != ST_OK ||
		    (st = http_listen(s->http, s->tcp_door, why)) != ST_OK)
			return st;
		api_set_http_tcp(s->api, door_address(s->tcp_door));
	}
	return ST_OK;
}

/*
 * A write to a closed connection is then an EPIPE. Caught, not ignored: exec restores the default.
 */
static void
survive_sigpipe(void)
{
	struct sigaction	sa = { .sa_handler = on_pipe, .sa_flags = SA_RESTART };

	(void)sigemptyset(&sa.sa_mask);
	(void)sigaction(SIGPIPE, &sa, NULL);
}

static enum status
make_events(struct server *s, struct fault *why)
{
	s->commit = evtimer_new(s->base, on_commit, s);
	s->tick = event_new(s->base, -1, EV_PERSIST, on_tick, s);
	s->on_term = evsignal_new(s->base, SIGTERM, on_signal, s);
	s->on_int = evsignal_new(s->base, SIGINT, on_signal, s);
	if (s->commit == NULL || s->tick == NULL || s->on_term == NULL || s->on_int == NULL)
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

/* From here on a signal stops the event loop, even before it runs. */
static enum status
add_events(struct server *s, struct fault *why)
{
	static const struct timeval	second = { 1, 0 };

	if (event_add(s->tick, &second) != 0 || event_add(s->on_term, NULL) != 0 ||
	    event_add(s->on_int, NULL) != 0)
		return fault_set(why, ST_IO, "events cannot be added");
	if (s->parent != NULL && event_add(s->parent, NULL) != 0)
		return fault_set(why, ST_BAD_REQUEST,
		    "exit-with-fd %d cannot be watched: give a pipe or a socket",
		    s->config->exit_with_fd);
	return ST_OK;
}

enum status
server_new(struct server **out, struct event_base *base, const struct config *config,
    struct store *store, struct queue *queue, struct intake *intake, struct dispatch *dispatch,
    const struct topology *topology, struct upkeep *upkeep, struct fault *why)
{
	struct api_env	 env = { base, config, topology, store, queue, intake, dispatch, upkeep };
	struct server	*s = calloc(1, sizeof *s);
	enum status	 st;

	*out = NULL;
	if (s == NULL)
		return fault_set(why, ST_NOMEM, "server");
	s->base = base;
	s->config = config;
	s->store = store;
	s->dispatch = dispatch;
	s->upkeep = upkeep;
	raise_descriptors();
	survive_sigpipe();
	if (config->ready_fd >= 0)		/* in a worker it would hide the daemon's end */
		(void)evutil_make_socket_closeonexec(config->ready_fd);
	if ((st = api_new(&s->api, &env, why)) != ST_OK ||
	    (st = session_pool_new(&s->sessions, base, s->api, why)) != ST_OK ||
	    (st = http_new(&s->http, base, s->api, why)) != ST_OK ||
	    (st = make_events(s, why)) != ST_OK || (st = open_doors(s, why)) != ST_OK ||
	    (st = add_events(s, why)) != ST_OK) {
		server_free(s);
		return st;
	}
	store_set_on_dirty(store, on_dirty, s);
	*out = s;
	return ST_OK;
}

/* ---- running ---- */

static void
say_ready(const struct server *s)
{
	char	text[160] = "ready\n";
	int	fd = s->config->ready_fd;

	if (fd < 0)
		return;
	if (s->tcp_door != NULL)
		(void)snprintf(text, sizeof text, "ready\nhttp %s\n", door_address(s->tcp_door));
	if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		log_warn("ready-fd %d: %s", fd, strerror(errno));
	(void)close(fd);
}

enum status
server_run(struct server *s, struct fault *why)
{
	door_open(s->rpc_door);
	if (s->http_door != NULL)
		door_open(s->http_door);
	if (s->tcp_door != NULL)
		door_open(s->tcp_door);
	log_info("serving rpc=%s http=%s tcp=%s", door_address(s->rpc_door),
	    s->http_door != NULL ? door_address(s->http_door) : "-",
	    s->tcp_door != NULL ? door_address(s->tcp_door) : "-");
	say_ready(s);
	if (event_base_dispatch(s->base) < 0)
		return fault_set(why, ST_INTERNAL, "the event loop failed: %s", strerror(errno));
	return ST_OK;
}

static void
free_event(struct event *e)
{
	if (e != NULL)
		event_free(e);
}

void
server_free(struct server *s)
{
	if (s == NULL)
		return;
	store_set_on_dirty(s->store, NULL, NULL);
	session_pool_free(s->sessions);
	http_free(s->http);
	door_free(s->rpc_door);
	door_free(s->http_door);
	door_free(s->tcp_door);
	api_free(s->api);
	free_event(s->commit);
	free_event(s->tick);
	free_event(s->on_term);
	free_event(s->on_int);
	free_event(s->parent);
	free(s);
}
