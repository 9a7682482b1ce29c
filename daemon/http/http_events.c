/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Streams of events (text/event-stream): of a job, of a sweep, of everything.
 *
 * A stream is a client of the api with one subscription.  `result` events come from that, so they
 * are bounded as those of a session: while much output is unread nothing is added, and later the
 * store is read from the last cursor on.  Once a second a stream looks whether its subject has
 * changed (`progress`) or is over (`end`), and whether it has been silent for long (a comment).  A
 * reader that takes nothing for HTTP_TIMEOUT_S while output waits is closed; it comes back with
 * Last-Event-ID, and misses nothing.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/bufferevent.h>

#include "daemon/http/http_fields.h"
#include "daemon/http/http_impl.h"
#include "daemon/queue/arrivals.h"
#include "daemon/usage/vitals.h"
#include "proto/base/log.h"

#define EVENTS	"text/event-stream"

enum {
	TICK_S		= 1,
	SILENT_S	= 15,		/* then a comment shows that the connection lives */
	RETRY_MS	= 2000,		/* a browser's pause before it comes back */
	OUTPUT_BYTES	= 128 << 10,	/* unread ones, from which on nothing is added */
	OF_USER		= 100,		/* streams of one user */
};

enum subject { OF_ALL, OF_SWEEP, OF_JOB };

static const struct {
	const char	*method;	/* what `progress` and `end` have */
	const char	*params;	/* besides the subject; NULL: none */
} subjects[] = {
	[OF_ALL] = { "queue.get", "{\"limit\":0}" },
	[OF_SWEEP] = { "sweep.get", NULL },
	[OF_JOB] = { "job.get", NULL },
};

struct asking;

struct http_events {
	struct exchange		*ex;		/* borrowed */
	struct api_client	*client;	/* owned */
	struct event		*tick;		/* owned */
	enum subject		 of;
	json_t			*which;		/* owned reference; params of its method */
	int64_t			 id;		/* the subject's; 0 of all */
	int64_t			 after;		/* the cursor to begin behind; -1: with news */
	struct asking		*asking;	/* borrowed; NULL: none is under way */
	bool			 is_known, begun, ends;	/* is_known: the subject is there */
	uint64_t		 shown;		/* its state when it was shown last */
	uint64_t		 results;	/* sent */
	bool			 unwritten;	/* on_written is to come */
	unsigned		 silent_s;
};

/* A call for the subject's document.  Its answer may come when the stream is gone. */
struct asking {
	struct http_events	*of;		/* borrowed; NULL: gone */
	struct call		*call;		/* borrowed; NULL: it is answered */
	bool			 is_last;
};

const struct api_param	http_events_asked[] = {
	{ "after", PARAM_INT, false, 0, INT64_MAX },
	{ NULL, PARAM_BOOL, false, 0, 0 },
};

void
http_events_free(struct http_events *e)
{
	if (e == NULL)
		return;
	e->ends = true;
	if (e->asking != NULL) {
		e->asking->of = NULL;
		api_leave(e->asking->call);
	}
	if (e->client != NULL)
		api_vitals(e->ex->http->api)->http_streams--;
	api_client_free(e->client);
	if (e->tick != NULL)
		event_free(e->tick);
	json_decref(e->which);
	free(e);
}

/* ---- output ---- */

static struct bufferevent *
bev_of(const struct http_events *e)
{
	return evhttp_connection_get_bufferevent(evhttp_request_get_connection(e->ex->req));
}

static size_t
unread_bytes(const struct http_events *e)
{
	return evbuffer_get_length(bufferevent_get_output(bev_of(e)));
}

static bool
has_room(void *arg)
{
	const struct http_events	*e = arg;

	return e->begun && unread_bytes(e) < OUTPUT_BYTES;
}

static void	 on_written(struct evhttp_connection *, void *);

static void
send_text(struct http_events *e, struct evbuffer *text)
{
	e->silent_s = 0;
	e->unwritten = true;
	evhttp_send_reply_chunk_with_cb(e->ex->req, text, on_written, e);
	http_conn_keep(e->ex->conn);
}

/* A line of data for each of the text. */
static void
put_data(struct evbuffer *out, const char *text, size_t bytes)
{
	const char	*end;
	size_t		 n;

	do {
		end = memchr(text, '\n', bytes);
		n = end != NULL ? (size_t)(end - text) : bytes;
		(void)evbuffer_add(out, "data: ", 6);
		(void)evbuffer_add(out, text, n);
		(void)evbuffer_add(out, "\n", 1);
		text += n + 1;
		bytes -= end != NULL ? n + 1 : n;
	} while (end != NULL && bytes > 0);
	(void)evbuffer_add(out, "\n", 1);
}

/* id: "" none. */
static void
send_event(struct http_events *e, const char *name, const char *id, const char *text, size_t bytes)
{
	struct evbuffer	*out = evbuffer_new();

	if (out == NULL)
		return;
	(void)evbuffer_add_printf(out, "event: %s\n", name);
	if (id[0] != '\0')
		(void)evbuffer_add_printf(out, "id: %s\n", id);
	put_data(out, text, bytes);
	send_text(e, out);
	evbuffer_free(out);
}

static void
send_plain(struct http_events *e, const char *text)
{
	struct evbuffer	*out = evbuffer_new();

	if (out == NULL)
		return;
	(void)evbuffer_add(out, text, strlen(text));
	send_text(e, out);
	evbuffer_free(out);
}

/* ---- the subject ---- */

static uint64_t
mixed(uint64_t h, uint64_t n)
{
	return (h ^ n) * UINT64_C(0x100000001b3);
}

/* What may change it, as one number: documents are made when this is another. */
static uint64_t
state_of(const struct http_events *e)
{
	const struct api_env	*env = api_env(e->ex->http->api);
	const struct queued_job	*j;
	struct arrival_progress	 p = { 0 };
	size_t			 n[JOB_NSTATES] = { 0 };
	uint64_t		 h = mixed(UINT64_C(0xcbf29ce484222325), e->results);

	if (e->of == OF_JOB) {
		j = queue_find(env->queue, e->id);
		return mixed(h, j != NULL ? (uint64_t)j->state + 1 : 0);
	}
	if (e->of == OF_SWEEP) {
		queue_sweep_counts(env->queue, e->id, n);
		(void)arrivals_progress(intake_arrivals(env->intake), e->id, &p);
	} else {
		for (unsigned s = 0; s < JOB_NSTATES; s++)
			n[s] = env->queue->count[s];
	}
	for (unsigned s = 0; s < JOB_NSTATES; s++)
		h = mixed(h, n[s]);
	return mixed(mixed(h, p.checked), p.stored);
}

/* Nothing more will come of it. */
static bool
is_over(const struct http_events *e)
{
	const struct api_env	*env = api_env(e->ex->http->api);
	struct arrival_progress	 p;

	if (e->of == OF_ALL || api_client_is_behind(e->client))
		return false;
	if (e->of == OF_JOB)
		return queue_find(env->queue, e->id) == NULL;
	return !queue_has_sweep(env->queue, e->id) &&
	    !arrivals_progress(intake_arrivals(env->intake), e->id, &p);
}

static void	 on_document(void *, const struct api_reply *);

/* It may be answered at once, and then end the stream: nothing is done behind it. */
static void
ask(struct http_events *e, bool is_last)
{
	struct asking	*a;
	struct caller	 who;

	if (e->asking != NULL || (a = calloc(1, sizeof *a)) == NULL)
		return;			/* the next tick asks again */
	*a = (struct asking){ .of = e, .is_last = is_last };
	e->asking = a;
	who = http_caller(e->ex, NULL, &a->call);
	api_call(e->ex->http->api, &who, subjects[e->of].method, e->which, on_document, a);
}

static void
tick_soon(struct http_events *e)
{
	event_active(e->tick, EV_TIMEOUT, 1);
}

static void
tick_later(struct http_events *e)
{
	static const struct timeval	period = { TICK_S, 0 };

	(void)evtimer_add(e->tick, &period);
}

/* The store could not be read: the peer misses the last chunk, and comes back. */
static void
cut_off(struct http_events *e)
{
	struct evhttp_connection	*conn = evhttp_request_get_connection(e->ex->req);

	log_error("http events cut off: the database cannot be read");
	evhttp_connection_free(conn);
}

static void
on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct http_events	*e = arg;
	uint64_t		 state;

	(void)fd;
	(void)what;
	tick_later(e);
	if (!e->begun) {
		if (!e->is_known)
			ask(e, false);
		return;
	}
	if (e->of != OF_JOB && !api_client_is_subscribed(e->client)) {
		cut_off(e);
		return;
	}
	e->silent_s += TICK_S;
	if (e->unwritten)	/* it is behind: nothing but results, when it reads again */
		return;
	if (is_over(e)) {
		ask(e, true);
	} else if ((state = state_of(e)) != e->shown) {
		e->shown = state;
		ask(e, false);
	} else if (e->silent_s >= SILENT_S) {
		send_plain(e, ":\n\n");
	}
}

/* All is with the kernel.  The first look, and the end, need not wait for the next tick. */
static void
on_written(struct evhttp_connection *conn, void *arg)
{
	struct http_events	*e = arg;

	(void)conn;
	e->unwritten = unread_bytes(e) != 0;
	api_client_room(e->client);
	if (e->shown == 0 || is_over(e))
		tick_soon(e);
}

static void
on_result(void *arg, int64_t subscription, int64_t cursor, const char *json, size_t bytes)
{
	struct http_events	*e = arg;
	char			 id[24];

	(void)subscription;
	(void)snprintf(id, sizeof id, "%" PRId64, cursor);
	send_event(e, "result", id, json, bytes);
	e->results++;
}

/* ---- the beginning ---- */

static void
begin(struct http_events *e)
{
	char	retry[32];

	if (http_stream_begin(e->ex, EVENTS))
		return;
	e->begun = true;
	(void)snprintf(retry, sizeof retry, "retry: %d\n\n", RETRY_MS);
	send_plain(e, retry);
}

static void
refuse(struct http_events *e, const struct fault *why)
{
	http_problem(e->ex, 0, why, NULL);	/* which frees it */
}

/* The answer to results.subscribe. */
static void
on_subscribed(void *arg, const struct api_reply *r)
{
	struct http_events	*e = arg;

	if (e->ends)
		return;
	if (r->status != ST_OK) {
		refuse(e, r->why);
		return;
	}
	begin(e);
}

static json_t *
subscription_of(const struct http_events *e)
{
	json_t	*p = e->of == OF_ALL ? json_pack("{s:b}", "all", 1) :
		    e->of == OF_SWEEP ? json_pack("{s:I}", "sweep", (json_int_t)e->id) :
		    json_pack("{s:[I]}", "ids", (json_int_t)e->id);

	if (e->after >= 0)
		(void)json_object_set_new(p, "after", json_integer(e->after));
	return p;
}

/* The subject is there: now it has a number. */
static void
subscribe(struct http_events *e, const json_t *document)
{
	struct caller	 who = http_caller(e->ex, e->client, NULL);
	json_t		*params;

	e->is_known = true;
	e->id = json_integer_value(json_object_get(document, "id"));
	params = subscription_of(e);
	api_call(e->ex->http->api, &who, "results.subscribe", params, on_subscribed, e);
	json_decref(params);
}

/* ---- documents ---- */

static void
send_document(struct http_events *e, struct evbuffer *text, bool is_last)
{
	const size_t	 n = evbuffer_get_length(text);
	const char	*bytes = (const char *)evbuffer_pullup(text, -1);

	if (bytes != NULL)
		send_event(e, is_last ? "end" : "progress", is_last ? HTTP_EVENTS_END : "", bytes,
		    n);
	if (is_last)
		http_stream_end(e->ex);
}

static void
first_document(struct http_events *e, struct evbuffer *text)
{
	const char	*bytes = (const char *)evbuffer_pullup(text, -1);
	json_t		*document = bytes != NULL ? json_loadb(bytes, evbuffer_get_length(text), 0,
			    NULL) : NULL;
	struct fault	 why;

	if (document == NULL) {
		(void)fault_set(&why, ST_NOMEM, "out of memory");
		refuse(e, &why);
		return;
	}
	subscribe(e, document);
	json_decref(document);
}

static void
on_document(void *arg, const struct api_reply *r)
{
	struct asking		*a = arg;
	struct http_events	*e = a->of;
	const bool		 is_last = a->is_last;

	free(a);
	if (e == NULL)
		return;
	e->asking = NULL;
	if (!e->begun && r->status != ST_OK)
		refuse(e, r->why);
	else if (!e->begun)
		first_document(e, r->result);
	else if (r->status == ST_OK)
		send_document(e, r->result, is_last);
	else if (is_last)			/* it was pruned meanwhile */
		http_stream_end(e->ex);
}

/* ---- the request ---- */

/* NULL: no memory. */
static struct http_events *
events_new(struct exchange *ex, json_t *params, int64_t after)
{
	static const struct api_hooks	 hooks = { on_result, has_room };
	struct http_events		*e = calloc(1, sizeof *e);

	if (e == NULL)
		return NULL;
	e->ex = ex;
	e->of = ex->route->subject == NULL ? OF_ALL : strcmp(ex->route->subject, "id") == 0 ?
	    OF_JOB : OF_SWEEP;
	e->which = subjects[e->of].params != NULL ? json_loads(subjects[e->of].params, 0, NULL) :
	    json_incref(params);
	e->after = after >= 0 || e->of == OF_ALL ? after : 0;
	if ((e->client = api_client_new(ex->http->api, ex->uid, &hooks, e)) != NULL)
		api_vitals(ex->http->api)->http_streams++;
	if (e->which != NULL && e->client != NULL &&
	    (e->tick = evtimer_new(ex->http->base, on_tick, e)) != NULL)
		return e;
	http_events_free(e);
	return NULL;
}

/* *after: where to go on; -1: not said.  *is_over: the client has the end. */
static enum status
position(const struct exchange *ex, const json_t *params, int64_t *after, bool *is_over,
    struct fault *why)
{
	const char	*last = http_asked(ex, "Last-Event-ID");

	*is_over = false;
	*after = params_int(params, "after", -1);
	if (last == NULL || last[0] == '\0')
		return ST_OK;
	if ((*is_over = strcmp(last, HTTP_EVENTS_END) == 0))
		return ST_OK;
	if ((*after = http_event_id(last)) >= 0)
		return ST_OK;
	(void)fault_at(why, ST_BAD_REQUEST, "Last-Event-ID", "\"%.40s\" is no event of ours", last);
	fault_hint(why, "send the id of the last event that came, or leave it out");
	return ST_BAD_REQUEST;
}

static enum status
check_number(const struct exchange *ex, struct fault *why)
{
	const struct exchange	*other;
	unsigned		 n = 0;

	TAILQ_FOREACH(other, &ex->http->exchanges, entry)
		n += other->events != NULL && other->uid == ex->uid;
	if (n < OF_USER)
		return ST_OK;
	(void)fault_set(why, ST_FULL, "you follow %u streams of events already", n);
	fault_hint(why, "close some: a stream of a sweep has the events of all its jobs");
	fault_of_user(why);
	return ST_FULL;
}

static void
start(struct exchange *ex, json_t *params, int64_t after)
{
	struct fault	why;

	if (check_number(ex, &why) != ST_OK) {
		http_problem(ex, 0, &why, NULL);
		return;
	}
	(void)json_object_del(params, "after");
	if ((ex->events = events_new(ex, params, after)) == NULL) {
		(void)fault_set(&why, ST_NOMEM, "out of memory");
		http_problem(ex, 0, &why, NULL);
		return;
	}
	api_client_charge(ex->events->client, http_conn_account(ex->conn));
	tick_soon(ex->events);
}

void
http_run_events(struct exchange *ex)
{
	bool		 over = false;
	int64_t		 after;
	json_t		*params;
	struct fault	 why;
	enum status	 st = http_params(ex, &params, &why);

	if (st == ST_OK)
		st = position(ex, params, &after, &over, &why);
	if (st != ST_OK)
		http_problem(ex, 0, &why, NULL);
	else if (over)			/* so that a browser does not come back again and again */
		http_send_nothing(ex, 204, "");
	else
		start(ex, params, after);
	json_decref(params);
}
