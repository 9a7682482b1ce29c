/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/api/api.h"
#include "daemon/api/api_impl.h"
#include "daemon/hold/hold.h"
#include "proto/base/clock.h"
#include "proto/base/version.h"
#include "proto/spec/library_list.h"

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

enum status
api_server_info(struct call *c, const json_t *params, struct fault *why)
{
	const struct api	*api = c->api;
	const struct config	*cf = api->env.config;
	json_t			*report = dispatch_report(api->env.dispatch), *r;

	(void)params;
	if (report == NULL)
		return fault_set(why, ST_NOMEM, "info");
	r = json_pack("{s:s,s:s,s:i,s:i,s:f,s:s,s:s,s:{s:s,s:o,s:o},s:o,s:o,s:I,s:O,s:o,s:O,s:O}",
	    "name", "assayd", "version", ASSAY_VERSION, "protocol", (int)API_PROTOCOL, "pid",
	    (int)getpid(), "uptime_s", clock_wall_s() - api->started, "state_dir", cf->state_dir,
	    "database", store_path(api->env.store), "sockets", "rpc", cf->socket_path, "http",
	    or_null(cf->http_socket_path), "http_tcp", or_null(api->http_tcp),
	    "limits", limits_json(), "slots", slot_cpus(report),
	    "builders", (json_int_t)json_array_size(json_object_get(report, "builders")),
	    "compilers", json_object_get(report, "compilers"),
	    "libraries", libraries_json(cf->libraries), "jail",
	    json_object_get(report, "jail"), "clock", json_object_get(report, "clock"));
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
	(void)json_object_set_new(r, "fitness", hold_report(dispatch_host(c->api->env.dispatch)));
	return call_answer(c, r);
}

/* ---- the queue ---- */

struct listing {
	json_t		*jobs;		/* owned */
	const char	*state;
};

static enum status
list_job(void *arg, const struct job_row *row)
{
	struct listing	*l = arg;

	return json_array_append_new(l->jobs,
	    json_pack("{s:I,s:s,s:s,s:o,s:I,s:i}", "id", (json_int_t)row->id, "state", l->state,
	    "name", row->name, "sweep", api_sweep_ref(row->sweep_id, row->sweep_name), "submitter",
	    (json_int_t)row->submitter, "priority", row->priority)) == 0 ? ST_OK : ST_NOMEM;
}

/* Jobs nearest to their end first: timing, built, building, queued. */
static json_t *
list_jobs(struct api *api, size_t limit)
{
	struct listing	l = { .jobs = json_array() };

	for (int s = JOB_TIMING; s >= JOB_QUEUED; s--) {
		const struct queued_job	*j;

		l.state = job_state_name((enum job_state)s);
		TAILQ_FOREACH(j, &api->env.queue->in[s], entry) {
			if (json_array_size(l.jobs) >= limit)
				return l.jobs;
			(void)store_job(api->env.store, j->id, list_job, &l, NULL);
		}
	}
	return l.jobs;
}

static json_t *
queue_states(const struct queue *q)
{
	json_t	*states = json_object();

	for (unsigned s = 0; s < JOB_NSTATES; s++)
		(void)json_object_set_new(states, job_state_name(s),
		    json_integer((json_int_t)q->count[s]));
	return states;
}

enum status
api_queue_get(struct call *c, const json_t *params, struct fault *why)
{
	struct api	*api = c->api;
	json_t		*report = dispatch_report(api->env.dispatch), *r;

	if (report == NULL)
		return fault_set(why, ST_NOMEM, "queue");
	r = json_pack("{s:o,s:O,s:O,s:o}", "states", queue_states(api->env.queue),
	    "slots", json_object_get(report, "slots"), "builders",
	    json_object_get(report, "builders"), "jobs",
	    list_jobs(api, (size_t)params_int(params, "limit", LIST_DEFAULT)));
	json_decref(report);
	return call_answer(c, r);
}

/* ---- metrics ---- */

static int64_t
resident_bytes(void)
{
	long	 pages = 0;
	FILE	*f = fopen("/proc/self/statm", "re");

	if (f == NULL)
		return 0;
	if (fscanf(f, "%*d %ld", &pages) != 1)
		pages = 0;
	(void)fclose(f);
	return (int64_t)pages * sysconf(_SC_PAGESIZE);
}

static void
put_head(struct evbuffer *out, const char *name, const char *type, const char *help)
{
	(void)evbuffer_add_printf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void
put_one(struct evbuffer *out, const char *name, const char *type, const char *help, double value)
{
	put_head(out, name, type, help);
	(void)evbuffer_add_printf(out, "%s %.17g\n", name, value);
}

void
api_put_metrics(const struct api *api, struct evbuffer *out)
{
	put_head(out, "assay_build_info", "gauge", "The daemon's version.");
	(void)evbuffer_add_printf(out, "assay_build_info{version=\"%s\"} 1\n", ASSAY_VERSION);
	put_head(out, "assay_jobs", "gauge", "Live jobs by state.");
	for (unsigned s = 0; s < JOB_DONE; s++)
		(void)evbuffer_add_printf(out, "assay_jobs{state=\"%s\"} %zu\n", job_state_name(s),
		    api->env.queue->count[s]);
	put_one(out, "assay_jobs_total", "counter", "Jobs accepted since the database began.",
	    (double)api->jobs);
	put_head(out, "assay_results_total", "counter",
	    "Results by outcome since the database began.");
	for (unsigned i = 0; status_is_outcome(i); i++)
		(void)evbuffer_add_printf(out, "assay_results_total{status=\"%s\"} %" PRId64 "\n",
		    status_word(i), api->results[i]);
	api_put_upkeep_metrics(api, out);
	put_one(out, "assay_sessions", "gauge", "Open JSON-RPC connections.",
	    (double)api_client_count(api));
	put_one(out, "process_resident_memory_bytes", "gauge", "Resident memory of the daemon.",
	    (double)resident_bytes());
	put_one(out, "process_start_time_seconds", "gauge",
	    "Start of the daemon, seconds since the epoch.", api->started);
}
