/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "daemon/api/api_impl.h"

/* A job is alive or over; with its result on the way to the disk it counts as over. */
static void
count_live(const struct queue *q, int64_t sweep_id, int64_t count[JOB_NSTATES])
{
	for (unsigned s = 0; s < JOB_DONE; s++) {
		const struct queued_job	*j;

		TAILQ_FOREACH(j, &q->in[s], entry)
			if (j->sweep_id == sweep_id && !j->ending)
				count[s]++;
	}
}

static json_t *
states_json(const struct api *api, const struct sweep_row *row)
{
	int64_t	 count[JOB_NSTATES] = { 0 };
	json_t	*states = json_object();

	count_live(api->env.queue, row->id, count);
	count[JOB_DONE] = row->by_status[ST_OK];
	count[JOB_CANCELLED] = row->by_status[ST_CANCELLED];
	count[JOB_EXPIRED] = row->by_status[ST_EXPIRED];
	count[JOB_FAILED] = row->finished - count[JOB_DONE] - count[JOB_CANCELLED] -
	    count[JOB_EXPIRED];
	for (unsigned s = 0; s < JOB_NSTATES; s++)
		(void)json_object_set_new(states, job_state_name(s), json_integer(count[s]));
	return states;
}

json_t *
api_statuses(const struct sweep_row *row)
{
	json_t	*statuses = json_object();

	for (unsigned st = 0; status_is_outcome(st); st++)
		if (row->by_status[st] != 0)
			(void)json_object_set_new(statuses, status_word(st),
			    json_integer(row->by_status[st]));
	return statuses;
}

enum status
api_sweep_get(struct call *c, const json_t *params, struct fault *why)
{
	struct sweep_row	row;
	enum status		st;

	if ((st = api_find_sweep(c->api, json_object_get(params, "sweep"), &row, why)) != ST_OK)
		return st;
	return call_answer(c, json_pack("{s:I,s:s,s:I,s:f,s:I,s:o,s:o}", "id", (json_int_t)row.id,
	    "name", row.name, "submitter", (json_int_t)row.submitter, "submitted", row.submitted,
	    "jobs", (json_int_t)row.jobs, "states", states_json(c->api, &row), "statuses",
	    api_statuses(&row)));
}

int64_t *
api_live_ids(const struct queue *q, int64_t sweep_id, size_t *n)
{
	int64_t	*ids = calloc(queue_live(q) + 1, sizeof *ids);

	*n = 0;
	for (unsigned s = 0; ids != NULL && s < JOB_DONE; s++) {
		const struct queued_job	*j;

		TAILQ_FOREACH(j, &q->in[s], entry)
			if (j->sweep_id == sweep_id)
				ids[(*n)++] = j->id;
	}
	return ids;
}

enum status
api_sweep_cancel(struct call *c, const json_t *params, struct fault *why)
{
	struct sweep_row	 row;
	int64_t			*ids, cancelled = 0;
	size_t			 n;
	enum status		 st;

	if ((st = api_find_sweep(c->api, json_object_get(params, "sweep"), &row, why)) != ST_OK)
		return st;
	if (!api_may_change(c, row.submitter)) {
		st = fault_set(why, ST_DENIED, "sweep %lld belongs to user %u", (long long)row.id,
		    (unsigned)row.submitter);
		fault_hint(why, "only its submitter, root and the daemon's own user may cancel it");
		return st;
	}
	/* Cancelling moves jobs between the queue's lists, so their ids are collected first. */
	if ((ids = api_live_ids(c->api->env.queue, row.id, &n)) == NULL)
		return fault_set(why, ST_NOMEM, "sweep");
	for (size_t i = 0; i < n; i++)
		cancelled += dispatch_cancel(c->api->env.dispatch, ids[i], NULL) == ST_OK;
	free(ids);
	return call_answer(c, json_pack("{s:I}", "cancelled", (json_int_t)cancelled));
}
