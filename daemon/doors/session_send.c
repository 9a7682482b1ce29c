/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>

#include "daemon/doors/session_impl.h"

/* ---- sending ---- */

static void
added(struct session *s)
{
	unread_watch(&s->unread);
	session_settle(s);
}

void
session_send_error(struct session *s, const char *id, int code, const struct fault *why,
    const struct place *place)
{
	json_t	*data = api_fault_data(why), *error;
	char	*text;

	if (place != NULL)
		(void)json_object_set_new(data, "place",
		    json_pack("{s:I,s:I,s:I}", "line", (json_int_t)place->line, "column",
		    (json_int_t)place->column, "offset", (json_int_t)place->offset));
	error = json_pack("{s:i,s:o,s:o}", "code", code, "message", json_string(why->text),
	    "data", data);
	text = json_dumps(error, JSON_COMPACT);
	if (text == NULL || evbuffer_add_printf(session_output(s),
	    "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":%s}\n", id != NULL ? id : "null", text) < 0)
		session_kill(s);
	free(text);
	json_decref(error);
	added(s);
}

static void
send_reply(struct session *s, const char *id, const struct api_reply *r)
{
	struct evbuffer	*out = session_output(s);

	if (r->status != ST_OK) {
		session_send_error(s, id, r->code, r->why, NULL);
		return;
	}
	if (evbuffer_add_printf(out, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":", id) < 0 ||
	    evbuffer_add_buffer(out, r->result) != 0 || evbuffer_add(out, "}\n", 2) != 0)
		session_kill(s);
	added(s);
}

static void
pending_free(struct pending *p)
{
	free(p->id);
	free(p);
}

void
session_on_reply(void *arg, const struct api_reply *r)
{
	struct pending	*p = arg;
	struct session	*s = p->session;

	if (s == NULL) {
		pending_free(p);
		return;
	}
	TAILQ_REMOVE(&s->calls, p, entry);
	if (p->id != NULL)
		HASH_DEL(s->by_id, p);
	s->ncalls--;
	if (s->phase == SESSION_HALF ||
	    (s->phase == SESSION_OPEN && s->ncalls == SESSION_MAX_CALLS - 1))
		session_turn_soon(s);			/* go on with what is buffered, or close */
	if (s->phase < SESSION_DEAD && p->id != NULL)
		send_reply(s, p->id, r);
	pending_free(p);
}

/* ---- subscriptions ---- */

static void
on_result(void *arg, int64_t subscription, int64_t cursor, const char *json, size_t bytes)
{
	struct session	*s = arg;
	struct evbuffer	*out = session_output(s);

	if (s->phase == SESSION_DEAD)
		return;
	if (evbuffer_add_printf(out, "{\"jsonrpc\":\"2.0\",\"method\":\"result\",\"params\":{"
	    "\"subscription\":%" PRId64 ",\"cursor\":%" PRId64 ",\"result\":", subscription,
	    cursor) < 0 || evbuffer_add(out, json, bytes) != 0 || evbuffer_add(out, "}}\n", 3) != 0)
		session_kill(s);
	added(s);
}

static bool
has_room(void *arg)
{
	struct session	*s = arg;

	return s->phase < SESSION_CLOSING && !unread_is_much(&s->unread);
}

const struct api_hooks	session_hooks = { on_result, has_room };
