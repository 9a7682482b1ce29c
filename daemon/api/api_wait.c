/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "daemon/api/api_impl.h"

/*
 * A call that is answered when jobs are over.  It waits for the jobs that were alive when it came.
 * Jobs that were over need no waiting, and no job comes back to life.
 */
enum { WAIT_BYTES = 1024 };		/* without its ids, with its call and the request's id */

struct wait {
	struct call		*call;		/* owned until it is answered */
	struct api_client	*client;	/* borrowed; the list it is on */
	int64_t			*ids;		/* owned; sorted */
	size_t			 n, left, cost_bytes;
	struct event		*timer;		/* owned; NULL: no timeout */
	TAILQ_ENTRY(wait)	 entry;
};

static void
wait_free(struct wait *w)
{
	account_unkeep(w->client->account, w->cost_bytes);
	TAILQ_REMOVE(&w->client->waits, w, entry);
	if (w->timer != NULL)
		event_free(w->timer);
	free(w->ids);
	free(w);
}

static enum status
answer_left(struct call *c, size_t left)
{
	return call_answer(c, json_pack("{s:b,s:I}", "done", left == 0, "left", (json_int_t)left));
}

static void
wait_is_over(struct wait *w)
{
	(void)answer_left(w->call, w->left);
	wait_free(w);
}

static void
on_timeout(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	wait_is_over(arg);
}

/* Takes the ids. */
static enum status
wait_start(struct call *c, int64_t *ids, size_t n, int64_t timeout_ms, struct fault *why)
{
	struct timeval	 after = { timeout_ms / 1000, timeout_ms % 1000 * 1000 };
	const size_t	 cost = WAIT_BYTES + n * sizeof *ids;
	struct wait	*w = calloc(1, sizeof *w);
	enum status	 st = w != NULL ? account_keep(c->client->account, cost, why) :
			    fault_set(why, ST_NOMEM, "wait");

	if (st != ST_OK) {
		free(w);
		free(ids);
		return st;
	}
	*w = (struct wait){ .call = c, .client = c->client, .ids = ids, .n = n, .left = n,
		.cost_bytes = cost };
	TAILQ_INSERT_TAIL(&c->client->waits, w, entry);
	store_hurry(c->api->env.store);		/* the end of a job may wait for its commit */
	if (timeout_ms < 0)
		return ST_OK;
	if ((w->timer = evtimer_new(c->api->env.base, on_timeout, w)) == NULL ||
	    evtimer_add(w->timer, &after) != 0) {
		wait_free(w);
		return fault_set(why, ST_NOMEM, "wait");
	}
	return ST_OK;
}

/* The live ones among the named ids, sorted. */
static enum status
ids_alive(struct api *api, const json_t *list, int64_t **ids, size_t *n, struct fault *why)
{
	size_t		named, alive = 0;
	enum status	st;

	if ((st = params_ids(list, ids, &named, why)) == ST_OK)
		st = api_know_all(api, *ids, named, why);
	for (size_t i = 0; st == ST_OK && i < named; i++)
		if (queue_find(api->env.queue, (*ids)[i]) != NULL)
			(*ids)[alive++] = (*ids)[i];
	*n = alive;
	return st;
}

static enum status
sweep_alive(struct api *api, const json_t *sweep, int64_t **ids, size_t *n, struct fault *why)
{
	struct sweep_row	row;
	struct arrival_progress	arriving;
	enum status		st;

	if ((st = api_find_sweep(api, sweep, &row, why)) != ST_OK)
		return st;
	if (arrivals_progress(intake_arrivals(api->env.intake), row.id, &arriving)) {
		(void)fault_set(why, ST_CONFLICT, "sweep \"%s\" is arriving", row.name);
		fault_hint(why, "wait for it when sweep.create has been answered");
		return ST_CONFLICT;
	}
	if ((*ids = queue_sweep_ids(api->env.queue, row.id, n)) == NULL)
		return fault_set(why, ST_NOMEM, "wait");
	params_sort_ids(*ids, *n);
	return ST_OK;
}

enum status
api_job_wait(struct call *c, const json_t *params, struct fault *why)
{
	const json_t	*list = json_object_get(params, "ids");
	int64_t		*ids = NULL, timeout_ms = params_int(params, "timeout_ms", -1);
	size_t		 n = 0;
	enum status	 st;

	if (c->client == NULL)
		return fault_set(why, ST_BAD_REQUEST, "this door cannot wait");
	if ((st = params_one_of(params, "ids", "sweep", why)) != ST_OK)
		return st;
	if (list != NULL)
		st = ids_alive(c->api, list, &ids, &n, why);
	else
		st = sweep_alive(c->api, json_object_get(params, "sweep"), &ids, &n, why);
	if (st == ST_OK && n != 0 && timeout_ms != 0)
		return wait_start(c, ids, n, timeout_ms, why);
	free(ids);
	return st == ST_OK ? answer_left(c, n) : st;
}

void
api_waits_news(struct api *api, const struct news *news)
{
	struct api_client	*cl;

	TAILQ_FOREACH(cl, &api->clients, entry) {
		struct wait	*w, *next;

		for (w = TAILQ_FIRST(&cl->waits); w != NULL; w = next) {
			next = TAILQ_NEXT(w, entry);
			if (params_has_id(w->ids, w->n, news->job_id) && --w->left == 0)
				wait_is_over(w);
		}
	}
}

bool
api_waits_want(const struct api *api, int64_t job_id)
{
	const struct api_client	*cl;
	const struct wait	*w;

	TAILQ_FOREACH(cl, &api->clients, entry)
		TAILQ_FOREACH(w, &cl->waits, entry)
			if (w->left == 1 && params_has_id(w->ids, w->n, job_id))
				return true;
	return false;
}

void
api_waits_free(struct api_client *cl)
{
	struct wait	*w;
	struct fault	 why;

	(void)fault_set(&why, ST_CANCELLED, "the connection is closed");
	while ((w = TAILQ_FIRST(&cl->waits)) != NULL) {
		call_refuse(w->call, &why);
		wait_free(w);
	}
}
