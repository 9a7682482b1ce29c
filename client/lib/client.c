/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "client/lib/assay.h"
#include "client/lib/await.h"
#include "client/lib/notes.h"
#include "client/lib/problem.h"
#include "client/lib/web.h"
#include "client/lib/wire.h"
#include "proto/base/version.h"

#define SYSTEM_SOCKET	"/run/assay/assay.sock"

enum { TIMEOUT_MS = 60000 };

struct assay {
	struct credentials	 credentials;
	int			 timeout_ms, stop_fd;
	struct wire		*wire;		/* owned; this one or the next; both NULL: closed */
	struct web		*web;		/* owned */
	struct notes		 notes;		/* for assay_next */
	bool			 note_is_lost;	/* there was no memory for one */
	assay_notification_fn	*on_notification;	/* NULL: they wait */
	void			*arg;
};

const char *
assay_version(void)
{
	return ASSAY_VERSION;
}

/* ---- opening and closing ---- */

struct assay *
assay_new(void)
{
	struct assay	*a = calloc(1, sizeof *a);

	if (a == NULL)
		return NULL;
	a->timeout_ms = TIMEOUT_MS;
	a->stop_fd = -1;
	notes_init(&a->notes);
	return a;
}

void
assay_free(struct assay *a)
{
	if (a == NULL)
		return;
	wire_free(a->wire);
	web_free(a->web);
	notes_release(&a->notes);
	credentials_release(&a->credentials);
	free(a);
}

static int
set_timeout(struct assay *a, const char *value, struct assay_error *why)
{
	char	*end;
	long	 ms = value != NULL ? strtol(value, &end, 10) : TIMEOUT_MS;

	if (value != NULL && (end == value || *end != '\0' || ms < -1 || ms > INT_MAX))
		return problem(why, "bad_request", "timeout-ms: \"%.80s\" is no whole number from "
		    "-1 to %d", value, INT_MAX);
	a->timeout_ms = (int)ms;
	return 0;
}

int
assay_set(struct assay *a, const char *name, const char *value, struct assay_error *why)
{
	int	rc;

	if (strcmp(name, "timeout-ms") == 0)
		return set_timeout(a, value, why);
	if ((rc = credentials_set(&a->credentials, name, value, why)) != 0)
		return rc < 0 ? -1 : 0;
	return problem(why, "bad_request", "%.80s: there is no such setting", name);
}

/* They come from the connection, during any step. */
static void
on_note(void *arg, const char *params)
{
	struct assay	*a = arg;

	if (a->on_notification != NULL)
		a->on_notification(a->arg, params);
	else if (!notes_add(&a->notes, params))
		a->note_is_lost = true;
}

int
assay_open(struct assay *a, const char *address, struct assay_error *why)
{
	const char	*given = getenv("ASSAY_SOCKET");
	struct address	 parsed;

	if (a->wire != NULL || a->web != NULL)
		return problem(why, "bad_request", "the client is open");
	if (address == NULL)
		address = given != NULL && given[0] != '\0' ? given : SYSTEM_SOCKET;
	if (address_parse(&parsed, address, why) != 0)
		return -1;
	if (parsed.kind == ADDRESS_UNIX || parsed.kind == ADDRESS_SSH)
		return wire_open(&a->wire, &parsed, on_note, a, why);
	return web_open(&a->web, &parsed, &a->credentials, why);
}

int
assay_is_http(const struct assay *a)
{
	return a->web != NULL;
}

/* ---- in a loop of the caller's own ---- */

static int
closed(struct assay_error *why)
{
	return problem(why, "bad_request", "the client is not open");
}

int64_t
assay_begin(struct assay *a, const char *method, const char *params, assay_reply_fn *on_reply,
    void *arg, struct assay_error *why)
{
	if (a->wire != NULL)
		return wire_begin(a->wire, method, params, on_reply, arg, why);
	return a->web != NULL ? web_begin(a->web, method, params, on_reply, arg, why) : closed(why);
}

void
assay_drop(struct assay *a, int64_t call)
{
	if (a->wire != NULL)
		wire_drop(a->wire, call);
	else if (a->web != NULL)
		web_drop(a->web, call);
}

void
assay_on_notification(struct assay *a, assay_notification_fn *on_notification, void *arg)
{
	a->on_notification = on_notification;
	a->arg = arg;
}

int
assay_fd(const struct assay *a)
{
	return a->wire != NULL ? wire_fd(a->wire) : a->web != NULL ? web_fd(a->web) : -1;
}

int
assay_wants(const struct assay *a)
{
	return a->wire != NULL ? wire_wants(a->wire) : POLLIN;
}

int
assay_step(struct assay *a, struct assay_error *why)
{
	if (a->wire == NULL && a->web == NULL)
		return closed(why);
	if ((a->wire != NULL ? wire_step(a->wire, why) : web_step(a->web, why)) != 0)
		return -1;
	if (!a->note_is_lost)
		return 0;
	a->note_is_lost = false;
	return problem(why, "no_memory", "notification");
}

/* ---- blocking ---- */

void
assay_stop_on(struct assay *a, int fd)
{
	a->stop_fd = fd;
}

/* Wait for events, then take a step.  1: there was no event until the deadline (-1: none). */
static int
wait_and_step(struct assay *a, int64_t deadline_ms, struct assay_error *why)
{
	switch (await_fd(assay_fd(a), (short)assay_wants(a), a->stop_fd, deadline_ms)) {
	case ST_OK:
		return assay_step(a, why);
	case ST_UNAVAILABLE:
		return 1;
	case ST_CANCELLED:
		return problem(why, "cancelled", "interrupted");
	default:
		return problem(why, "io", "waiting for the daemon: %s", strerror(errno));
	}
}

struct answer {
	bool			 is_there;
	char			*result;	/* owned */
	struct assay_error	 why;
};

static void
on_reply(void *arg, const char *result, const struct assay_error *why)
{
	struct answer	*answer = arg;

	answer->is_there = true;
	if (result == NULL)
		answer->why = *why;
	else if ((answer->result = strdup(result)) == NULL)
		(void)problem(&answer->why, "no_memory", "reply");
}

char *
assay_call(struct assay *a, const char *method, const char *params, struct assay_error *why)
{
	const int64_t	deadline_ms = await_deadline_ms(a->timeout_ms);
	struct answer	answer = { .is_there = false };
	int64_t		call = assay_begin(a, method, params, on_reply, &answer, why);
	int		rc = 0;

	if (call < 0)
		return NULL;
	while (rc == 0 && !answer.is_there)
		rc = wait_and_step(a, deadline_ms, why);
	if (!answer.is_there) {
		assay_drop(a, call);
		if (rc == 1)
			(void)problem(why, "unavailable", "the daemon does not answer");
		return NULL;
	}
	if (answer.result == NULL && why != NULL)
		*why = answer.why;
	return answer.result;
}

int
assay_next(struct assay *a, int timeout_ms, char **params, struct assay_error *why)
{
	const int64_t	deadline_ms = await_deadline_ms(timeout_ms);
	int		rc = 0;

	*params = NULL;
	if (a->wire == NULL)
		return a->web == NULL ? closed(why) : problem(why, "bad_request",
		    "notifications do not come over HTTP");
	while (rc == 0 && (*params = notes_take(&a->notes)) == NULL)
		rc = wait_and_step(a, deadline_ms, why);
	if (*params == NULL && rc < 0)
		*params = notes_take(&a->notes);	/* the last ones came before the end */
	return *params != NULL || rc == 1 ? 0 : -1;
}
