/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/api/api.h"
#include "daemon/api/api_impl.h"
#include "daemon/api/readiness.h"
#include "daemon/hold/hold.h"
#include "proto/base/clock.h"
#include "proto/base/version.h"
#include "proto/text/library_list.h"

enum { LIST_DEFAULT = 50 };

static json_t *
limits_json(void)
{
	return json_pack("{s:i,s:i,s:i,s:i,s:i,s:i}", "line_bytes", (int)API_MAX_LINE_BYTES,
	    "nesting", (int)API_MAX_NESTING, "jobs_per_call", (int)INTAKE_MAX_JOBS, "output_bytes",
	    (int)API_OUTPUT_BYTES, "wait_ids", (int)API_MAX_WAIT_IDS, "results_per_page",
	    (int)QUERY_MAX_LIMIT);
}

/* Only the slots' CPUs; queue.get has their jobs. */
static json_t *
slot_cpus(const json_t *report)
{
	json_t	*list = json_array(), *slot;
	size_t	 i;

	json_array_foreach(json_object_get(report, "slots"), i, slot)
		(void)json_array_append_new(list, json_pack("{s:O, s:O}", "cpu",
		    json_object_get(slot, "cpu"), "cpus", json_object_get(slot, "cpus")));
	return list;
}

static json_t *
or_null(const char *text)
{
	return text[0] != '\0' ? json_string(text) : json_null();
}

/* Their names; the files are the host's business. */
static json_t *
libraries_json(const char *list)
{
	struct listed_library	 l;
	json_t			*names = json_array();

	while ((list = library_list_next(list, &l)) != NULL)
		(void)json_array_append_new(names, json_string(l.name));
	return names;
}

/* Who asks, as the daemon knows it. */
static json_t *
caller_json(const struct call *c)
{
	json_t	*r = json_pack("{s:o,s:s}", "user", c->uid != USER_NOBODY ?
		    json_integer((json_int_t)c->uid) : json_null(), "role", role_words[c->role]);

	view_set_name(c->api->env.users, r, c->uid);
	return r;
}

/* Where it is on its host: of use to operators alone. */
static void
put_places(const struct call *c, json_t *r)
{
	const struct api	*api = c->api;
	const struct config	*cf = api->env.config;
	json_t			*places = json_pack("{s:i,s:s,s:s,s:{s:s,s:o,s:o,s:o}}", "pid",
				    (int)getpid(), "state_dir", cf->state_dir, "database",
				    store_path(api->env.store), "sockets", "rpc", cf->socket_path,
				    "http", or_null(cf->http_socket_path), "http_tcp",
				    or_null(api->http_tcp), "tls", or_null(api->tls));

	(void)json_object_update(r, places);
	json_decref(places);
}

enum status
api_server_info(struct call *c, const json_t *params, struct fault *why)
{
	const struct api	*api = c->api;
	const struct config	*cf = api->env.config;
	json_t			*report = dispatch_report(api->env.dispatch), *r;
	char			 host_class[TOPOLOGY_CLASS_BYTES];

	(void)params;
	if (report == NULL)
		return fault_set(why, ST_NOMEM, "info");
	topology_class(api->env.topology, host_class);
	r = json_pack("{s:s,s:s,s:i,s:f,s:o,s:o,s:I,s:O,s:o,s:O,s:O}",
	    "name", "assayd", "version", ASSAY_VERSION, "protocol", (int)API_PROTOCOL,
	    "uptime_s", clock_now_s() - api->began, "limits", limits_json(), "slots",
	    slot_cpus(report),
	    "builders", (json_int_t)json_array_size(json_object_get(report, "builders")),
	    "compilers", json_object_get(report, "compilers"),
	    "libraries", libraries_json(cf->libraries), "jail",
	    json_object_get(report, "jail"), "clock", json_object_get(report, "clock"));
	(void)json_object_set_new(r, "host_class", json_string(host_class));
	if (api_is_operator(c))
		put_places(c, r);
	(void)json_object_set_new(r, "you", caller_json(c));
	json_decref(report);
	return call_answer(c, r);
}

enum status
api_host_get(struct call *c, const json_t *params, struct fault *why)
{
	static const char *const	from_workers[] = {
		"clock", "clocks", "counters", "compilers", "jail", "build_jail"
	};
	json_t				*r = topology_report(c->api->env.topology);
	json_t				*report = dispatch_report(c->api->env.dispatch);

	(void)params;
	if (r == NULL || report == NULL) {
		json_decref(r);
		json_decref(report);
		return fault_set(why, ST_NOMEM, "host");
	}
	for (unsigned i = 0; i < sizeof from_workers / sizeof from_workers[0]; i++)
		(void)json_object_set(r, from_workers[i], json_object_get(report, from_workers[i]));
	(void)json_object_set(r, "slots", json_object_get(report, "canaries"));
	json_decref(report);
	(void)json_object_set_new(r, "calibration", upkeep_calibration(c->api->env.upkeep));
	(void)json_object_set_new(r, "reference", upkeep_yardstick_report(c->api->env.upkeep));
	(void)json_object_set_new(r, "readiness", api_readiness(c->api));
	(void)json_object_set_new(r, "fitness", hold_report(dispatch_host(c->api->env.dispatch)));
	return call_answer(c, r);
}

/* ---- the queue ---- */

struct listing {
	struct users	*users;		/* borrowed */
	json_t		*jobs;		/* owned */
	const char	*state;
};

static enum status
list_job(void *arg, const struct job_row *row)
{
	struct listing	*l = arg;
	json_t		*job = json_pack("{s:I,s:s,s:s,s:o,s:I,s:i}", "id", (json_int_t)row->id,
			    "state", l->state, "name", row->name, "sweep",
			    api_sweep_ref(row->sweep_id, row->sweep_name), "submitter",
			    (json_int_t)row->owner.submitter, "priority", row->priority);

	view_set_name(l->users, job, row->owner.submitter);
	return json_array_append_new(l->jobs, job) == 0 ? ST_OK : ST_NOMEM;
}

static json_t *
list_jobs(struct api *api, size_t limit)
{
	const struct queued_job	**jobs = calloc(limit + 1, sizeof(void *));
	struct listing		  l = { .users = api->env.users, .jobs = json_array() };
	const size_t		  n = jobs != NULL ? queue_list(api->env.queue, jobs, limit) : 0;

	for (size_t i = 0; i < n; i++) {
		l.state = job_state_name(jobs[i]->state);
		(void)store_job(api->env.store, jobs[i]->id, list_job, &l, NULL);
	}
	free(jobs);
	return l.jobs;
}

static json_t *
queue_states(const struct queue *q)
{
	json_t	*states = json_object();

	for (unsigned s = 0; s < JOB_NSTATES; s++)
		(void)json_object_set_new(states, job_state_name(s),
		    json_integer((json_int_t)(q->count[s] +
		    (s == JOB_QUEUED ? q->unread : 0))));
	return states;
}

enum status
api_queue_get(struct call *c, const json_t *params, struct fault *why)
{
	struct api	*api = c->api;
	json_t		*report = dispatch_report(api->env.dispatch), *r;

	if (report == NULL)
		return fault_set(why, ST_NOMEM, "queue");
	r = json_pack("{s:o,s:o,s:o,s:o,s:o,s:I,s:O,s:O,s:o,s:o}", "states",
	    queue_states(api->env.queue), "paused", api_pauses(api), "quota", api_quota(api),
	    "users", api_users(api), "rate", api_rate(api),
	    "unread", (json_int_t)api->env.queue->unread, "slots",
	    json_object_get(report, "slots"), "builders",
	    json_object_get(report, "builders"), "jobs",
	    list_jobs(api, (size_t)params_int(params, "limit", LIST_DEFAULT)), "readiness",
	    api_readiness(api));
	json_decref(report);
	return call_answer(c, r);
}
