/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#include "daemon/dispatch/station/child_output.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"

enum {
	LINE_BYTES = 1000,
	PIECE_BYTES = 16 << 10, PIECE_MS = 10,	/* read at a time; then, if there is more, a rest */
	END_BYTES = 128 << 10,			/* more than the pipe holds */
	LAST_LINES = 4, LAST_BYTES = 250,
	REPORT_S = 10,
};
#define ALLOWANCE_BYTES	3000.0
#define ALLOWANCE_PER_S	500.0
#define REPORT_BYTES	120.0		/* more than a report has */
#define PREFIX_BYTES	24.0

struct child_output {
	pid_t		 pid;
	int		 fd;			/* owned; -1: its end was read */
	struct event	*readable, *later;	/* owned */
	bool		 rests;
	char		 line[LINE_BYTES + 1];
	size_t		 n;
	double		 allowance, filled_s;
	uint64_t	 lines_out, bytes_out;	/* left out since the last report */
	char		 last[LAST_LINES][LAST_BYTES];	/* of these, a ring */
};

/* ---- lines ---- */

/* At the level that the worker gave it; without one it is a warning. */
static void
put(const struct child_output *o, const char *line)
{
	static const char *const	words[] = { "error ", "warn ", "info ", "debug " };
	enum log_level			level = LOG_LEVEL_WARN;

	for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strncmp(line, words[i], strlen(words[i])) == 0) {
			level = i;
			line += strlen(words[i]);
			break;
		}
	if (level == LOG_LEVEL_ERROR)
		log_error("worker=%d %s", (int)o->pid, line);
	else if (level == LOG_LEVEL_WARN)
		log_warn("worker=%d %s", (int)o->pid, line);
	else if (level == LOG_LEVEL_INFO)
		log_info("worker=%d %s", (int)o->pid, line);
	else
		log_debug("worker=%d %s", (int)o->pid, line);
}

static void
report(struct child_output *o)
{
	if (o->bytes_out != 0)
		log_warn("worker=%d wrote too much: %" PRIu64 " lines, %" PRIu64 " bytes are left "
		    "out", (int)o->pid, o->lines_out, o->bytes_out);
	o->lines_out = o->bytes_out = 0;
}

static bool
take_allowance(struct child_output *o)
{
	const double	now = clock_now_s();
	const double	cost = (double)o->n + PREFIX_BYTES +
			    (o->bytes_out != 0 ? REPORT_BYTES : 0);

	o->allowance += (now - o->filled_s) * ALLOWANCE_PER_S;
	if (o->allowance > ALLOWANCE_BYTES)
		o->allowance = ALLOWANCE_BYTES;
	o->filled_s = now;
	if (o->allowance < cost)
		return false;
	o->allowance -= cost;
	return true;
}

static void
leave_out(struct child_output *o)
{
	(void)snprintf(o->last[o->lines_out % LAST_LINES], LAST_BYTES, "%.*s",
	    LAST_BYTES - 1, o->line);
	o->lines_out++;
	o->bytes_out += o->n;
}

static void
end_line(struct child_output *o)
{
	if (o->n == 0)
		return;
	o->line[o->n] = '\0';
	if (take_allowance(o)) {
		report(o);
		put(o, o->line);
	} else {
		leave_out(o);
	}
	o->n = 0;
}

static void
take_bytes(struct child_output *o, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (bytes[i] == '\n' || bytes[i] == '\0')
			end_line(o);
		else if (o->n < LINE_BYTES)
			o->line[o->n++] = bytes[i];
		else
			o->bytes_out++;
}

/* ---- the pipe ---- */

/* Bytes that were read; 0: none are there now, or none will be. */
static size_t
read_piece(struct child_output *o)
{
	char	bytes[PIECE_BYTES];
	ssize_t	n = read(o->fd, bytes, sizeof bytes);

	if (n > 0) {
		take_bytes(o, bytes, (size_t)n);
		return (size_t)n;
	}
	if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
		(void)event_del(o->readable);
		(void)close(o->fd);
		o->fd = -1;
	}
	return 0;
}

static void
on_readable(evutil_socket_t fd, short what, void *arg)
{
	static const struct timeval	rest = { 0, PIECE_MS * 1000 };
	static const struct timeval	period = { REPORT_S, 0 };
	struct child_output		*o = arg;

	(void)fd;
	(void)what;
	if (read_piece(o) == PIECE_BYTES) {
		o->rests = true;
		(void)event_del(o->readable);
		(void)evtimer_add(o->later, &rest);
	} else if (o->bytes_out != 0 && !evtimer_pending(o->later, NULL)) {
		(void)evtimer_add(o->later, &period);
	}
}

static void
on_later(evutil_socket_t fd, short what, void *arg)
{
	struct child_output	*o = arg;

	(void)fd;
	(void)what;
	if (o->rests)
		(void)event_add(o->readable, NULL);
	else
		report(o);
	o->rests = false;
}

/* ---- life ---- */

enum status
child_output_new(struct child_output **out, struct event_base *base, int *write_fd,
    struct fault *why)
{
	struct child_output	*o = *out = calloc(1, sizeof *o);
	int			 pair[2];

	if (o == NULL)
		return fault_set(why, ST_NOMEM, "worker");
	if (pipe2(pair, O_CLOEXEC | O_NONBLOCK) != 0) {
		free(o);
		*out = NULL;
		return fault_set(why, ST_IO, "pipe: %s", strerror(errno));
	}
	o->fd = pair[0];
	o->allowance = ALLOWANCE_BYTES;
	o->filled_s = clock_now_s();
	if ((o->readable = event_new(base, o->fd, EV_READ | EV_PERSIST, on_readable, o)) != NULL &&
	    (o->later = evtimer_new(base, on_later, o)) != NULL &&
	    event_add(o->readable, NULL) == 0) {
		*write_fd = pair[1];
		return ST_OK;
	}
	(void)close(pair[1]);
	child_output_free(o);
	*out = NULL;
	return fault_set(why, ST_NOMEM, "worker");
}

void
child_output_of(struct child_output *o, pid_t pid)
{
	o->pid = pid;
}

/* The last lines, whether or not there is an allowance for them. */
static void
put_last_words(struct child_output *o)
{
	const uint64_t	end = o->lines_out;
	uint64_t	i = end < LAST_LINES ? 0 : end - LAST_LINES;

	report(o);
	for (; i < end; i++)
		log_warn("worker=%d its last words: %s", (int)o->pid, o->last[i % LAST_LINES]);
}

void
child_output_free(struct child_output *o)
{
	size_t	left = END_BYTES, n = 1;

	if (o == NULL)
		return;
	for (; o->fd >= 0 && n != 0 && n < left; left -= n)
		n = read_piece(o);
	end_line(o);
	put_last_words(o);
	if (o->readable != NULL)
		event_free(o->readable);
	if (o->later != NULL)
		event_free(o->later);
	if (o->fd >= 0)
		(void)close(o->fd);
	free(o);
}
