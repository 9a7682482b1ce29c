/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cancel is written before it is answered.  After the commit the jobs are ended; if the daemon is
 * killed before that, the next one ends them.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "daemon/api/api_impl.h"

enum found {
	FOUND_CLOSED,			/* it has a result */
	FOUND_LIVE,			/* in the queue */
	FOUND_STORED,			/* open, and not in the queue yet */
};

/* One call on its way to the disk. */
struct cancel {
	struct call	*call;		/* borrowed: answered, and so freed, at the end */
	int64_t		 sweep_id;	/* 0: these jobs */
	int64_t		*ids;		/* owned */
	enum found	*found;		/* owned; of each id */
	size_t		 n;
};

static void
cancel_free(struct cancel *k)
{
	if (k == NULL)
		return;
	free(k->ids);
	free(k->found);
	free(k);
}

/* What was in the queue may be over by now. */
static bool
end_job(struct cancel *k, size_t i)
{
	struct dispatch	*d = k->call->api->env.dispatch;

	if (k->found[i] == FOUND_CLOSED)
		return false;
	return dispatch_cancel(d, k->ids[i], NULL) == ST_OK || k->found[i] == FOUND_STORED;
}

static json_t *
end_jobs(struct cancel *k)
{
	json_t	*cancelled = json_array(), *final = json_array();

	for (size_t i = 0; i < k->n; i++)
		(void)json_array_append_new(end_job(k, i) ? cancelled : final,
		    json_integer(k->ids[i]));
	return json_pack("{s:o,s:o}", "cancelled", cancelled, "final", final);
}

static void
is_durable(void *arg, enum status st, const struct fault *why)
{
	struct cancel	*k = arg;
	struct call	*c = k->call;
	json_t		*reply;

	if (st != ST_OK) {
		call_refuse(c, why);
	} else {
		reply = k->sweep_id == 0 ? end_jobs(k) : json_pack("{s:I}", "cancelled",
		    (json_int_t)(dispatch_cancel_sweep(c->api->env.dispatch, k->sweep_id) +
		    api_arriving_unread(c->api, k->sweep_id)));
		(void)call_answer(c, reply);
	}
	cancel_free(k);
}

/* Takes k. */
static enum status
answer_when_durable(struct cancel *k, enum status st, struct fault *why)
{
	struct store	*store = k->call->api->env.store;

	if (st == ST_OK)
		st = store_keep(store, why);
	if (st == ST_OK && store_when_durable(store, is_durable, k, true) != ST_OK)
		st = fault_set(why, ST_NOMEM, "cancel");
	if (st != ST_OK) {
		store_undo(store);
		cancel_free(k);
	}
	return st;
}

/* ---- jobs ---- */

/* Every id is known and ours to cancel, or nothing is cancelled. */
static enum status
may_cancel_all(const struct call *c, const int64_t *ids, size_t n, struct fault *why)
{
	for (size_t i = 0; i < n; i++) {
		const struct queued_job	*j = queue_find(c->api->env.queue, ids[i]);

		if (j != NULL && !api_may_change(c, j->submitter))
			return api_denied(c, "job", ids[i], j->submitter, why);
	}
	return api_know_all(c->api, ids, n, why);
}

static enum status
write_job(struct cancel *k, size_t i, struct fault *why)
{
	const struct call	*c = k->call;
	const int64_t		 owner = api_is_operator(c) ? -1 : (int64_t)c->uid;
	bool			 is_open;
	enum status		 st;

	st = store_cancel_job(c->api->env.store, k->ids[i], owner, &is_open, why);
	if (is_open)
		k->found[i] = queue_find(c->api->env.queue, k->ids[i]) != NULL ? FOUND_LIVE :
		    FOUND_STORED;
	return st;
}

static enum status
write_jobs(struct cancel *k, struct fault *why)
{
	enum status	st = store_mark(k->call->api->env.store, why);

	if (st != ST_OK) {
		cancel_free(k);
		return st;
	}
	for (size_t i = 0; st == ST_OK && i < k->n; i++)
		st = write_job(k, i, why);
	return answer_when_durable(k, st, why);
}

/* Takes ids. */
static enum status
cancel_jobs(struct call *c, int64_t *ids, size_t n, struct fault *why)
{
	struct cancel	*k = calloc(1, sizeof *k);

	if (k == NULL || (k->found = calloc(n + 1, sizeof *k->found)) == NULL) {
		free(ids);
		free(k);
		return fault_set(why, ST_NOMEM, "cancel");
	}
	k->call = c;
	k->ids = ids;
	k->n = n;
	return write_jobs(k, why);
}

enum status
api_job_cancel(struct call *c, const json_t *params, struct fault *why)
{
	json_t		*id = json_object_get(params, "id"), *list;
	int64_t		*ids = NULL;
	size_t		 n;
	enum status	 st;

	if ((st = params_one_of(params, "id", "ids", why)) != ST_OK)
		return st;
	list = id != NULL ? json_pack("[O]", id) : json_incref(json_object_get(params, "ids"));
	st = params_ids(list, &ids, &n, why);
	json_decref(list);
	if (st == ST_OK && (st = may_cancel_all(c, ids, n, why)) == ST_OK)
		return cancel_jobs(c, ids, n, why);
	free(ids);
	return st;
}

/* ---- a sweep ---- */

/* One row, however many jobs. */
static enum status
cancel_sweep(struct call *c, int64_t id, struct fault *why)
{
	struct store	*store = c->api->env.store;
	struct cancel	*k = calloc(1, sizeof *k);
	enum status	 st;

	if (k == NULL)
		return fault_set(why, ST_NOMEM, "cancel");
	k->call = c;
	k->sweep_id = id;
	if ((st = store_mark(store, why)) != ST_OK) {
		cancel_free(k);
		return st;
	}
	return answer_when_durable(k, store_cancel_sweep(store, id, why), why);
}

/* No job of it has been acknowledged. */
static enum status
give_up_sweep(struct call *c, int64_t id, bool *was_arriving)
{
	struct arrivals		*all = intake_arrivals(c->api->env.intake);
	struct arrival_progress	 p;

	*was_arriving = arrivals_progress(all, id, &p) && arrivals_cancel(all, id);
	if (!*was_arriving)
		return ST_OK;
	return call_answer(c, json_pack("{s:I}", "cancelled", (json_int_t)p.points));
}

enum status
api_sweep_cancel(struct call *c, const json_t *params, struct fault *why)
{
	struct sweep_row	row;
	bool			was_arriving;
	enum status		st;

	if ((st = api_find_sweep(c->api, json_object_get(params, "sweep"), &row, why)) != ST_OK)
		return st;
	if (api_may_change(c, row.submitter)) {
		st = give_up_sweep(c, row.id, &was_arriving);
		return was_arriving ? st : cancel_sweep(c, row.id, why);
	}
	return api_denied(c, "sweep", row.id, row.submitter, why);
}
