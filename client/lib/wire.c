/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "client/lib/dial.h"
#include "client/lib/problem.h"
#include "client/lib/wire.h"

enum {
	READ_BYTES = 64 << 10,
	STEP_BYTES = 4 << 20,		/* read in one step, so that the caller has its turn */
	KEPT_BYTES = 1 << 20,		/* of an empty buffer */
	MAX_LINE_BYTES = 256 << 20,	/* a longer reply is refused */
	ENVELOPE_BYTES = 64,		/* of a request, beside method and params */
};

/* Bytes at[begin … end) are to be sent, or are not a line yet. */
struct buffer {
	char	*at;			/* owned */
	size_t	 begin, end, room;
};

struct wire {
	struct address		 address;
	int			 fd;
	pid_t			 ssh;		/* 0: none */
	int64_t			 next_id;
	bool			 broken;	/* end of file, or no JSON */
	struct buffer		 in, out;
	size_t			 scanned;	/* no newline before in.at[in.begin + scanned] */
	struct calls		 calls;
	assay_notification_fn	*on_notification;
	void			*arg;
};

/* ---- opening and closing ---- */

int
wire_open(struct wire **out, const struct address *address, assay_notification_fn *on_notification,
    void *arg, struct assay_error *why)
{
	struct wire	*w = calloc(1, sizeof *w);

	*out = NULL;
	if (w == NULL)
		return problem(why, "no_memory", "connection");
	w->address = *address;
	w->next_id = 1;
	w->on_notification = on_notification;
	w->arg = arg;
	calls_init(&w->calls);
	w->fd = address->kind == ADDRESS_SSH ? dial_ssh(address, &w->ssh, why) :
	    dial_unix(address->path, why);
	if (w->fd < 0) {
		wire_free(w);
		return -1;
	}
	*out = w;
	return 0;
}

void
wire_free(struct wire *w)
{
	if (w == NULL)
		return;
	if (w->fd >= 0)
		(void)close(w->fd);
	dial_end_ssh(&w->ssh);
	calls_release(&w->calls);
	free(w->in.at);
	free(w->out.at);
	free(w);
}

/* ---- buffers ---- */

/* Room for more bytes behind the end: move the rest to the front, then grow. */
static bool
make_room(struct buffer *b, size_t bytes)
{
	const size_t	 used = b->end - b->begin;
	char		*more;

	if (b->room - b->end >= bytes)
		return true;
	if (b->begin > 0 && used > 0)
		memmove(b->at, b->at + b->begin, used);
	b->begin = 0;
	b->end = used;
	if (b->room - used >= bytes)
		return true;
	if ((more = realloc(b->at, 2 * b->room + bytes)) == NULL)
		return false;
	b->at = more;
	b->room = 2 * b->room + bytes;
	return true;
}

/* One large reply does not keep its room for ever. */
static void
shrink(struct buffer *b)
{
	if (b->begin != b->end)
		return;
	b->begin = b->end = 0;
	if (b->room > KEPT_BYTES) {
		free(b->at);
		*b = (struct buffer){ NULL, 0, 0, 0 };
	}
}

/* ---- the end ---- */

static int
gone(struct wire *w, const char *how, struct assay_error *why)
{
	const bool	is_first = !w->broken;

	w->broken = true;
	if (is_first && w->address.kind == ADDRESS_SSH)
		return dial_explain_ssh(&w->address, &w->ssh, why);
	(void)problem(why, "unavailable", "the daemon has closed the connection (%s)", how);
	return problem_hint(why, "it keeps the jobs that it had acknowledged; to see whether it "
	    "runs: assay queue");
}

static int
malformed(struct wire *w, const char *what, struct assay_error *why)
{
	w->broken = true;
	(void)problem(why, "io", "the daemon's reply %s", what);
	if (w->address.kind != ADDRESS_SSH)
		return -1;
	return problem_hint(why, "does a start-up file of the shell on %.80s print something? It "
	    "must not for commands: ssh %.80s true", w->address.host, w->address.host);
}

/* ---- out ---- */

static bool
is_method(const char *name)
{
	return name[0] != '\0' &&
	    name[strspn(name, "abcdefghijklmnopqrstuvwxyz_.0123456789")] == '\0';
}

/* Newlines in JSON stand between values only. */
static void
put_params(struct buffer *b, const struct span *params)
{
	for (size_t i = 0; i < params->bytes; i++) {
		const char	c = params->at[i];

		b->at[b->end++] = c == '\n' || c == '\r' ? ' ' : c;
	}
}

static int
put_request(struct wire *w, const char *method, const char *params, struct assay_error *why)
{
	struct buffer	*b = &w->out;
	struct span	 object = { NULL, 0 };
	int		 n;

	if (!is_method(method))
		return problem(why, "bad_request", "%.80s: is no method", method);
	if (params != NULL && (!scan_text(params, strlen(params), &object) ||
	    !scan_is_object(&object)))
		return problem(why, "bad_request", "the parameters are no JSON object");
	if (!make_room(b, ENVELOPE_BYTES + strlen(method) + object.bytes + 32))
		return problem(why, "no_memory", "request");
	n = sprintf(b->at + b->end, "{\"jsonrpc\":\"2.0\",\"id\":%" PRId64 ",\"method\":\"%s\"",
	    w->next_id, method);
	b->end += (size_t)n;
	if (object.bytes > 0) {
		b->end += (size_t)sprintf(b->at + b->end, ",\"params\":");
		put_params(b, &object);
	}
	b->at[b->end++] = '}';
	b->at[b->end++] = '\n';
	return 0;
}

int64_t
wire_begin(struct wire *w, const char *method, const char *params, assay_reply_fn *on_reply,
    void *arg, struct assay_error *why)
{
	const size_t	 end = w->out.end - w->out.begin;

	if (w->broken)
		return gone(w, "an earlier call ended it", why);
	if (put_request(w, method, params, why) != 0)
		return -1;
	if (calls_add(&w->calls, w->next_id, on_reply, arg) == NULL) {
		w->out.end = w->out.begin + end;
		return problem(why, "no_memory", "request");
	}
	return w->next_id++;
}

void
wire_drop(struct wire *w, int64_t call)
{
	free(calls_take(&w->calls, call));
}

static int
flush(struct wire *w, struct assay_error *why)
{
	struct buffer	*b = &w->out;
	ssize_t		 n;

	while (b->begin < b->end) {
		n = send(w->fd, b->at + b->begin, b->end - b->begin, MSG_NOSIGNAL);
		if (n > 0)
			b->begin += (size_t)n;
		else if (errno == EAGAIN)
			return 0;
		else if (errno != EINTR)
			return gone(w, strerror(errno), why);
	}
	shrink(b);
	return 0;
}

/* ---- in ---- */

/* A string that may be written behind: what follows a value in its line is not needed any more. */
static const char *
terminate(struct wire *w, const struct span *s)
{
	w->in.at[(size_t)(s->at - w->in.at) + s->bytes] = '\0';
	return s->at;
}

static const char *
word_of_code(const struct span *code)
{
	int64_t	n = 0;

	(void)scan_integer(code, &n);
	switch (n) {
	case -32601:
	case -32602:
	case -32600:
	case -32700:
		return "bad_request";
	case -32001:
		return "not_found";
	case -32002:
		return "conflict";
	case -32003:
		return "denied";
	case -32004:
		return "full";
	default:
		return "internal";
	}
}

static void
refused(struct call *c, const struct span *error)
{
	const struct span	data = scan_member(error, "data");
	const struct span	code = scan_member(error, "code");
	const struct span	message = scan_member(error, "message");
	char			sentence[sizeof ((struct assay_error *)0)->text];
	struct assay_error	why;

	scan_string(&message, sentence, sizeof sentence);
	(void)problem_of(&why, &data, sentence, word_of_code(&code));
	c->on_reply(c->arg, NULL, &why);
}

static bool
is_null(const struct span *s)
{
	return s->bytes == 0 || s->at[0] == 'n';
}

/* A reply.  Those to calls that were dropped are, too. */
static int
take_reply(struct wire *w, const struct span *message, const struct span *id,
    struct assay_error *why)
{
	const struct span	 error = scan_member(message, "error");
	const struct span	 result = scan_member(message, "result");
	struct call		*c;
	int64_t			 number;

	if (!scan_integer(id, &number) || number < 1 || number >= w->next_id)
		return malformed(w, "is to no call of ours", why);
	if (is_null(&error) && result.bytes == 0)
		return malformed(w, "has neither result nor error", why);
	if (!is_null(&error) && !scan_is_object(&error))
		return malformed(w, "has an error that is not an object", why);
	if ((c = calls_take(&w->calls, number)) == NULL)
		return 0;
	if (is_null(&error))
		c->on_reply(c->arg, terminate(w, &result), NULL);
	else
		refused(c, &error);
	free(c);
	return 0;
}

static int
take_message(struct wire *w, const char *line, size_t bytes, struct assay_error *why)
{
	struct span	message, id, method, params;

	if (!scan_text(line, bytes, &message))
		return malformed(w, "is not JSON", why);
	if (!scan_is_object(&message))
		return malformed(w, "is not an object", why);
	id = scan_member(&message, "id");
	method = scan_member(&message, "method");
	params = scan_member(&message, "params");
	if (method.bytes == 0)
		return take_reply(w, &message, &id, why);
	if (params.bytes != 0)
		w->on_notification(w->arg, terminate(w, &params));
	return 0;
}

/* Lines that are whole. */
static int
take_lines(struct wire *w, struct assay_error *why)
{
	struct buffer	*b = &w->in;
	int		 rc = 0;

	while (rc == 0 && b->begin < b->end) {
		char	*from = b->at + b->begin;
		char	*newline = memchr(from + w->scanned, '\n', b->end - b->begin - w->scanned);

		if (newline == NULL) {
			w->scanned = b->end - b->begin;
			return b->end - b->begin <= MAX_LINE_BYTES ? 0 :
			    malformed(w, "is endless", why);
		}
		b->begin += (size_t)(newline - from) + 1;
		w->scanned = 0;
		rc = take_message(w, from, (size_t)(newline - from), why);
	}
	return rc;
}

static int
receive(struct wire *w, struct assay_error *why)
{
	struct buffer	*b = &w->in;
	ssize_t		 n = 1;

	for (size_t sum = 0; sum < STEP_BYTES; sum += (size_t)n) {
		if (!make_room(b, READ_BYTES)) {
			w->broken = true;
			return problem(why, "no_memory", "reply");
		}
		do
			n = recv(w->fd, b->at + b->end, b->room - b->end, 0);
		while (n < 0 && errno == EINTR);
		if (n < 0 && errno == EAGAIN)
			return 0;
		if (n <= 0)
			return gone(w, n == 0 ? "end of file" : strerror(errno), why);
		b->end += (size_t)n;
		if (take_lines(w, why) != 0)
			return -1;
	}
	return 0;
}

int
wire_fd(const struct wire *w)
{
	return w->fd;
}

int
wire_wants(const struct wire *w)
{
	return w->out.begin < w->out.end ? POLLIN | POLLOUT : POLLIN;
}

/* Input is read although output waits: neither side waits for the other to read. */
int
wire_step(struct wire *w, struct assay_error *why)
{
	struct assay_error	local;

	why = why != NULL ? why : &local;
	if (w->broken)
		return gone(w, "an earlier call ended it", why);
	if (flush(w, why) != 0) {
		struct assay_error	read;

		/* it may have said why before it closed */
		w->broken = false;
		if (receive(w, &read) != 0 && strcmp(read.word, "unavailable") != 0)
			*why = read;
		w->broken = true;
		calls_fail(&w->calls, why);
		return -1;
	}
	if (receive(w, why) != 0) {
		calls_fail(&w->calls, why);
		return -1;
	}
	shrink(&w->in);
	return 0;
}
