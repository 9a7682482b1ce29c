/* SPDX-License-Identifier: Apache-2.0 */
/* A pause or its end is on disk before it is in effect and answered. */
#include <inttypes.h>
#include <stdlib.h>

#include "daemon/api/api_impl.h"

/* One call on its way to the disk. */
struct pausing {
	struct call	*call;		/* borrowed: answered, and so freed, at the end */
	struct pause	 pause;
	bool		 is_on;
};

static const char *const kind_words[PAUSE_NONE] = { "all", "user", "sweep" };

json_t *
api_paused_by(const struct api *api, uid_t uid, int64_t sweep_id)
{
	const enum pause_kind	kind = queue_paused_by(api->env.queue, uid, sweep_id);

	return kind == PAUSE_NONE ? json_null() : json_string(kind_words[kind]);
}

static void
list_sweep(const struct api *api, json_t *sweeps, int64_t id)
{
	char	name[sizeof ((struct sweep_row *)0)->name];

	if (store_sweep_name(api->env.store, id, name, sizeof name))
		(void)json_array_append_new(sweeps, api_sweep_ref(id, name));
}

json_t *
api_pauses(const struct api *api)
{
	struct pause	*list = calloc(API_MAX_LIST, sizeof *list);
	json_t		*users = json_array(), *sweeps = json_array();
	const size_t	 n = list != NULL ? queue_pauses(api->env.queue, list, API_MAX_LIST) : 0;

	for (size_t i = 0; i < n; i++) {
		if (list[i].kind == PAUSE_SWEEP)
			list_sweep(api, sweeps, list[i].id);
		else
			(void)json_array_append_new(users, json_integer(list[i].id));
	}
	free(list);
	return json_pack("{s:b,s:o,s:o}", "all", (int)api->env.queue->is_paused, "users", users,
	    "sweeps", sweeps);
}

static void
is_durable(void *arg, enum status st, const struct fault *why)
{
	struct pausing	*p = arg;
	struct api	*api = p->call->api;
	struct fault	 ours;

	if (st == ST_OK &&
	    (st = queue_set_paused(api->env.queue, &p->pause, p->is_on)) != ST_OK) {
		(void)fault_set(&ours, st, "pause");
		why = &ours;
	}
	if (st != ST_OK) {
		call_refuse(p->call, why);
	} else {
		dispatch_kick(api->env.dispatch);	/* orders in hand are taken back */
		(void)call_answer(p->call, json_pack("{s:b}", "paused", (int)p->is_on));
	}
	free(p);
}

static enum status
write_pause(struct call *c, const struct pause *pause, bool is_on, struct fault *why)
{
	struct store	*store = c->api->env.store;
	struct pausing	*p = malloc(sizeof *p);
	enum status	 st;

	if (p == NULL)
		return fault_set(why, ST_NOMEM, "pause");
	*p = (struct pausing){ .call = c, .pause = *pause, .is_on = is_on };
	st = store_set_pause(store, pause, is_on, why);
	if (st == ST_OK && store_when_durable(store, is_durable, p, true) != ST_OK)
		st = fault_set(why, ST_NOMEM, "pause");
	if (st != ST_OK)
		free(p);
	return st;
}

/* ---- what is meant, and whose it is ---- */

static enum status
find_sweep(const struct call *c, const json_t *sweep, struct pause *out, uid_t *owner,
    struct fault *why)
{
	struct sweep_row	row;
	enum status		st = api_find_sweep(c->api, sweep, &row, why);

	if (st == ST_OK) {
		*out = (struct pause){ PAUSE_SWEEP, row.id };
		*owner = row.submitter;
	}
	return st;
}

static enum status
one_of(const json_t *params, struct fault *why)
{
	if (json_object_size(params) == 1)
		return ST_OK;
	(void)fault_set(why, ST_BAD_REQUEST, "one of \"sweep\", \"user\" and \"all\" is needed");
	return ST_BAD_REQUEST;
}

/* owner -1: only operators may. */
static enum status
find(const struct call *c, const json_t *params, struct pause *out, uid_t *owner,
    struct fault *why)
{
	const json_t	*sweep = json_object_get(params, "sweep");
	const json_t	*user = json_object_get(params, "user");
	enum status	 st = one_of(params, why);

	if (st != ST_OK)
		return st;
	if (sweep != NULL)
		return find_sweep(c, sweep, out, owner, why);
	*out = (struct pause){ user != NULL ? PAUSE_USER : PAUSE_ALL, 0 };
	if (user != NULL && (st = api_user(c, user, &out->id, why)) != ST_OK)
		return st;
	*owner = user != NULL ? (uid_t)out->id : (uid_t)-1;
	if (user == NULL && !json_is_true(json_object_get(params, "all")))
		return fault_at(why, ST_BAD_REQUEST, "all", "must be true");
	return ST_OK;
}

static enum status
denied(const struct call *c, const struct pause *p, struct fault *why)
{
	char	name[USER_NAME_BYTES];

	if (p->kind == PAUSE_ALL)
		(void)fault_set(why, ST_DENIED, "the queue belongs to its operators");
	else if (p->kind == PAUSE_USER)
		(void)fault_set(why, ST_DENIED, "the jobs of %s are not yours",
		    users_words(c->api->env.users, (uid_t)p->id, name));
	else
		(void)fault_set(why, ST_DENIED, "sweep %" PRId64 " is not yours", p->id);
	fault_hint(why, "sweeps and users are paused and resumed by their owner and by "
	    "operators, and all by operators alone");
	return ST_DENIED;
}

static enum status
change(struct call *c, const json_t *params, bool is_on, struct fault *why)
{
	struct pause	p;
	uid_t		owner;
	enum status	st = find(c, params, &p, &owner, why);

	if (st != ST_OK)
		return st;
	return api_may_change(c, owner) ? write_pause(c, &p, is_on, why) : denied(c, &p, why);
}

enum status
api_queue_pause(struct call *c, const json_t *params, struct fault *why)
{
	return change(c, params, true, why);
}

enum status
api_queue_resume(struct call *c, const json_t *params, struct fault *why)
{
	return change(c, params, false, why);
}
