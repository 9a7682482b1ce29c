/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that wait: for the whole queue (api_recovery.c), or for the lock of the database. */
#include <math.h>
#include <stdlib.h>

#include "daemon/api/api_impl.h"
#include "daemon/store/store_lock.h"
#include "proto/base/clock.h"

enum { LOCKED_LIMIT_S = 60 };

struct put_off {
	struct call	*call;		/* owned until it runs */
	method_fn	*run;
	json_t		*params;	/* owned reference */
	double		 since_s;	/* monotonic */
	STAILQ_ENTRY(put_off) entry;
};

enum status
api_put_off(struct put_off_list *list, struct call *c, method_fn *run, const json_t *params,
    struct fault *why)
{
	struct put_off	*p = calloc(1, sizeof *p);

	if (p == NULL)
		return fault_set(why, ST_NOMEM, "call");
	p->call = c;
	p->run = run;
	p->params = json_incref((json_t *)(uintptr_t)params);
	p->since_s = clock_now_s();
	STAILQ_INSERT_TAIL(list, p, entry);
	return ST_OK;
}

static struct call *
take_first(struct put_off_list *list)
{
	struct put_off	*p = STAILQ_FIRST(list);
	struct call	*c = p->call;

	STAILQ_REMOVE_HEAD(list, entry);
	json_decref(p->params);
	free(p);
	return c;
}

void
api_put_off_run(struct put_off_list *list)
{
	struct put_off_list	 now = STAILQ_HEAD_INITIALIZER(now);
	struct put_off		*p;

	STAILQ_CONCAT(&now, list);
	while ((p = STAILQ_FIRST(&now)) != NULL) {
		api_run(p->call, p->run, p->params);
		(void)take_first(&now);
	}
}

void
api_put_off_end(struct put_off_list *list, double before_s, const struct fault *why)
{
	while (!STAILQ_EMPTY(list) && STAILQ_FIRST(list)->since_s < before_s)
		call_refuse(take_first(list), why);
}

/* ---- the lock ---- */

static void
on_unlocked(void *arg, enum status st, const struct fault *why)
{
	struct api	*api = arg;

	api->awaits_lock = false;
	if (st == ST_OK)
		api_put_off_run(&api->put_off_locked);
	else
		api_put_off_end(&api->put_off_locked, HUGE_VAL, why);
}

static enum status
wait_for_lock(struct call *c, method_fn *run, const json_t *params, struct fault *why)
{
	struct api	*api = c->api;

	if (!api->awaits_lock &&
	    store_when_unlocked(api->env.store, on_unlocked, api) != ST_OK)
		return fault_set(why, ST_NOMEM, "call");
	api->awaits_lock = true;
	return api_put_off(&api->put_off_locked, c, run, params, why);
}

/* A call that could not write has changed nothing. */
void
api_run(struct call *c, method_fn *run, const json_t *params)
{
	const struct store	*store = c->api->env.store;
	struct fault		 why;
	enum status		 st = run(c, params, &why);

	if (st == ST_UNAVAILABLE && store_is_locked(store))
		st = wait_for_lock(c, run, params, &why);
	if (st != ST_OK)
		call_refuse(c, &why);
}

void
api_put_off_tick(struct api *api)
{
	struct fault	why;

	(void)fault_set(&why, ST_UNAVAILABLE, "another process has held the database's write lock "
	    "for %d s", LOCKED_LIMIT_S);
	fault_hint(&why, "send it again when that process is over: nothing was stored");
	api_put_off_end(&api->put_off_locked, clock_now_s() - LOCKED_LIMIT_S, &why);
}
