/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program with a loop of its own, of poll(2) or (-DWITH_LIBEVENT) of libevent, built against what
 * is installed.  It has many calls under way at once, follows two jobs, drops a call, and prints
 * "well" once all of it has come.  usage: loop ADDRESS
 */
#include <assay/assay.h>

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef WITH_LIBEVENT
#include <event2/event.h>
#endif

enum { CALLS = 50, JOBS = 2 };

static const char	jobs[] =
	" \"spec\": {\"routine\": \"int same(const int N)\",\n"
	" \"params\": {\"N\": 3}, \"args\": {\"N\": \"N\"}, \"context\": \"warm\"},\n"
	" \"variants\": [{\"name\": \"a\", \"source\": \"int same(const int N) { return N; }\"},\n"
	" {\"name\": \"b\", \"source\": \"int same(const int N) { return N + 0; }\"}]}";

static struct assay	*client;
static int		 infos, ids, results, refusals;

static void
fail(const char *what, const struct assay_error *why)
{
	fprintf(stderr, "%s: %s: %s (%s)\n", what, why->word, why->text, why->hint);
	exit(1);
}

static int
is_complete(void)
{
	return infos == CALLS && ids == 1 && results == JOBS && refusals == 2;
}

static void
on_info(void *arg, const char *result, const struct assay_error *why)
{
	if (result == NULL)
		fail("server.info", why);
	infos += strstr(result, "\"name\"") != NULL && arg == (void *)&infos;
}

static void
on_ids(void *arg, const char *result, const struct assay_error *why)
{
	(void)arg;
	if (result == NULL)
		fail("job.submit", why);
	ids += strstr(result, "\"ids\"") != NULL;
}

/* Begins another call from within. */
static void
on_refusal(void *arg, const char *result, const struct assay_error *why)
{
	struct assay_error	e;

	if (result != NULL || strcmp(why->word, "bad_request") != 0 ||
	    strcmp(why->member, "idd") != 0)
		exit(2);
	refusals++;
	if (arg == NULL && assay_begin(client, "job.get", "{\"id\": 1, \"idd\": 2}", on_refusal,
	    client, &e) < 0)
		fail("job.get", &e);
}

static void
on_dropped(void *arg, const char *result, const struct assay_error *why)
{
	(void)arg;
	(void)result;
	(void)why;
	exit(3);
}

static void
on_notification(void *arg, const char *params)
{
	results += strstr(params, "\"result\"") != NULL && arg == (void *)&results;
}

static void
begin(const char *method, const char *params, assay_reply_fn *on_reply, void *arg)
{
	struct assay_error	why;

	if (assay_begin(client, method, params, on_reply, arg, &why) < 0)
		fail(method, &why);
}

#ifdef WITH_LIBEVENT
static struct event_base	*base;
static struct event		*ready;

static void
on_ready(evutil_socket_t fd, short what, void *arg)
{
	struct assay_error	why;
	short			events = EV_READ;

	(void)what;
	if (assay_step(client, &why) != 0)
		fail("step", &why);
	if (is_complete()) {
		event_base_loopbreak(base);
		return;
	}
	if ((assay_wants(client) & POLLOUT) != 0)
		events |= EV_WRITE;
	event_assign(ready, base, fd, events, on_ready, arg);
	event_add(ready, NULL);
}

static void
loop(void)
{
	base = event_base_new();
	ready = event_new(base, assay_fd(client), EV_READ | EV_WRITE, on_ready, NULL);
	event_add(ready, NULL);
	event_base_dispatch(base);
	event_free(ready);
	event_base_free(base);
}
#else
static void
loop(void)
{
	struct assay_error	why;

	while (!is_complete()) {
		struct pollfd	p = { assay_fd(client), (short)assay_wants(client), 0 };

		if (poll(&p, 1, -1) > 0 && assay_step(client, &why) != 0)
			fail("step", &why);
	}
}
#endif

int
main(int argc, char **argv)
{
	struct assay_error	why;
	char			params[1024];
	int64_t			dropped;

	client = assay_new();
	if (client == NULL || argc != 2 || assay_open(client, argv[1], &why) != 0)
		fail("open", &why);
	if (assay_is_http(client))
		results = JOBS;			/* nothing follows there */
	assay_on_notification(client, on_notification, &results);
	dropped = assay_begin(client, "queue.get", NULL, on_dropped, NULL, &why);
	snprintf(params, sizeof params, "%s%s", assay_is_http(client) ? "{" : "{\"follow\": true,",
	    jobs);
	begin("job.submit", params, on_ids, NULL);
	for (int i = 0; i < CALLS; i++)
		begin("server.info", NULL, on_info, &infos);
	begin("job.get", "{\"id\": 1, \"idd\": 2}", on_refusal, NULL);
	assay_drop(client, dropped);
	loop();
	assay_free(client);
	puts("well");
	return 0;
}
