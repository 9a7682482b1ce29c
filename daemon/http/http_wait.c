/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers that may wait until jobs are over (?wait=30s): first job.wait, by a client that stands
 * for this request alone, then the route's own call.  When the time is up, that call is answered
 * with what there is.
 */
#include <stdlib.h>
#include <string.h>

#include "daemon/http/http_impl.h"
#include "daemon/usage/vitals.h"

struct http_wait {
	struct exchange		*ex;		/* borrowed */
	struct api_client	*client;	/* owned */
	struct event		*over;		/* owned; the wait is, and the call may be made */
	json_t			*params;	/* owned reference; of the route's call */
	bool			 ends;		/* it is being freed */
	struct fault		 why;		/* ST_OK: go on with the call */
};

const struct api_param	http_wait_asked[] = {
	{ "wait", PARAM_DURATION, false, 0, HTTP_MAX_WAIT_MS },
	{ NULL, PARAM_BOOL, false, 0, 0 },
};

void
http_wait_free(struct http_wait *w)
{
	if (w == NULL)
		return;
	w->ends = true;
	if (w->client != NULL)
		api_vitals(w->ex->http->api)->http_waits--;
	api_client_free(w->client);
	if (w->over != NULL)
		event_free(w->over);
	json_decref(w->params);
	free(w);
}

static void
ignore_result(void *arg, int64_t subscription, int64_t cursor, const char *json, size_t bytes)
{
	(void)arg;
	(void)subscription;
	(void)cursor;
	(void)json;
	(void)bytes;
}

static bool
has_room(void *arg)
{
	(void)arg;
	return true;
}

/* Called from among the clients of the api, where none may be freed: the rest is an event's. */
static void
on_waited(void *arg, const struct api_reply *r)
{
	struct http_wait	*w = arg;

	if (w->ends)
		return;
	if (r->status == ST_OK)
		w->why.status = ST_OK;
	else
		w->why = *r->why;
	event_active(w->over, EV_TIMEOUT, 1);
}

static void
on_over(evutil_socket_t fd, short what, void *arg)
{
	struct http_wait	*w = arg;
	struct exchange		*ex = w->ex;
	json_t			*params = json_incref(w->params);
	struct fault		 why = w->why;

	(void)fd;
	(void)what;
	ex->wait = NULL;
	http_wait_free(w);
	if (why.status == ST_OK)
		http_call(ex, params);
	else
		http_problem(ex, 0, &why, NULL);
	json_decref(params);
}

/* NULL: no memory. */
static struct http_wait *
wait_new(struct exchange *ex, const json_t *params)
{
	static const struct api_hooks	 hooks = { ignore_result, has_room };
	struct http_wait		*w = calloc(1, sizeof *w);

	if (w == NULL)
		return NULL;
	w->ex = ex;
	w->params = json_incref((json_t *)(uintptr_t)params);
	if ((w->client = api_client_new(ex->http->api, ex->uid, &hooks, w)) != NULL)
		api_vitals(ex->http->api)->http_waits++;
	if (w->client != NULL && (w->over = evtimer_new(ex->http->base, on_over, w)) != NULL)
		return w;
	http_wait_free(w);
	return NULL;
}

static json_t *
wait_params(const struct exchange *ex, const json_t *params, int64_t wait_ms)
{
	const char	*name = ex->route->subject;
	json_t		*subject = json_object_get(params, name);

	if (strcmp(name, "id") == 0)
		return json_pack("{s:[O], s:I}", "ids", subject, "timeout_ms",
		    (json_int_t)wait_ms);
	return json_pack("{s:O, s:I}", name, subject, "timeout_ms", (json_int_t)wait_ms);
}

static void
wait_start(struct exchange *ex, const json_t *params, int64_t wait_ms)
{
	json_t		*what = wait_params(ex, params, wait_ms);
	struct caller	 who;
	struct fault	 why;

	if (what == NULL || (ex->wait = wait_new(ex, params)) == NULL) {
		(void)fault_set(&why, ST_NOMEM, "out of memory");
		http_problem(ex, 0, &why, NULL);
	} else {
		api_client_charge(ex->wait->client, http_conn_account(ex->conn));
		who = http_caller(ex, ex->wait->client, NULL);
		api_call(ex->http->api, &who, "job.wait", what, on_waited, ex->wait);
	}
	json_decref(what);
}

void
http_run_wait(struct exchange *ex)
{
	struct fault	why;
	int64_t		wait_ms;
	json_t		*params;

	if (http_params(ex, &params, &why) != ST_OK) {
		http_problem(ex, 0, &why, NULL);
		return;
	}
	wait_ms = params_int(params, "wait", 0);
	(void)json_object_del(params, "wait");
	if (wait_ms > 0)
		wait_start(ex, params, wait_ms);
	else
		http_call(ex, params);
	json_decref(params);
}
