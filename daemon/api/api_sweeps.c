/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "daemon/api/api_impl.h"
#include "daemon/view/steady.h"

/* A job is alive or over; with its result on the way to the disk it counts as over. */
static json_t *
states_json(const struct api *api, const struct sweep_row *row)
{
	size_t	 live[JOB_NSTATES];
	int64_t	 count[JOB_NSTATES];
	json_t	*states = json_object();

	queue_sweep_counts(api->env.queue, row->id, live);
	for (unsigned s = 0; s < JOB_NSTATES; s++)
		count[s] = (int64_t)live[s];
	count[JOB_QUEUED] += (int64_t)api_arriving_unread(api, row->id);
	count[JOB_DONE] = row->by_status[ST_OK];
	count[JOB_CANCELLED] = row->by_status[ST_CANCELLED];
	count[JOB_EXPIRED] = row->by_status[ST_EXPIRED];
	count[JOB_FAILED] = row->finished - count[JOB_DONE] - count[JOB_CANCELLED] -
	    count[JOB_EXPIRED];
	for (unsigned s = 0; s < JOB_NSTATES; s++)
		(void)json_object_set_new(states, job_state_name(s), json_integer(count[s]));
	return states;
}

/* Who may read its sources is for those who may. */
static void
put_readers(const struct call *c, const struct sweep_row *row, json_t *reply)
{
	json_t	*readers = store_readers(c->api->env.store, row->id);
	char	*text = json_dumps(readers, JSON_COMPACT | JSON_ENCODE_ANY);

	if (text != NULL && api_may_see(c, row->submitter, text))
		(void)json_object_set(reply, "visibility", readers);
	free(text);
	json_decref(readers);
}

enum status
api_sweep_get(struct call *c, const json_t *params, struct fault *why)
{
	struct sweep_row	row;
	struct estimate		end;
	json_t			*reply;
	enum status		st;

	if ((st = api_find_sweep(c->api, json_object_get(params, "sweep"), &row, why)) != ST_OK)
		return st;
	reply = json_pack("{s:I,s:s,s:I,s:f,s:I,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "id",
	    (json_int_t)row.id, "name", row.name, "submitter", (json_int_t)row.submitter,
	    "submitted", row.submitted, "jobs", (json_int_t)row.jobs, "states",
	    states_json(c->api, &row), "statuses", store_statuses(&row), "noise",
	    steady_noise(c->api->env.store, row.id), "drift",
	    steady_drift(c->api->env.store, row.id), "correction",
	    steady_correction(c->api->env.store, row.id), "arriving",
	    api_arriving_json(c->api, row.id), "paused",
	    api_paused_by(c->api, row.submitter, row.id), "held",
	    api_held(c->api, row.submitter));
	view_set_name(c->api->env.users, reply, row.submitter);
	put_readers(c, &row, reply);
	(void)json_object_set_new(reply, "notify", notify_of(c->api->env.store, row.id));
	end = api_estimate_sweep(c->api, row.id);
	api_put_estimate(reply, &end);
	return call_answer(c, reply);
}
