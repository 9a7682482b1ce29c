/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/lib/problem.h"
#include "client/lib/route.h"

enum { URL_BYTES = 16 << 10 };

/*
 * `id`: the parameter that goes into the path; `body`: the one that is the body, "": all of them;
 * NULL: none.  All others go into the query string.
 */
static const struct route {
	const char	*method, *verb, *before, *id, *after, *body;
} routes[] = {
	{ "server.info", "GET", "/v1/info", NULL, "", NULL },
	{ "host.get", "GET", "/v1/host", NULL, "", NULL },
	{ "host.calibrate", "POST", "/v1/host/calibrate", NULL, "", NULL },
	{ "host.reference", "POST", "/v1/host/reference", NULL, "", NULL },
	{ "queue.get", "GET", "/v1/queue", NULL, "", NULL },
	{ "queue.pause", "POST", "/v1/queue/pause", NULL, "", NULL },
	{ "queue.resume", "POST", "/v1/queue/resume", NULL, "", NULL },
	{ "job.get", "GET", "/v1/jobs/", "id", "", NULL },
	{ "job.result", "GET", "/v1/jobs/", "id", "/result", NULL },
	{ "job.spec", "GET", "/v1/jobs/", "id", "/spec", NULL },
	{ "job.submit", "POST", "/v1/jobs", NULL, "", "job" },
	{ "job.cancel", "POST", "/v1/cancel", NULL, "", "" },
	{ "job.wait", "POST", "/v1/wait", NULL, "", "" },
	{ "sweep.get", "GET", "/v1/sweeps/", "sweep", "", NULL },
	{ "sweep.list", "GET", "/v1/sweeps", NULL, "", NULL },
	{ "sweep.create", "POST", "/v1/sweeps", NULL, "", "sweep" },
	{ "sweep.cancel", "DELETE", "/v1/sweeps/", "sweep", "", NULL },
	{ "sweep.share", "POST", "/v1/sweeps/", "sweep", "/share", NULL },
	{ "sweep.export", "GET", "/v1/sweeps/", "sweep", "/export", NULL },
	{ "sweep.points", "GET", "/v1/sweeps/", "sweep", "/points", NULL },
	{ "sweep.report", "GET", "/v1/sweeps/", "sweep", "/report", NULL },
	{ "compare.run", "POST", "/v1/compare", NULL, "", "compare" },
	{ "results.best", "GET", "/v1/sweeps/", "sweep", "/best", NULL },
	{ "results.query", "GET", "/v1/results", NULL, "", NULL },
	{ "kernel.list", "GET", "/v1/kernels", NULL, "", NULL },
	{ "kernel.history", "GET", "/v1/history", NULL, "", NULL },
	{ "users.get", "GET", "/v1/users", NULL, "", NULL },
};

static const struct route *
find(const char *method)
{
	for (unsigned i = 0; i < sizeof routes / sizeof routes[0]; i++)
		if (strcmp(routes[i].method, method) == 0)
			return &routes[i];
	return NULL;
}

/* ---- the URL ---- */

struct url {
	char	text[URL_BYTES];
	size_t	used;
	bool	is_full;
};

static void
add(struct url *u, const char *text, size_t bytes)
{
	if (u->is_full || bytes >= sizeof u->text - u->used) {
		u->is_full = true;
		return;
	}
	memcpy(u->text + u->used, text, bytes);
	u->used += bytes;
	u->text[u->used] = '\0';
}

static void
add_text(struct url *u, const char *text)
{
	add(u, text, strlen(text));
}

/* RFC 3986: all but unreserved characters */
static void
add_escaped(struct url *u, const char *text)
{
	char	hex[4];

	for (; *text != '\0'; text++) {
		if (strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~",
		    *text) != NULL) {
			add(u, text, 1);
		} else {
			(void)snprintf(hex, sizeof hex, "%%%02X", (unsigned char)*text);
			add(u, hex, 3);
		}
	}
}

/* A parameter's value: 3, 0.5, dot cold, 1,2,3. */
static void
add_value(struct url *u, const struct span *value)
{
	char		text[URL_BYTES];
	struct span	name, each;
	size_t		at = 0;

	if (scan_is_array(value)) {
		while (scan_next(value, &at, &name, &each)) {
			add_value(u, &each);
			add_text(u, ",");
		}
		if (at != 0 && !u->is_full)
			u->text[--u->used] = '\0';
		return;
	}
	if (value->bytes >= sizeof text || scan_is_object(value)) {
		u->is_full = true;
		return;
	}
	if (value->bytes > 0 && value->at[0] == '"')
		scan_string(value, text, sizeof text);
	else
		(void)snprintf(text, sizeof text, "%.*s", (int)value->bytes, value->at);
	add_escaped(u, text);
}

static bool
is_member(const struct span *name, const char *wanted)
{
	return wanted != NULL && name->bytes == strlen(wanted) + 2 &&
	    memcmp(name->at + 1, wanted, name->bytes - 2) == 0;
}

static void
add_query(struct url *u, const struct route *r, const struct span *params)
{
	const char	*before = "?";
	char		 text[64];
	struct span	 name, value;
	size_t		 at = 0;

	while (scan_next(params, &at, &name, &value)) {
		if (is_member(&name, r->id))
			continue;
		scan_string(&name, text, sizeof text);
		add_text(u, before);
		add_escaped(u, text);
		add_text(u, "=");
		add_value(u, &value);
		before = "&";
	}
}

/* ---- the whole ---- */

/*
 * The daemon takes a job, sweep or comparison itself as the body, or all parameters: of several
 * jobs, and of jobs that are compared by their ids.
 */
static char *
make_body(const struct route *r, const struct span *params)
{
	const struct span	own = scan_member(params, r->body);

	return scan_copy(own.bytes > 0 ? &own : params);
}

int
route_find(struct route_request *q, const char *base_url, const char *method, const char *params,
    struct assay_error *why)
{
	const struct route	*r = find(method);
	struct url		*u;
	struct span		 object = { "{}", 2 }, id;

	*q = (struct route_request){ NULL, NULL, NULL };
	if (r == NULL) {
		(void)problem(why, "bad_request", "%.80s cannot be called over HTTP", method);
		return problem_hint(why, "use the daemon's Unix socket, or ssh://HOST");
	}
	if (params != NULL && (!scan_text(params, strlen(params), &object) ||
	    !scan_is_object(&object)))
		return problem(why, "bad_request", "the parameters are no JSON object");
	id = r->id != NULL ? scan_member(&object, r->id) : (struct span){ NULL, 0 };
	if (r->id != NULL && id.bytes == 0) {
		(void)problem(why, "bad_request", "%s: missing", r->id);
		(void)snprintf(why->member, sizeof why->member, "%s", r->id);
		return -1;
	}
	if ((u = calloc(1, sizeof *u)) == NULL)
		return problem(why, "no_memory", "request");
	q->verb = r->verb;
	add_text(u, base_url);
	add_text(u, r->before);
	if (r->id != NULL)
		add_value(u, &id);
	add_text(u, r->after);
	if (r->body == NULL)
		add_query(u, r, &object);
	else
		q->body = make_body(r, &object);
	q->url = u->is_full ? NULL : strdup(u->text);
	if (q->url == NULL || (r->body != NULL && q->body == NULL)) {
		(void)problem(why, u->is_full ? "bad_request" : "no_memory",
		    "too much for one request over HTTP");
		route_release(q);
	}
	free(u);
	return q->url != NULL ? 0 : -1;
}

void
route_release(struct route_request *q)
{
	free(q->url);
	free(q->body);
	q->url = q->body = NULL;
}
