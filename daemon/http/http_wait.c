/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers that may wait until jobs are over, by a client of the api that stands for the request
 * alone: job.wait itself; or (?wait=30s) job.wait and then the route's own call, which is answered
 * with what there is when the time is up.
 */
#include <stdlib.h>
#include <string.h>

#include "daemon/http/http_impl.h"
#include "daemon/usage/vitals.h"

struct http_wait {
	struct exchange		*ex;		/* borrowed */
	struct api_client	*client;	/* owned */
	struct event		*over;		/* owned; the wait is, and the call may be made */
	json_t			*params;	/* owned reference; of the call that follows; NULL:
						 * none does */
	struct evbuffer		*waited;	/* owned; job.wait's result */
	bool			 ends;		/* it is being freed */
	struct fault		 why;		/* ST_OK: the wait went well */
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
	if (w->waited != NULL)
		evbuffer_free(w->waited);
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
	w->why.status = ST_OK;
	if (r->status != ST_OK)
		w->why = *r->why;
	else if (evbuffer_add_buffer(w->waited, r->result) != 0)
		(void)fault_set(&w->why, ST_NOMEM, "wait");
	event_active(w->over, EV_TIMEOUT, 1);
}

static void
on_over(evutil_socket_t fd, short what, void *arg)
{
	struct http_wait	*w = arg;
	struct exchange		*ex = w->ex;
	json_t			*params = json_incref(w->params);
	struct evbuffer		*waited = w->waited;
	const struct fault	 why = w->why;
	const struct api_reply	 reply = { .status = why.status, .result = waited, .why = &why };

	(void)fd;
	(void)what;
	w->waited = NULL;
	ex->wait = NULL;
	http_wait_free(w);		/* its client, before the answer ends the exchange */
	if (params != NULL && why.status == ST_OK)
		http_call(ex, params);
	else
		http_api_reply(ex, &reply);
	evbuffer_free(waited);
	json_decref(params);
}

/* params: of the call that follows; NULL: none does.  NULL: no memory. */
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
	if (w->client != NULL && (w->waited = evbuffer_new()) != NULL &&
	    (w->over = evtimer_new(ex->http->base, on_over, w)) != NULL)
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

/* what: params of job.wait, or NULL: no memory; then: as wait_new's. */
static void
wait_start(struct exchange *ex, const json_t *what, const json_t *then)
{
	struct caller	 who;
	struct fault	 why;

	if (what == NULL || (ex->wait = wait_new(ex, then)) == NULL) {
		(void)fault_set(&why, ST_NOMEM, "out of memory");
		http_problem(ex, 0, &why, NULL);
	} else {
		api_client_charge(ex->wait->client, http_conn_account(ex->conn));
		who = http_caller(ex, ex->wait->client, NULL);
		api_call(ex->http->api, &who, "job.wait", what, on_waited, ex->wait);
	}
}

void
http_run_await(struct exchange *ex)
{
	json_t	*what = http_body_of(ex);

	if (what == NULL)
		return;
	wait_start(ex, what, NULL);
	json_decref(what);
}

void
http_run_wait(struct exchange *ex)
{
	struct fault	why;
	int64_t		wait_ms;
	json_t		*params, *what;

	if (http_params(ex, &params, &why) != ST_OK) {
		http_problem(ex, 0, &why, NULL);
		return;
	}
	wait_ms = params_int(params, "wait", 0);
	(void)json_object_del(params, "wait");
	if (wait_ms > 0) {
		what = wait_params(ex, params, wait_ms);
		wait_start(ex, what, params);
		json_decref(what);
	} else {
		http_call(ex, params);
	}
	json_decref(params);
}
