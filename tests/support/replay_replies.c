/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker that answers each order with the reply that another job had: hello-build, hello-time,
 * built and timed of $ASSAY_REPLIES (tests/support/recording_worker.py), with the order's job_id.
 * It costs next to nothing, so that a sweep is the daemon's work alone.
 */
#include <inttypes.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DAEMON_FD = 3, HEADER_BYTES = 4, REPLY_MAX = 1 << 20 };

/* What stands before and behind the id; its texts live as long as the program. */
struct reply {
	char	*head, *tail;
};

static _Noreturn void
give_up(const char *why)
{
	(void)fprintf(stderr, "replay_replies: %s\n", why);
	exit(1);
}

static char *
read_file(const char *name)
{
	const char	*dir = getenv("ASSAY_REPLIES");
	char		*text = calloc(1, REPLY_MAX), path[4096];
	FILE		*f;

	(void)snprintf(path, sizeof path, "%s/%s", dir != NULL ? dir : ".", name);
	if (text == NULL || (f = fopen(path, "r")) == NULL)
		give_up(path);
	(void)fread(text, 1, REPLY_MAX - 1, f);
	(void)fclose(f);
	return text;
}

static struct reply
load(const char *name)
{
	static const char	id[] = "\"job_id\":";
	char			*text = read_file(name), *at = strstr(text, id);
	struct reply		 r;

	if (at == NULL)
		give_up("a reply without job_id");
	at += strlen(id);
	r = (struct reply){ text, at + strspn(at, "0123456789") };
	r.tail = strdup(r.tail);
	*at = '\0';
	return r;
}

/* One write for header and body. */
static void
send_frame(const char *head, int64_t id, const char *tail)
{
	static char	frame[HEADER_BYTES + REPLY_MAX];
	uint32_t	bytes;

	bytes = (uint32_t)(id == 0 ?
	    snprintf(frame + HEADER_BYTES, REPLY_MAX, "%s", head) :
	    snprintf(frame + HEADER_BYTES, REPLY_MAX, "%s%" PRId64 "%s", head, id, tail));
	memcpy(frame, &bytes, HEADER_BYTES);	/* little-endian, as the hosts of this bench */
	if (write(DAEMON_FD, frame, HEADER_BYTES + bytes) != (ssize_t)(HEADER_BYTES + bytes))
		give_up("the daemon takes no more");
}

/* Asleep in poll, as the real worker (worker/wire.c). */
static void
read_all(void *to, size_t bytes)
{
	struct pollfd	in = { .fd = DAEMON_FD, .events = POLLIN };

	for (char *at = to; bytes > 0;) {
		const ssize_t	n = poll(&in, 1, -1) > 0 ? read(DAEMON_FD, at, bytes) : 0;

		if (n <= 0)
			exit(0);
		at += n;
		bytes -= (size_t)n;
	}
}

/* The next order, as text. */
static const char *
receive(void)
{
	static char	order[REPLY_MAX];
	uint32_t	bytes;

	read_all(&bytes, sizeof bytes);
	if (bytes >= sizeof order)
		give_up("an order too long");
	read_all(order, bytes);
	order[bytes] = '\0';
	return order;
}

int
main(int argc, char **argv)
{
	const struct reply	built = load("built"), timed = load("timed");
	const bool		builds = argc > 2 && strcmp(argv[2], "build") == 0;
	int64_t			id;

	send_frame(read_file(builds ? "hello-build" : "hello-time"), 0, "");
	for (;;) {
		const char	*order = receive();

		if (sscanf(order, "{\"kind\":\"build\",\"job_id\":%" SCNd64, &id) == 1)
			send_frame(built.head, id, built.tail);
		else if (sscanf(order, "{\"kind\":\"time\",\"job_id\":%" SCNd64, &id) == 1)
			send_frame(timed.head, id, timed.tail);
	}
}
