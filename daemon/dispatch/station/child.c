/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>

#include "daemon/dispatch/station/child.h"
#include "daemon/dispatch/station/child_output.h"
#include "proto/base/log.h"

enum {
	WORKER_FD = 3, STOP_PATIENCE_MS = 3000, STOP_POLL_MS = 5,
	/* more than a socket holds: what a child that is over may have left there */
	LAST_WORDS_BYTES = 4 << 20,
	READ_BYTES = 16 << 10,
};

extern char	**environ;

struct child {
	struct child_pool	*pool;		/* borrowed */
	pid_t			 pid;
	struct bufferevent	*bev;		/* owned, writes; NULL after EOF */
	struct event		*readable;	/* owned; NULL after EOF */
	struct evbuffer		*in;		/* owned */
	struct child_output	*output;	/* owned */
	struct child_events	 events;
	void			*arg;
	struct event		*overdue;	/* owned; NULL: no EOF yet */
	bool			 reaped, killed;
	int			 wait_status;
	TAILQ_ENTRY(child)	 entry;
};

struct child_pool {
	struct event_base	*base;		/* borrowed */
	struct event		*on_sigchld;	/* owned */
	TAILQ_HEAD(, child)	 children;
	uint64_t		 kills[KILL_N];
};

static void
close_socket(struct child *c)
{
	if (c->readable != NULL)
		event_free(c->readable);
	if (c->bev != NULL)
		bufferevent_free(c->bev);
	c->readable = NULL;
	c->bev = NULL;
}

static void
child_free(struct child *c)
{
	TAILQ_REMOVE(&c->pool->children, c, entry);
	close_socket(c);
	if (c->in != NULL)
		evbuffer_free(c->in);
	if (c->overdue != NULL)
		event_free(c->overdue);
	child_output_free(c->output);
	free(c);
}

static void
child_maybe_done(struct child *c)
{
	if (c->bev != NULL || !c->reaped)
		return;
	child_output_free(c->output);
	c->output = NULL;
	c->events.on_end(c->arg, c, c->wait_status);
	child_free(c);
}

static void
on_overdue(evutil_socket_t fd, short what, void *arg)
{
	struct child	*c = arg;

	(void)fd;
	(void)what;
	log_error("worker=%d closed its socket and goes on, killed", (int)c->pid);
	child_kill(c, KILL_DEAF);
}

/* Without memory for the timer there is no patience. */
static void
limit_the_end(struct child *c)
{
	static const struct timeval	limit = { CHILD_DEAF_S, 0 };

	c->overdue = evtimer_new(c->pool->base, on_overdue, c);
	if (c->overdue == NULL || evtimer_add(c->overdue, &limit) != 0)
		child_kill(c, KILL_DEAF);
}

static void
child_closed(struct child *c)
{
	close_socket(c);
	if (!c->reaped)
		limit_the_end(c);
	child_maybe_done(c);
}

/* Take one whole frame out of the buffer. false: it is incomplete, or the child was killed. */
static bool
take_message(struct child *c, struct msg *msg)
{
	struct evbuffer	*in = c->in;
	unsigned char	 header[MSG_HEADER_BYTES];
	struct fault	 why;
	uint32_t	 bytes;
	bool		 ok;

	if (c->killed || evbuffer_copyout(in, header, sizeof header) != sizeof header)
		return false;
	bytes = msg_body_bytes(header);
	if (bytes > MSG_MAX_BYTES) {
		log_error("worker=%d sent a frame of %u bytes, killed", (int)c->pid, bytes);
		child_kill(c, KILL_MALFORMED);
		return false;
	}
	if (evbuffer_get_length(in) < sizeof header + bytes)
		return false;
	(void)evbuffer_drain(in, sizeof header);
	ok = msg_get(msg, (const char *)evbuffer_pullup(in, bytes), bytes, &why) == ST_OK;
	(void)evbuffer_drain(in, bytes);
	if (!ok) {
		log_error("worker=%d sent a malformed message, killed: %s", (int)c->pid, why.text);
		child_kill(c, KILL_MALFORMED);	/* EOF follows */
	}
	return ok;
}

static void
take_messages(struct child *c)
{
	struct msg	msg;

	while (take_message(c, &msg)) {
		c->events.on_message(c->arg, c, &msg);
		msg_release(&msg);
	}
}

/* Bytes that were there; 0 at EOF, -1 if there is nothing to read.  A report mostly fits. */
static ssize_t
read_some(struct child *c)
{
	struct evbuffer_iovec	v;
	ssize_t			n;

	if (evbuffer_reserve_space(c->in, READ_BYTES, &v, 1) != 1)
		return 0;
	n = recv(bufferevent_getfd(c->bev), v.iov_base, v.iov_len, MSG_DONTWAIT);
	v.iov_len = n > 0 ? (size_t)n : 0;
	(void)evbuffer_commit_space(c->in, &v, 1);
	return n;
}

static void
on_readable(evutil_socket_t fd, short what, void *arg)
{
	struct child	*c = arg;
	const ssize_t	 n = read_some(c);

	(void)fd;
	(void)what;
	if (n > 0)
		take_messages(c);
	else if (n == 0 || (errno != EAGAIN && errno != EINTR))
		child_closed(c);
}

/* Of a child that is over: its last messages.  Later bytes in the socket are a descendant's. */
static void
take_last_words(struct child *c)
{
	ssize_t	left = LAST_WORDS_BYTES, n;

	for (; !c->killed && left > 0 && (n = read_some(c)) > 0; left -= n)
		take_messages(c);
	take_messages(c);
}

static void
on_event(struct bufferevent *bev, short what, void *arg)
{
	(void)bev;
	if (what & (BEV_EVENT_EOF | BEV_EVENT_ERROR))
		child_closed(arg);
}

static void
on_sigchld(evutil_socket_t sig, short what, void *arg)
{
	struct child_pool	*p = arg;
	struct child		*c, *next;

	(void)sig;
	(void)what;
	for (c = TAILQ_FIRST(&p->children); c != NULL; c = next) {
		next = TAILQ_NEXT(c, entry);
		if (!c->reaped && waitpid(c->pid, &c->wait_status, WNOHANG) == c->pid) {
			c->reaped = true;
			if (c->bev != NULL)
				take_last_words(c);
			if (c->bev != NULL)
				child_closed(c);
			else
				child_maybe_done(c);
		}
	}
}

enum status
child_pool_new(struct child_pool **out, struct event_base *base, struct fault *why)
{
	struct child_pool	*p = calloc(1, sizeof *p);

	*out = NULL;
	if (p == NULL)
		return fault_set(why, ST_NOMEM, "children");
	TAILQ_INIT(&p->children);
	p->base = base;
	p->on_sigchld = evsignal_new(base, SIGCHLD, on_sigchld, p);
	if (p->on_sigchld == NULL || event_add(p->on_sigchld, NULL) != 0) {
		child_pool_free(p);
		return fault_set(why, ST_NOMEM, "children");
	}
	*out = p;
	return ST_OK;
}

/* After its socket is closed, a worker takes down its jails and tidies up, for a limited time. */
static void
stop_all(struct child_pool *p)
{
	struct child	*c;
	int		 waited_ms = 0, left = 1;

	TAILQ_FOREACH(c, &p->children, entry) {
		if (c->bev == NULL)
			continue;
		/* libevent would close it in a loop that is over */
		(void)shutdown(bufferevent_getfd(c->bev), SHUT_RDWR);
		close_socket(c);
	}
	for (; left != 0 && waited_ms < STOP_PATIENCE_MS; waited_ms += STOP_POLL_MS) {
		left = 0;
		TAILQ_FOREACH(c, &p->children, entry) {
			if (!c->reaped && waitpid(c->pid, NULL, WNOHANG) == c->pid)
				c->reaped = true;
			left += !c->reaped;
		}
		if (left != 0)
			(void)usleep(STOP_POLL_MS * 1000);
	}
}

struct event_base *
child_pool_base(const struct child_pool *p)
{
	return p->base;
}

void
child_pool_free(struct child_pool *p)
{
	struct child	*c;

	if (p == NULL)
		return;
	stop_all(p);
	while ((c = TAILQ_FIRST(&p->children)) != NULL) {
		if (!c->reaped) {
			(void)kill(c->pid, SIGKILL);
			(void)waitpid(c->pid, NULL, 0);
		}
		child_free(c);
	}
	if (p->on_sigchld != NULL)
		event_free(p->on_sigchld);
	free(p);
}

/*
 * The child gets stdin from /dev/null, the pipe as stdout and stderr, the socket as 3, the passed
 * descriptor as 4, and default signals.
 */
static int
spawn(pid_t *pid, const char *const *argv, int output, int sock, int pass_fd)
{
	posix_spawn_file_actions_t	 files;
	posix_spawnattr_t		 attr;
	sigset_t			 all, none;
	int				 rc;

	(void)sigfillset(&all);
	(void)sigemptyset(&none);
	(void)posix_spawn_file_actions_init(&files);
	(void)posix_spawnattr_init(&attr);
	rc = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	rc |= posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
	rc |= posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
	rc |= posix_spawn_file_actions_adddup2(&files, sock, WORKER_FD);
	if (pass_fd >= 0)
		rc |= posix_spawn_file_actions_adddup2(&files, pass_fd, CHILD_PASSED_FD);
	rc |= posix_spawn_file_actions_addclosefrom_np(&files, pass_fd >= 0 ? CHILD_PASSED_FD + 1 :
	    WORKER_FD + 1);
	rc |= posix_spawnattr_setsigdefault(&attr, &all);
	rc |= posix_spawnattr_setsigmask(&attr, &none);
	rc |= posix_spawnattr_setflags(&attr,
	    POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
	if (rc == 0)
		rc = posix_spawn(pid, argv[0], &files, &attr,
		    (char *const *)(uintptr_t)argv, environ);
	(void)posix_spawn_file_actions_destroy(&files);
	(void)posix_spawnattr_destroy(&attr);
	return rc;
}

/* Takes the descriptor.  Orders are written by libevent, replies are read without it. */
static bool
open_socket(struct child *c, int fd)
{
	struct event_base	*base = c->pool->base;

	c->bev = bufferevent_socket_new(base, fd, BEV_OPT_CLOSE_ON_FREE | BEV_OPT_DEFER_CALLBACKS);
	if (c->bev == NULL) {
		(void)close(fd);
		return false;
	}
	bufferevent_setcb(c->bev, NULL, NULL, on_event, c);
	c->in = evbuffer_new();
	c->readable = event_new(base, fd, EV_READ | EV_PERSIST, on_readable, c);
	return c->in != NULL && c->readable != NULL && event_add(c->readable, NULL) == 0;
}

enum status
child_start(struct child_pool *p, struct child **out, const char *const *argv,
    const struct child_events *events, void *arg, struct fault *why)
{
	return child_start_with(p, out, argv, -1, events, arg, why);
}

enum status
child_start_with(struct child_pool *p, struct child **out, const char *const *argv, int pass_fd,
    const struct child_events *events, void *arg, struct fault *why)
{
	struct child	*c = calloc(1, sizeof *c);
	int		 pair[2] = { -1, -1 }, output = -1, rc;

	*out = NULL;
	if (c == NULL)
		return fault_set(why, ST_NOMEM, "worker");
	if (child_output_new(&c->output, p->base, &output, why) != ST_OK) {
		free(c);
		return why->status;
	}
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0) {
		rc = errno;
		goto fail;
	}
	(void)fcntl(pair[1], F_SETFL, 0);	/* the worker's end stays blocking */
	if ((rc = spawn(&c->pid, argv, output, pair[1], pass_fd)) != 0)
		goto fail;
	(void)close(pair[1]);
	(void)close(output);
	child_output_of(c->output, c->pid);
	c->pool = p;
	c->events = *events;
	c->arg = arg;
	TAILQ_INSERT_TAIL(&p->children, c, entry);
	if (!open_socket(c, pair[0])) {	/* closing it stops it; its start was not reported yet */
		(void)kill(c->pid, SIGKILL);
		(void)waitpid(c->pid, NULL, 0);
		child_free(c);
		return fault_set(why, ST_NOMEM, "worker");
	}
	*out = c;
	return ST_OK;
fail:
	if (pair[0] >= 0) {
		(void)close(pair[0]);
		(void)close(pair[1]);
	}
	(void)close(output);
	child_output_free(c->output);
	free(c);
	return fault_set(why, ST_IO, "cannot start %s: %s", argv[0], strerror(rc));
}

static void
free_frame(const void *data, size_t bytes, void *arg)
{
	(void)data;
	(void)bytes;
	free(arg);
}

/*
 * Write as many bytes as the socket takes at once, so that the worker need not wait for the loop.
 */
static size_t
send_now(const struct child *c, const char *frame, size_t bytes)
{
	ssize_t	n = -1;

	if (evbuffer_get_length(bufferevent_get_output(c->bev)) == 0)
		n = send(bufferevent_getfd(c->bev), frame, bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
	return n > 0 ? (size_t)n : 0;
}

enum status
child_send(struct child *c, const struct msg *msg, struct fault *why)
{
	char		*frame;
	size_t		 bytes, sent;
	enum status	 st;

	if (c->bev == NULL)
		return fault_set(why, ST_UNAVAILABLE, "worker %d is gone", (int)c->pid);
	if ((st = msg_put(msg, &frame, &bytes, why)) != ST_OK)
		return st;
	if ((sent = send_now(c, frame, bytes)) == bytes) {
		free(frame);
		return ST_OK;
	}
	if (evbuffer_add_reference(bufferevent_get_output(c->bev), frame + sent,
	    bytes - sent, free_frame, frame) != 0) {
		free(frame);
		return fault_set(why, ST_NOMEM, "message");
	}
	return ST_OK;
}

void
child_kill(struct child *c, enum child_kill why)
{
	c->pool->kills[why] += !c->killed;
	c->killed = true;
	if (c->readable != NULL)
		(void)event_del(c->readable);
	if (!c->reaped)
		(void)kill(c->pid, SIGKILL);
}

const char *
child_kill_word(enum child_kill why)
{
	static const char *const	words[KILL_N] = {
		[KILL_MALFORMED] = "malformed", [KILL_STUCK] = "stuck", [KILL_MUTE] = "mute",
		[KILL_DEAF] = "deaf", [KILL_DONE] = "done",
	};

	return words[why];
}

uint64_t
child_pool_kills(const struct child_pool *p, enum child_kill why)
{
	return p->kills[why];
}

pid_t
child_pid(const struct child *c)
{
	return c->pid;
}
