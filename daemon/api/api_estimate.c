/* SPDX-License-Identifier: Apache-2.0 */
/* When jobs, sweeps and users' queues will be at their end, in replies. */
#include <math.h>
#include <stdlib.h>

#include "daemon/api/api_impl.h"

static const char *const gap_words[ESTIMATE_NGAPS] = {
	[ESTIMATE_READING] = "reading", [ESTIMATE_CANCELLED] = "cancelled",
	[ESTIMATE_PAUSED] = "paused", [ESTIMATE_NOT_BEFORE] = "not_before",
	[ESTIMATE_WINDOW] = "window", [ESTIMATE_QUOTA] = "quota",
	[ESTIMATE_NOT_READY] = "not_ready", [ESTIMATE_NO_PLACE] = "no_place",
	[ESTIMATE_NO_RATE] = "no_rate",
};
static const char *const by_words[] = {
	[ESTIMATE_BY_NONE] = NULL, [ESTIMATE_BY_SWEEP] = "sweep", [ESTIMATE_BY_USER] = "user",
	[ESTIMATE_BY_ALL] = "all",
};

/* To the tenth. */
static json_t *
seconds_json(double s)
{
	return s < 0 ? json_null() : json_real(round(10 * s) / 10);
}

void
api_put_estimate(json_t *reply, const struct estimate *e)
{
	json_t	*until = e->until != 0 ? json_integer(e->until) : json_null();

	(void)json_object_set_new(reply, "position",
	    e->position >= 0 ? json_integer(e->position) : json_null());
	(void)json_object_set_new(reply, "eta_s", seconds_json(e->eta_s));
	(void)json_object_set_new(reply, "eta", json_pack("{s:s?,s:s?,s:o}", "by",
	    by_words[e->by], "unknown", gap_words[e->gap], "until", until));
}

struct estimate
api_estimate_job(const struct api *api, const struct queued_job *j)
{
	struct queue_places	places;
	struct estimate		e;

	dispatch_places(api->env.dispatch, &places);
	estimate_job(api->env.queue, &places, j, &e);
	return e;
}

struct estimate
api_estimate_sweep(const struct api *api, int64_t sweep_id)
{
	struct queue_places	places;
	struct estimate		e = { .position = -1, .eta_s = -1, .gap = ESTIMATE_READING };
	struct arrival_progress	arriving;

	if (arrivals_progress(intake_arrivals(api->env.intake), sweep_id, &arriving))
		return e;
	dispatch_places(api->env.dispatch, &places);
	estimate_sweep(api->env.queue, &places, sweep_id, &e);
	return e;
}

static json_t *
user_json(const struct api *api, const struct user_estimate *u)
{
	json_t	*r = json_pack("{s:I,s:b,s:I,s:I,s:I,s:I,s:f}", "user", (json_int_t)u->uid,
		    "paused", (int)u->is_paused, "waiting", (json_int_t)u->waiting, "not_ready",
		    (json_int_t)u->not_ready, "building", (json_int_t)u->building, "timing",
		    (json_int_t)u->timing, "timed_s", round(1000 * u->timed_s) / 1000);

	view_set_name(api->env.users, r, u->uid);
	api_put_estimate(r, &u->end);
	return r;
}

/* The next one first; those without a next job behind, by uid. */
static int
compare_users(const void *left, const void *right)
{
	const struct user_estimate	*a = left, *b = right;

	if ((a->end.position < 0) != (b->end.position < 0))
		return a->end.position < 0 ? 1 : -1;
	if (a->end.position != b->end.position)
		return a->end.position < b->end.position ? -1 : 1;
	return (a->uid > b->uid) - (a->uid < b->uid);
}

json_t *
api_users(const struct api *api)
{
	struct queue_places	 places;
	struct user_estimate	*users;
	json_t			*list = json_array();
	size_t			 n;

	dispatch_places(api->env.dispatch, &places);
	users = estimate_users(api->env.queue, &places, &n);
	if (users != NULL)
		qsort(users, n, sizeof *users, compare_users);
	for (size_t i = 0; i < n && i < API_MAX_LIST; i++)
		(void)json_array_append_new(list, user_json(api, &users[i]));
	free(users);
	return list;
}

json_t *
api_rate(const struct api *api)
{
	const struct queue	*q = api->env.queue;
	const bool		 is_known = q->pace.n != 0;
	struct queue_places	 places;

	dispatch_places(api->env.dispatch, &places);
	return json_pack("{s:i,s:o,s:i,s:I,s:o,s:o}", "slots", (int)places.slots[0], "busy_slots",
	    q->nbusy != 0 ? json_real(round(100 * q->busy_slots) / 100) : json_null(), "builders",
	    (int)places.builders, "jobs", (json_int_t)q->pace.n, "time_s",
	    is_known ? json_real(1e-6 * (double)q->pace.time_us) : json_null(), "build_s",
	    is_known ? json_real(1e-6 * (double)q->pace.build_us) : json_null());
}
