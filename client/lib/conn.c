/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One JSON object per line, both ways.  Bytes that have arrived stay in `in` until they make a
 * line.  A line with an id is a reply, one with a method a notification.  Notifications wait in
 * `pending` until they are asked for.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "client/lib/conn.h"
#include "proto/base/clock.h"

enum { READ_BYTES = 64 << 10 };

struct assay_conn {
	int		 fd;
	int		 stop_fd;
	int		 timeout_ms;
	int64_t		 next_id;
	bool		 broken;	/* unusable: end of file, half a request sent, no JSON */
	char		*in;		/* owned; bytes in[begin … end) are not yet a line */
	size_t		 begin, end, room;
	size_t		 scanned;	/* no newline before in[begin + scanned] */
	json_t		*pending;	/* owned; array of notifications' params */
	size_t		 next_pending;
};

int64_t
conn_deadline_ms(int timeout_ms)
{
	return timeout_ms < 0 ? -1 : clock_now_ms() + timeout_ms;
}

enum status
conn_poll(int fd, short events, int stop_fd, int64_t deadline_ms)
{
	struct pollfd	p[2] = { { .fd = fd, .events = events },
			    { .fd = stop_fd, .events = POLLIN } };
	int64_t		left = -1;
	int		n;

	do {
		if (deadline_ms >= 0 && (left = deadline_ms - clock_now_ms()) < 0)
			left = 0;
		n = poll(p, 2, left > INT32_MAX ? INT32_MAX : (int)left);
	} while (n < 0 && (errno == EINTR || errno == EAGAIN));
	if (n > 0 && p[1].revents != 0)
		return ST_CANCELLED;
	return n > 0 ? ST_OK : n == 0 ? ST_UNAVAILABLE : ST_IO;
}

/* ---- opening and closing ---- */

/*
 * A socket that may not be connected to: is there a daemon behind it?  The kernel's list has the
 * path of each socket, last in its line.
 */
static bool
is_alive(const char *path)
{
	FILE	*list = fopen("/proc/net/unix", "re");
	char	 line[512];
	bool	 alive = list == NULL;

	while (!alive && fgets(line, sizeof line, list) != NULL) {
		const char	*at = strchr(line, '/');

		line[strcspn(line, "\n")] = '\0';
		alive = at != NULL && strcmp(at, path) == 0;
	}
	if (list != NULL)
		(void)fclose(list);
	return alive;
}

static enum status
open_failed(const char *path, int error, struct fault *why)
{
	if ((error == EACCES || error == EPERM) && is_alive(path)) {
		(void)fault_set(why, ST_DENIED, "%s: %s", path, strerror(error));
		fault_hint(why, "this daemon belongs to another user; start your own with: "
		    "assay serve");
		return ST_DENIED;
	}
	(void)fault_set(why, ST_UNAVAILABLE, "no daemon listens on %s (%s)", path, strerror(error));
	fault_hint(why, "start one with: assay serve");
	return ST_UNAVAILABLE;
}

static int
connect_to(const struct sockaddr_un *sa)
{
	int	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	if (connect(fd, (const struct sockaddr *)sa, sizeof *sa) == 0 &&
	    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) == 0)
		return fd;
	(void)close(fd);
	return -1;
}

enum status
assay_open(struct assay_conn **out, const char *socket_path, struct fault *why)
{
	struct sockaddr_un	 sa = { .sun_family = AF_UNIX };
	struct assay_conn	*c;

	*out = NULL;
	if (strlen(socket_path) >= sizeof sa.sun_path)
		return fault_set(why, ST_BAD_REQUEST,
		    "%s: the path of a socket has at most %zu bytes", socket_path,
		    sizeof sa.sun_path - 1);
	memcpy(sa.sun_path, socket_path, strlen(socket_path) + 1);
	if ((c = calloc(1, sizeof *c)) == NULL)
		return fault_set(why, ST_NOMEM, "connection");
	c->stop_fd = -1;
	c->timeout_ms = ASSAY_TIMEOUT_MS;
	c->next_id = 1;
	c->pending = json_array();
	if ((c->fd = connect_to(&sa)) < 0) {
		int	error = errno;

		assay_close(c);
		return open_failed(socket_path, error, why);
	}
	*out = c;
	return ST_OK;
}

void
assay_close(struct assay_conn *c)
{
	if (c == NULL)
		return;
	if (c->fd >= 0)
		(void)close(c->fd);
	json_decref(c->pending);
	free(c->in);
	free(c);
}

void
assay_set_timeout(struct assay_conn *c, int timeout_ms)
{
	c->timeout_ms = timeout_ms;
}

void
assay_set_stop_fd(struct assay_conn *c, int fd)
{
	c->stop_fd = fd;
}

/* ---- bytes ---- */

static enum status
gone(struct assay_conn *c, const char *how, struct fault *why)
{
	c->broken = true;
	(void)fault_set(why, ST_UNAVAILABLE, "the daemon has closed the connection (%s)", how);
	fault_hint(why, "it keeps the jobs that it had acknowledged; "
	    "to see whether it runs: assay queue");
	return ST_UNAVAILABLE;
}

static enum status
malformed(struct assay_conn *c, const char *what, struct fault *why)
{
	c->broken = true;
	return fault_set(why, ST_IO, "the daemon's reply %s", what);
}

static enum status
wait_for(struct assay_conn *c, short events, int64_t deadline_ms, struct fault *why)
{
	enum status	st = conn_poll(c->fd, events, c->stop_fd, deadline_ms);

	if (st == ST_CANCELLED)
		return fault_set(why, st, "interrupted");
	if (st == ST_UNAVAILABLE)
		return fault_set(why, st, "the daemon does not answer");
	return st == ST_OK ? ST_OK : fault_set(why, st, "waiting for the daemon: %s",
	    strerror(errno));
}

/* Make room for READ_BYTES behind in[end]: move the bytes to the front, then grow. */
static enum status
make_room(struct assay_conn *c, struct fault *why)
{
	size_t	 used = c->end - c->begin;
	char	*more;

	if (c->room - c->end >= READ_BYTES)
		return ST_OK;
	if (used > ASSAY_MAX_LINE_BYTES)
		return malformed(c, "is endless", why);
	if (c->begin > 0)
		memmove(c->in, c->in + c->begin, used);
	c->begin = 0;
	c->end = used;
	if (c->room - used >= READ_BYTES)
		return ST_OK;
	if ((more = realloc(c->in, c->room * 2 + READ_BYTES)) == NULL)
		return fault_set(why, ST_NOMEM, "reply");
	c->in = more;
	c->room = c->room * 2 + READ_BYTES;
	return ST_OK;
}

static enum status
receive_some(struct assay_conn *c, int64_t deadline_ms, struct fault *why)
{
	enum status	st;
	ssize_t		n;

	if ((st = make_room(c, why)) != ST_OK)
		return st;
	do {
		if ((st = wait_for(c, POLLIN, deadline_ms, why)) != ST_OK)
			return st;
		n = recv(c->fd, c->in + c->end, c->room - c->end, 0);
	} while (n < 0 && (errno == EAGAIN || errno == EINTR));
	if (n <= 0)
		return gone(c, n == 0 ? "end of file" : strerror(errno), why);
	c->end += (size_t)n;
	return ST_OK;
}

/*
 * A half-written request cannot be taken back, so every failure here ends the connection.  Input is
 * read meanwhile: a daemon with much output must not wait for the end of the request.
 */
static enum status
send_all(struct assay_conn *c, const char *bytes, size_t n, int64_t deadline_ms, struct fault *why)
{
	enum status	st = ST_OK;

	while (n > 0 && st == ST_OK) {
		ssize_t	sent = send(c->fd, bytes, n, MSG_NOSIGNAL);

		if (sent > 0) {
			bytes += sent;
			n -= (size_t)sent;
		} else if (errno != EAGAIN && errno != EINTR) {
			return gone(c, strerror(errno), why);
		} else if ((st = wait_for(c, POLLOUT | POLLIN, deadline_ms, why)) == ST_OK) {
			st = receive_some(c, 0, why);
			if (st == ST_UNAVAILABLE && !c->broken)
				st = ST_OK;	/* nothing to read, but room to write */
		}
	}
	c->broken = c->broken || st != ST_OK;
	return st;
}

/*
 * The next line in in[], without its newline; false: none is complete yet.  Valid until the next
 * receive_some.
 */
static bool
take_line(struct assay_conn *c, const char **line, size_t *bytes)
{
	const char	*from, *newline;

	if (c->begin == c->end)
		return false;
	from = c->in + c->begin;
	newline = memchr(from + c->scanned, '\n', c->end - c->begin - c->scanned);
	if (newline == NULL) {
		c->scanned = c->end - c->begin;
		return false;
	}
	*line = from;
	*bytes = (size_t)(newline - from);
	c->begin += *bytes + 1;
	c->scanned = 0;
	return true;
}

/* The next message, an object.  New reference. */
static enum status
receive_message(struct assay_conn *c, int64_t deadline_ms, json_t **message, struct fault *why)
{
	const char	*line;
	json_error_t	 error;
	enum status	 st;
	size_t		 bytes;

	while (!take_line(c, &line, &bytes))
		if ((st = receive_some(c, deadline_ms, why)) != ST_OK)
			return st;
	if ((*message = json_loadb(line, bytes, JSON_REJECT_DUPLICATES, &error)) == NULL)
		return malformed(c, "is not JSON", why);
	if (json_is_object(*message))
		return ST_OK;
	json_decref(*message);
	return malformed(c, "is not an object", why);
}

/* ---- messages ---- */

static const char *
text_member(const json_t *o, const char *name)
{
	const char	*text = json_string_value(json_object_get(o, name));

	return text != NULL ? text : "";
}

enum status
conn_fault(struct fault *why, const json_t *data, const char *sentence, enum status otherwise)
{
	const char	*reason = text_member(data, "reason");
	enum status	 st;

	if (!status_from_word(&st, text_member(data, "word")) || st == ST_OK)
		st = otherwise;
	if (reason[0] == '\0')
		reason = sentence;
	(void)fault_at(why, st, text_member(data, "member"), "%s", reason[0] != '\0' ? reason :
	    "no reason given");
	if (text_member(data, "hint")[0] != '\0')
		fault_hint(why, "%s", text_member(data, "hint"));
	return st;
}

static enum status
status_of_code(json_int_t code)
{
	switch (code) {
	case -32601:
	case -32602:
	case -32600:
	case -32700:
		return ST_BAD_REQUEST;
	case -32001:
		return ST_NOT_FOUND;
	case -32002:
		return ST_CONFLICT;
	case -32003:
		return ST_DENIED;
	case -32004:
		return ST_FULL;
	default:
		return ST_INTERNAL;
	}
}

/* The result of a reply, or its error as a fault. */
static enum status
read_reply(struct assay_conn *c, const json_t *reply, json_t **result, struct fault *why)
{
	const json_t	*error = json_object_get(reply, "error");

	if (error != NULL && !json_is_null(error)) {
		if (!json_is_object(error))
			return malformed(c, "has an error that is not an object", why);
		return conn_fault(why, json_object_get(error, "data"),
		    text_member(error, "message"),
		    status_of_code(json_integer_value(json_object_get(error, "code"))));
	}
	if ((*result = json_incref(json_object_get(reply, "result"))) == NULL)
		return malformed(c, "has neither result nor error", why);
	return ST_OK;
}

static void
keep_notification(struct assay_conn *c, json_t *message)
{
	json_t	*params = json_object_get(message, "params");

	if (params != NULL)
		(void)json_array_append(c->pending, params);
}

/* Read until the reply to `id` is there.  Replies to calls given up earlier are dropped. */
static enum status
await_reply(struct assay_conn *c, int64_t id, int64_t deadline_ms, json_t **result,
    struct fault *why)
{
	json_t		*message;
	enum status	 st;

	for (;;) {
		const json_t	*its_id;

		if ((st = receive_message(c, deadline_ms, &message, why)) != ST_OK)
			return st;
		its_id = json_object_get(message, "id");
		if (json_object_get(message, "method") != NULL) {
			keep_notification(c, message);
		} else if (json_is_null(its_id) || json_integer_value(its_id) == id) {
			st = read_reply(c, message, result, why);
			json_decref(message);
			return st;
		} else if (!json_is_integer(its_id) || json_integer_value(its_id) > id) {
			json_decref(message);
			return malformed(c, "answers nothing that was asked", why);
		}
		json_decref(message);
	}
}

static char *
request_line(int64_t id, const char *method, const json_t *params, size_t *bytes)
{
	json_t	*request = json_pack("{s:s, s:I, s:s}", "jsonrpc", "2.0", "id", (json_int_t)id,
		    "method", method);
	char	*line = NULL;

	if (request != NULL &&
	    (params == NULL ||
	    json_object_set(request, "params", (json_t *)(uintptr_t)params) == 0))
		line = json_dumps(request, JSON_COMPACT);
	json_decref(request);
	if (line == NULL)
		return NULL;
	*bytes = strlen(line);
	line[(*bytes)++] = '\n';		/* in place of the terminator */
	return line;
}

enum status
assay_call(struct assay_conn *c, const char *method, const json_t *params, json_t **result,
    struct fault *why)
{
	int64_t		 deadline_ms = conn_deadline_ms(c->timeout_ms), id = c->next_id++;
	enum status	 st;
	size_t		 bytes;
	char		*line;

	*result = NULL;
	if (c->broken)
		return gone(c, "an earlier call ended it", why);
	if ((line = request_line(id, method, params, &bytes)) == NULL)
		return fault_set(why, ST_NOMEM, "request");
	st = send_all(c, line, bytes, deadline_ms, why);
	free(line);
	return st == ST_OK ? await_reply(c, id, deadline_ms, result, why) : st;
}

static bool
take_pending(struct assay_conn *c, json_t **params)
{
	if (c->next_pending == json_array_size(c->pending))
		return false;
	*params = json_incref(json_array_get(c->pending, c->next_pending++));
	if (c->next_pending == json_array_size(c->pending)) {
		(void)json_array_clear(c->pending);
		c->next_pending = 0;
	}
	return true;
}

enum status
assay_next_notification(struct assay_conn *c, int timeout_ms, json_t **params, struct fault *why)
{
	int64_t		 deadline_ms = conn_deadline_ms(timeout_ms);
	json_t		*message;
	enum status	 st;

	*params = NULL;
	while (!take_pending(c, params)) {
		if (c->broken)
			return gone(c, "an earlier call ended it", why);
		st = receive_message(c, deadline_ms, &message, why);
		if (st == ST_UNAVAILABLE && !c->broken)
			return ST_OK;		/* none in time */
		if (st != ST_OK)
			return st;
		if (json_object_get(message, "method") != NULL)
			keep_notification(c, message);
		json_decref(message);
	}
	return ST_OK;
}
