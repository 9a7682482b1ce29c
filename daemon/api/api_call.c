/* SPDX-License-Identifier: Apache-2.0 */
/* A call from its method's checks to its answer. */
#include <stdlib.h>
#include <string.h>

#include "daemon/api/api_methods.h"

static int
code_of(enum status st)
{
	switch (st) {
	case ST_BAD_SPEC:
	case ST_BAD_REQUEST:
		return API_BAD_PARAMS;
	case ST_NOT_FOUND:
		return API_NOT_FOUND;
	case ST_CONFLICT:
		return API_CONFLICT;
	case ST_DENIED:
		return API_DENIED;
	case ST_FULL:
		return API_FULL;
	default:
		return API_OURS;
	}
}

json_t *
api_fault_data(const struct fault *why)
{
	json_t	*data = json_object();

	(void)json_object_set_new(data, "word", json_string(status_word(why->status)));
	if (why->member[0] != '\0')
		(void)json_object_set_new(data, "member", json_string(why->member));
	(void)json_object_set_new(data, "reason", json_string(why->text));
	if (why->hint[0] != '\0')
		(void)json_object_set_new(data, "hint", json_string(why->hint));
	return data;
}

static struct call *
call_new(struct api *api, const struct caller *who, api_reply_fn *reply, void *arg)
{
	struct call	*c = calloc(1, sizeof *c);

	if (c == NULL)
		return NULL;
	c->api = api;
	c->uid = who->uid;
	c->role = who->role;
	c->client = who->client;
	c->noted = who->call;
	if (c->noted != NULL)
		*c->noted = c;
	c->reply = reply;
	c->arg = arg;
	if (c->client != NULL)
		TAILQ_INSERT_TAIL(&c->client->calls, c, entry);
	return c;
}

static void
call_free(struct call *c)
{
	if (c->client != NULL)
		TAILQ_REMOVE(&c->client->calls, c, entry);
	free(c);
}

static void
give(struct call *c, const struct api_reply *r)
{
	if (c->noted != NULL)
		*c->noted = NULL;
	c->reply(c->arg, r);
	call_free(c);
}

void
call_refuse(struct call *c, const struct fault *why)
{
	struct api_reply	r = { .status = why->status,
				    .code = code_of(why->status), .why = why };

	give(c, &r);
}

static void
refuse_for_memory(struct call *c)
{
	struct fault	why;

	(void)fault_set(&why, ST_NOMEM, "the daemon is out of memory");
	call_refuse(c, &why);
}

enum status
call_answer_text(struct call *c, struct evbuffer *text)
{
	struct api_reply	r = { .status = ST_OK, .result = text,
				    .next = c->next[0] != '\0' ? c->next : NULL };

	give(c, &r);
	evbuffer_free(text);
	return ST_OK;
}

static void
free_dump(const void *data, size_t n, void *arg)
{
	(void)data;
	(void)n;
	free(arg);
}

enum status
call_answer(struct call *c, json_t *result)
{
	char		*text = result != NULL ?
			    json_dumps(result, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
	struct evbuffer	*out = evbuffer_new();

	json_decref(result);
	if (text == NULL || out == NULL || evbuffer_add_reference(out, text, strlen(text),
	    free_dump, text) != 0) {
		free(text);
		if (out != NULL)
			evbuffer_free(out);
		refuse_for_memory(c);
		return ST_OK;
	}
	return call_answer_text(c, out);
}

/* The queue of the daemon before is being read, and this call needs all of it. */
static bool
must_wait(const struct api *api, const struct method *m, uid_t uid)
{
	return api_is_reading(api) && (m->needs_all ||
	    (method_brings_work(m) && quota_binds(api->env.queue, uid)));
}

static enum status
refuse_work(const struct api *api, struct fault *why)
{
	(void)fault_set(why, ST_UNAVAILABLE, "%s", api->begins_nothing);
	fault_hint(why, "what it has acknowledged is kept; ask again once it is restarted");
	return ST_UNAVAILABLE;
}

void
api_call(struct api *api, const struct caller *who, const char *name, const json_t *params,
    api_reply_fn *reply, void *arg)
{
	const struct method	*m = method_named(name);
	json_t			*none = json_object();
	struct api_reply	 r = { .status = ST_NOMEM, .code = API_OURS };
	struct fault		 why;
	struct call		*c;
	enum status		 st;

	r.why = &why;
	(void)fault_set(&why, ST_NOMEM, "the daemon is out of memory");
	if (m == NULL) {
		method_refuse(name, reply, arg);
	} else if (none == NULL || (c = call_new(api, who, reply, arg)) == NULL) {
		reply(arg, &r);
	} else {
		if (params == NULL)
			params = none;
		st = method_permits(m, who, &why);
		if (st == ST_OK && api->begins_nothing != NULL && method_brings_work(m))
			st = refuse_work(api, &why);
		if (st == ST_OK && m->params != NULL)
			st = params_check(m->params, params, &why);
		if (st == ST_OK && must_wait(api, m, c->uid))
			st = api_put_off(&api->put_off, c, m->run, params, &why);
		else if (st == ST_OK)
			api_run(c, m->run, params);
		if (st != ST_OK)
			call_refuse(c, &why);
	}
	json_decref(none);
}

void
api_leave(struct call *c)
{
	if (c == NULL)
		return;
	if (c->reading != NULL)
		reading_cancel(c->reading);
	arrivals_forget(intake_arrivals(c->api->env.intake), c);
}
