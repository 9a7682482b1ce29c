/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "worker/wire.h"

enum { FIRST_ROOM = 64 << 10 };

void
wire_init(struct wire *w, int fd)
{
	*w = (struct wire){ .fd = fd };
}

void
wire_release(struct wire *w)
{
	free(w->buf);
	w->buf = NULL;
	if (w->has_ahead)
		msg_release(&w->ahead);
	w->has_ahead = false;
}

static enum status
break_off(struct wire *w, enum status st, const char *words)
{
	return fault_set(&w->broken, st, "%s", words);
}

/*
 * Read what is there, or wait for its first byte.  Room grows with what has come, not with what a
 * header promises.
 */
static enum status
read_some(struct wire *w)
{
	ssize_t	n;

	if (w->n == w->room) {
		size_t	room = w->room == 0 ? FIRST_ROOM : 2 * w->room;
		char	*buf = realloc(w->buf, room);

		if (buf == NULL)
			return break_off(w, ST_NOMEM, "out of memory for a message");
		w->buf = buf;
		w->room = room;
	}
	do
		n = read(w->fd, w->buf + w->n, w->room - w->n);
	while (n == -1 && errno == EINTR);
	if (n <= 0) {
		w->closed = true;
		return ST_UNAVAILABLE;
	}
	w->n += (size_t)n;
	return ST_OK;
}

/*
 * The whole frame at the start of the buffer, its header included; 0: there is none yet, or it is
 * too large.
 */
static size_t
frame_bytes(struct wire *w)
{
	uint32_t	body;

	if (w->n < MSG_HEADER_BYTES)
		return 0;
	body = msg_body_bytes((const unsigned char *)w->buf);
	if (body > MSG_MAX_BYTES) {
		(void)break_off(w, ST_FULL, "a frame beyond the limit");
		return 0;
	}
	return w->n >= MSG_HEADER_BYTES + (size_t)body ? MSG_HEADER_BYTES + (size_t)body : 0;
}

/* In a read the kernel would wake us, too, each time that the daemon takes what we have sent. */
static void
sleep_until_readable(const struct wire *w)
{
	struct pollfd	in = { .fd = w->fd, .events = POLLIN };

	(void)poll(&in, 1, -1);
}

static enum status
take_frame(struct wire *w, size_t bytes, struct msg *msg)
{
	enum status	st = msg_get(msg, w->buf + MSG_HEADER_BYTES,
			    bytes - MSG_HEADER_BYTES, &w->broken);

	w->n -= bytes;
	memmove(w->buf, w->buf + bytes, w->n);
	return st;
}

enum status
wire_next(struct wire *w, struct msg *msg, struct fault *why)
{
	enum status	st = w->broken.status;
	size_t		bytes;

	if (st == ST_OK && w->has_ahead) {
		*msg = w->ahead;
		w->has_ahead = false;
		return ST_OK;
	}
	while (st == ST_OK && (bytes = frame_bytes(w)) == 0 && (st = w->broken.status) == ST_OK) {
		sleep_until_readable(w);
		st = read_some(w);
	}
	if (st == ST_OK)
		st = take_frame(w, bytes, msg);
	if (st != ST_OK && why != NULL)
		*why = w->broken;
	return st;
}

void
wire_set_busy(struct wire *w, int64_t job_id)
{
	w->busy_with = job_id;
	w->cancelled = job_id != 0 && w->ahead_cancelled;
	if (!w->has_ahead)
		w->ahead_cancelled = false;
}

static void
keep_ahead(struct wire *w, struct msg *msg)
{
	if (w->has_ahead) {
		(void)break_off(w, ST_BAD_REQUEST, "a third order while one is being worked on");
		msg_release(msg);
		return;
	}
	w->ahead = *msg;
	w->has_ahead = true;
	w->ahead_cancelled = false;
}

/* A cancel for an earlier job came too late and means nothing. */
static void
take_while_busy(struct wire *w, size_t bytes)
{
	struct msg	msg;

	if (take_frame(w, bytes, &msg) != ST_OK)
		return;
	if (msg.kind != MSG_CANCEL) {
		keep_ahead(w, &msg);
		return;
	}
	if (msg.job_id == w->busy_with)
		w->cancelled = true;
	else if (w->has_ahead && msg.job_id == w->ahead.job_id)
		w->ahead_cancelled = true;
	msg_release(&msg);
}

bool
wire_says_stop(void *arg)
{
	struct wire	*w = arg;
	struct pollfd	 in = { .fd = w->fd, .events = POLLIN };
	size_t		 bytes;

	while (!w->closed && w->broken.status == ST_OK && poll(&in, 1, 0) == 1 &&
	    read_some(w) == ST_OK)
		continue;
	while (w->broken.status == ST_OK && (bytes = frame_bytes(w)) != 0)
		take_while_busy(w, bytes);
	return w->cancelled || w->closed || w->broken.status != ST_OK;
}

enum status
wire_send(struct wire *w, const struct msg *msg, struct fault *why)
{
	enum status	 st;
	char		*frame;
	size_t		 bytes;

	if ((st = msg_put(msg, &frame, &bytes, why)) != ST_OK)
		return st;
	for (size_t done = 0; done < bytes && st == ST_OK;) {
		ssize_t	n = send(w->fd, frame + done, bytes - done, MSG_NOSIGNAL);

		if (n > 0)
			done += (size_t)n;
		else if (errno != EINTR)
			st = fault_set(why, ST_UNAVAILABLE, "%s", strerror(errno));
	}
	free(frame);
	return st;
}
