/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "daemon/doors/door.h"
#include "proto/base/log.h"
#include "proto/base/path.h"

enum {
	BACKLOG		= SOMAXCONN,	/* a Unix socket refuses what does not fit */
	PASSES_AT_ONCE	= 32,
};

struct door {
	int			 fd;		/* owned */
	struct evconnlistener	*listener;	/* owned unless lent */
	bool			 lent, closed;
	struct event		*waker;		/* owned */
	unsigned		 passed;	/* connections so far */
	char			*path;		/* owned; a bound Unix socket's; NULL: none */
	struct stat		 file;		/* the socket file that is ours */
	char			 address[sizeof(struct sockaddr_un)];
	TAILQ_ENTRY(door)	 entry;
};

/*
 * All of the process.  A listener's callbacks share one argument, its borrower's: errors look their
 * door up here.
 */
static TAILQ_HEAD(, door)	doors = TAILQ_HEAD_INITIALIZER(doors);

/* ---- Unix ---- */

/* ST_CONFLICT: another process answers there. */
static enum status
clear_stale(const struct sockaddr_un *su, struct fault *why)
{
	struct stat	sb;
	int		fd, error;

	if (lstat(su->sun_path, &sb) != 0)
		return errno == ENOENT ? ST_OK : fault_set(why, ST_IO, "%s: %s", su->sun_path,
		    strerror(errno));
	if (!S_ISSOCK(sb.st_mode))
		return fault_set(why, ST_CONFLICT, "%s is there and no socket", su->sun_path);
	if ((fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) < 0)
		return fault_set(why, ST_IO, "socket: %s", strerror(errno));
	error = connect(fd, (const struct sockaddr *)su, sizeof *su) == 0 ? 0 : errno;
	(void)close(fd);
	if (error != ECONNREFUSED && error != ENOENT) {
		(void)fault_set(why, ST_CONFLICT, "another assayd serves %s", su->sun_path);
		fault_hint(why, "talk to that one, or give another path");
		return ST_CONFLICT;
	}
	if (unlink(su->sun_path) != 0 && errno != ENOENT)
		return fault_set(why, ST_IO, "%s: %s", su->sun_path, strerror(errno));
	return ST_OK;
}

/*
 * The file appears with its permissions; until then the directory's lock keeps a second daemon from
 * the same path.
 */
static enum status
bind_unix(struct door *d, const struct sockaddr_un *su, unsigned mode, struct fault *why)
{
	mode_t		umask_before = umask(~mode & 0777);
	int		rc;

	rc = bind(d->fd, (const struct sockaddr *)su, sizeof *su);
	(void)umask(umask_before);
	if (rc != 0 || listen(d->fd, BACKLOG) != 0 || lstat(su->sun_path, &d->file) != 0)
		return fault_set(why, ST_IO, "%s: %s", su->sun_path, strerror(errno));
	if ((d->path = strdup(su->sun_path)) == NULL)
		return fault_set(why, ST_NOMEM, "socket");
	return ST_OK;
}

static int
lock_directory(const char *path)
{
	char	dir[sizeof(struct sockaddr_un)], *slash;
	int	fd;

	(void)snprintf(dir, sizeof dir, "%s", path);
	slash = strrchr(dir, '/');
	slash[slash == dir] = '\0';
	if ((fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) >= 0)
		(void)flock(fd, LOCK_EX);
	return fd;
}

static enum status
listen_unix(struct door *d, const char *path, unsigned mode, struct fault *why)
{
	struct sockaddr_un	su = { .sun_family = AF_UNIX };
	enum status		st;
	int			lock;

	if (path[0] != '/' || strlen(path) >= sizeof su.sun_path)
		return fault_set(why, ST_BAD_REQUEST,
		    "%s: a socket's path is absolute and has at most %zu bytes", path,
		    sizeof su.sun_path - 1);
	(void)snprintf(su.sun_path, sizeof su.sun_path, "%s", path);
	(void)snprintf(d->address, sizeof d->address, "%s", path);
	if ((st = path_make_above(path, (mode & 077) != 0 ? 0755 : 0700, why)) != ST_OK)
		return st;
	lock = lock_directory(path);
	if ((st = clear_stale(&su, why)) == ST_OK)
		st = bind_unix(d, &su, mode, why);
	if (lock >= 0)
		(void)close(lock);
	return st;
}

/* ---- TCP ---- */

static bool
is_loopback(const union door_peer *a)
{
	if (a->sa.sa_family == AF_INET)
		return (ntohl(a->in.sin_addr.s_addr) >> 24) == 127;
	return a->sa.sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&a->in6.sin6_addr);
}

/* evutil_parse_sockaddr_port knows no port 0. */
static bool
read_address(const char *text, union door_peer *a, socklen_t *bytes)
{
	char		 host[INET6_ADDRSTRLEN + 2], *end;
	const char	*colon = strrchr(text, ':');
	unsigned long	 port;
	size_t		 n = colon != NULL ? (size_t)(colon - text) : 0;

	if (n == 0 || n >= sizeof host || colon[1] < '0' || colon[1] > '9' ||
	    (port = strtoul(colon + 1, &end, 10)) > 65535 || *end != '\0')
		return false;
	(void)snprintf(host, sizeof host, "%.*s", (int)n, text);
	memset(a, 0, sizeof *a);
	if (host[0] != '[') {
		a->in.sin_family = AF_INET;
		a->in.sin_port = htons((uint16_t)port);
		*bytes = sizeof a->in;
		return inet_pton(AF_INET, host, &a->in.sin_addr) == 1;
	}
	a->in6.sin6_family = AF_INET6;
	a->in6.sin6_port = htons((uint16_t)port);
	*bytes = sizeof a->in6;
	if (host[n - 1] != ']')
		return false;
	host[n - 1] = '\0';
	return inet_pton(AF_INET6, host + 1, &a->in6.sin6_addr) == 1;
}

static enum status
parse_address(const char *setting, const char *text, bool loopback, union door_peer *a,
    socklen_t *bytes, struct fault *why)
{
	if (!read_address(text, a, bytes)) {
		(void)fault_at(why, ST_BAD_REQUEST, setting,
		    "\"%s\" is no address with a port", text);
		fault_hint(why, "give %s:PORT or %s:PORT; port 0 is any free one",
		    loopback ? "127.0.0.1" : "0.0.0.0", loopback ? "[::1]" : "[::]");
		return ST_BAD_REQUEST;
	}
	if (loopback && !is_loopback(a)) {
		(void)fault_at(why, ST_DENIED, setting,
		    "%s is not loopback, and this service runs foreign code", text);
		fault_hint(why,
		    "give 127.0.0.1:PORT or [::1]:PORT, and reach it through ssh; or serve tls");
		return ST_DENIED;
	}
	return ST_OK;
}

static void
name_address(struct door *d)
{
	union door_peer	a = { .sa.sa_family = AF_UNSPEC };
	socklen_t	bytes = sizeof a;
	char		host[INET6_ADDRSTRLEN] = "";

	(void)getsockname(d->fd, &a.sa, &bytes);
	if (a.sa.sa_family == AF_INET6) {
		(void)inet_ntop(AF_INET6, &a.in6.sin6_addr, host, sizeof host);
		(void)snprintf(d->address, sizeof d->address, "[%s]:%u", host,
		    (unsigned)ntohs(a.in6.sin6_port));
	} else {
		(void)inet_ntop(AF_INET, &a.in.sin_addr, host, sizeof host);
		(void)snprintf(d->address, sizeof d->address, "%s:%u", host,
		    (unsigned)ntohs(a.in.sin_port));
	}
}

static enum status
listen_tcp(struct door *d, const union door_peer *a, socklen_t bytes, const char *setting,
    const char *text, struct fault *why)
{
	const int	on = 1;

	(void)setsockopt(d->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
	if (a->sa.sa_family == AF_INET6)
		(void)setsockopt(d->fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
	if (bind(d->fd, &a->sa, bytes) != 0 || listen(d->fd, BACKLOG) != 0)
		return fault_at(why, ST_IO, setting, "%s: %s", text, strerror(errno));
	name_address(d);
	return ST_OK;
}

/* ---- both ---- */

static void
on_rested(evutil_socket_t fd, short what, void *arg)
{
	struct door	*d = arg;

	(void)fd;
	(void)what;
	if (!d->closed)
		(void)evconnlistener_enable(d->listener);
}

static void
on_accept_error(struct evconnlistener *listener, void *arg)
{
	struct door	*d;

	(void)arg;
	TAILQ_FOREACH(d, &doors, entry) {
		if (d->listener == listener) {
			log_error("door=%s accept: %s", d->address, strerror(errno));
			door_rest(d);
		}
	}
}

static enum status
door_new(struct door **out, int family, struct fault *why)
{
	struct door	*d = calloc(1, sizeof *d);

	*out = d;
	if (d == NULL)
		return fault_set(why, ST_NOMEM, "door");
	TAILQ_INSERT_TAIL(&doors, d, entry);
	if ((d->fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) < 0)
		return fault_set(why, ST_IO, "socket: %s", strerror(errno));
	return ST_OK;
}

static enum status
door_watch(struct door *d, struct event_base *base, struct fault *why)
{
	d->waker = evtimer_new(base, on_rested, d);
	d->listener = evconnlistener_new(base, NULL, NULL,
	    LEV_OPT_CLOSE_ON_EXEC | LEV_OPT_DISABLED, 0, d->fd);
	if (d->waker == NULL || d->listener == NULL)
		return fault_set(why, ST_NOMEM, "door");
	evconnlistener_set_error_cb(d->listener, on_accept_error);
	return ST_OK;
}

static enum status
door_made(struct door **out, struct door *d, enum status st)
{
	*out = d;
	if (st != ST_OK) {
		door_free(d);
		*out = NULL;
	}
	return st;
}

enum status
door_unix(struct door **out, struct event_base *base, const char *path, unsigned mode,
    struct fault *why)
{
	struct door	*d;
	enum status	 st;

	if ((st = door_new(&d, AF_UNIX, why)) == ST_OK &&
	    (st = listen_unix(d, path, mode, why)) == ST_OK)
		st = door_watch(d, base, why);
	return door_made(out, d, st);
}

enum status
door_tcp(struct door **out, struct event_base *base, const char *setting, const char *text,
    bool loopback, struct fault *why)
{
	union door_peer	 a;
	struct door	*d;
	enum status	 st;
	socklen_t	 bytes;

	*out = NULL;
	if ((st = parse_address(setting, text, loopback, &a, &bytes, why)) != ST_OK)
		return st;
	if ((st = door_new(&d, a.sa.sa_family, why)) == ST_OK &&
	    (st = listen_tcp(d, &a, bytes, setting, text, why)) == ST_OK)
		st = door_watch(d, base, why);
	return door_made(out, d, st);
}

struct evconnlistener *
door_listener(struct door *d)
{
	return d->listener;
}

void
door_lend(struct door *d)
{
	d->lent = true;
}

const char *
door_address(const struct door *d)
{
	return d->address;
}

void
door_open(struct door *d)
{
	(void)evconnlistener_enable(d->listener);
}

void
door_close(struct door *d)
{
	d->closed = true;
	(void)evconnlistener_disable(d->listener);
}

void
door_rest(struct door *d)
{
	static const struct timeval	rest = { 1, 0 };

	(void)evconnlistener_disable(d->listener);
	(void)evtimer_add(d->waker, &rest);
}

bool
door_peer_uid(evutil_socket_t fd, uid_t *uid)
{
	struct ucred	peer;
	socklen_t	bytes = sizeof peer;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) != 0)
		return false;
	*uid = peer.uid;
	return true;
}

void
door_pass(struct door *d)
{
	static const struct timeval	now = { 0, 0 };

	if (++d->passed % PASSES_AT_ONCE != 0 || d->closed || evtimer_pending(d->waker, NULL))
		return;
	(void)evconnlistener_disable(d->listener);
	(void)evtimer_add(d->waker, &now);
}

void
door_free(struct door *d)
{
	struct stat	now;

	if (d == NULL)
		return;
	TAILQ_REMOVE(&doors, d, entry);
	if (d->waker != NULL)
		event_free(d->waker);
	if (d->listener != NULL && !d->lent)
		evconnlistener_free(d->listener);
	if (d->path != NULL && lstat(d->path, &now) == 0 && now.st_dev == d->file.st_dev &&
	    now.st_ino == d->file.st_ino)
		(void)unlink(d->path);
	if (d->fd >= 0)
		(void)close(d->fd);
	free(d->path);
	free(d);
}
