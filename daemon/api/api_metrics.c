/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GET /metrics: Prometheus text, format 0.0.4.  Each family is HELP, TYPE and its lines, and is
 * listed in proto/PROTOCOL.md.
 */
#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "daemon/api/api_impl.h"
#include "daemon/api/readiness.h"
#include "daemon/store/store_files.h"
#include "proto/base/clock.h"
#include "proto/base/version.h"

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

static void
put_labelled(struct evbuffer *out, const char *name, const char *label, const char *is,
    uint64_t value)
{
	(void)evbuffer_add_printf(out, "%s{%s=\"%s\"} %" PRIu64 "\n", name, label, is, value);
}

static void
put_histogram(struct evbuffer *out, const char *name, const char *help,
    const struct histogram *h, const struct histogram_bounds *b)
{
	put_head(out, name, "histogram", help);
	histogram_put(h, b, name, out);
}

/* ---- jobs ---- */

static double
oldest_age_s(const struct api *api)
{
	const double	submitted = store_oldest_open(api->env.store);
	const double	age_s = clock_wall_s() - submitted;

	return submitted > 0 && age_s > 0 ? age_s : 0;
}

static void
put_jobs(const struct api *api, struct evbuffer *out)
{
	put_head(out, "assay_jobs", "gauge", "Live jobs by state.");
	for (unsigned s = 0; s < JOB_DONE; s++)
		put_labelled(out, "assay_jobs", "state", job_state_name(s),
		    api->env.queue->count[s] + (s == JOB_QUEUED ? api->env.queue->unread : 0));
	put_one(out, "assay_oldest_job_age_seconds", "gauge",
	    "Age of the oldest job without a result; 0: there is none.", oldest_age_s(api));
	put_one(out, "assay_jobs_total", "counter", "Jobs accepted since the database began.",
	    (double)api->jobs);
	put_head(out, "assay_results_total", "counter",
	    "Results by outcome since the database began.");
	for (unsigned i = 0; status_is_outcome(i); i++)
		put_labelled(out, "assay_results_total", "status", status_word(i),
		    (uint64_t)api->results[i]);
}

static void
put_users(const struct vitals *v, struct evbuffer *out)
{
	const struct vitals_user	*u;

	put_head(out, "assay_user_timing_seconds_total", "counter",
	    "Seconds in a timing slot since the database began, by user.");
	for (u = v->users; u != NULL; u = u->hh.next)
		(void)evbuffer_add_printf(out,
		    "assay_user_timing_seconds_total{uid=\"%u\"} %.17g\n", (unsigned)u->uid,
		    u->timed_s);
	if (v->others_timed_s > 0)
		(void)evbuffer_add_printf(out,
		    "assay_user_timing_seconds_total{uid=\"others\"} %.17g\n", v->others_timed_s);
}

static void
put_quotas(const struct api *api, struct evbuffer *out)
{
	static const char	 name[] = "assay_quota_refusals_total";

	put_head(out, name, "counter", "Connections and submissions refused for a user's quota.");
	put_labelled(out, name, "quota", "connections", accounts_refused(api->accounts));
	put_labelled(out, name, "quota", "queued-jobs",
	    api->env.queue->quota_refused[QUOTA_JOBS]);
	put_labelled(out, name, "quota", "bytes", api->env.queue->quota_refused[QUOTA_BYTES]);
}

static void
put_stages(const struct vitals *v, struct evbuffer *out)
{
	put_histogram(out, "assay_waiting_seconds",
	    "Seconds that a timed job waited, for a builder and for a slot.", &v->waiting,
	    &vitals_job_bounds);
	put_histogram(out, "assay_build_seconds", "Seconds that a job was built.", &v->build,
	    &vitals_job_bounds);
	put_histogram(out, "assay_timing_seconds", "Seconds that a job was in a timing slot.",
	    &v->timing, &vitals_job_bounds);
	put_users(v, out);
	put_one(out, "assay_samples_total", "counter", "Samples taken.", (double)v->samples);
	put_head(out, "assay_gate_rejects_total", "counter",
	    "Samples that the gate refused, by what was loud.");
	put_labelled(out, "assay_gate_rejects_total", "by", "canary", v->canary_rejected);
	put_labelled(out, "assay_gate_rejects_total", "by", "memory", v->memory_rejected);
}

/* ---- workers ---- */

/* The state of one place: paused, not_ready, busy or idle. */
static unsigned
place_state(const json_t *place)
{
	if (json_is_string(json_object_get(place, "paused")))
		return 0;
	if (!json_is_true(json_object_get(place, "ready")))
		return 1;
	return json_is_integer(json_object_get(place, "job")) ? 2 : 3;
}

static void
put_places(struct evbuffer *out, const char *name, const char *help, const json_t *places)
{
	static const char *const	words[] = { "paused", "not_ready", "busy", "idle" };
	uint64_t			n[4] = { 0 };
	size_t				i;
	json_t				*place;

	json_array_foreach(places, i, place)
		n[place_state(place)]++;
	put_head(out, name, "gauge", help);
	for (unsigned s = 0; s < 4; s++)
		put_labelled(out, name, "state", words[s], n[s]);
}

static void
put_workers(const struct api *api, struct evbuffer *out)
{
	struct worker_counts	 n;
	json_t			*report = dispatch_report(api->env.dispatch);

	put_places(out, "assay_slots", "Timing slots by state.", json_object_get(report, "slots"));
	put_places(out, "assay_builders", "Builders by state.",
	    json_object_get(report, "builders"));
	json_decref(report);
	dispatch_count_workers(api->env.dispatch, &n);
	put_one(out, "assay_worker_restarts_total", "counter",
	    "Workers that took the place of one that ended.", (double)n.restarts);
	put_head(out, "assay_worker_kills_total", "counter", "Workers killed, by reason.");
	for (unsigned i = 0; i < KILL_N; i++)
		put_labelled(out, "assay_worker_kills_total", "reason", child_kill_word(i),
		    n.kills[i]);
}

/* ---- the store and its disk ---- */

static void
put_cache(const struct api *api, struct evbuffer *out)
{
	char		path[PATH_MAX];
	struct statvfs	fs;

	(void)snprintf(path, sizeof path, "%s/cache", api->env.config->state_dir);
	put_one(out, "assay_cache_bytes", "gauge",
	    "Size of the artifact cache, by its last complete walk.", (double)api->cache.bytes);
	put_one(out, "assay_cache_free_bytes", "gauge", "Free on the cache's file system.",
	    statvfs(path, &fs) == 0 ? (double)fs.f_bavail * (double)fs.f_frsize : 0);
}

static void
put_readings(const struct api *api, struct evbuffer *out)
{
	static const char *const	ends[] = { "answered", "left", "limit" };
	struct reader_counts		n = { .running = 0 };

	if (api->readers != NULL)
		readers_count(api->readers, &n);
	put_head(out, "assay_readings", "gauge", "Readings of the database by state.");
	put_labelled(out, "assay_readings", "state", "waiting", n.waiting);
	put_labelled(out, "assay_readings", "state", "running", n.running);
	put_head(out, "assay_readings_total", "counter",
	    "Readings that are over: answered, their client left, or at their limit of time.");
	for (unsigned i = 0; i < READING_NENDS; i++)
		put_labelled(out, "assay_readings_total", "end", ends[i], n.ended[i]);
}

static void
put_store(const struct api *api, struct evbuffer *out)
{
	const struct vitals	*v = &api->vitals;
	struct store_files	 f;

	store_files(api->env.store, &f);
	put_histogram(out, "assay_commit_seconds", "Seconds that a commit took.", &v->commit,
	    &vitals_moment_bounds);
	put_one(out, "assay_commits_failed_total", "counter", "Commits that failed.",
	    (double)v->commits_failed);
	put_one(out, "assay_database_bytes", "gauge", "Size of the database.",
	    (double)f.database_bytes);
	put_one(out, "assay_wal_bytes", "gauge", "Size of its write-ahead log.",
	    (double)f.wal_bytes);
	put_one(out, "assay_database_free_bytes", "gauge",
	    "Free on the database's file system.", f.free_bytes > 0 ? (double)f.free_bytes : 0);
	put_cache(api, out);
	put_readings(api, out);
}

/* ---- the process and its doors ---- */

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

/* Without the one that counts. */
static unsigned
open_descriptors(void)
{
	DIR		*d = opendir("/proc/self/fd");
	unsigned	 n = 0;

	while (d != NULL && readdir(d) != NULL)
		n++;
	if (d != NULL)
		(void)closedir(d);
	return n > 3 ? n - 3 : 0;
}

static void
put_ended(const struct vitals *v, struct evbuffer *out, const char *name, const char *help,
    unsigned first, unsigned end)
{
	static const char *const	doors[] = { "rpc", "http" };
	static const char *const	reasons[] = { "full", "slow", "unread", "malformed" };

	put_head(out, name, "counter", help);
	for (unsigned d = 0; d < TRAFFIC_NDOORS; d++)
		for (unsigned r = first; r < end; r++)
			(void)evbuffer_add_printf(out, "%s{door=\"%s\",reason=\"%s\"} %" PRIu64
			    "\n", name, doors[d], reasons[r], v->ended[d][r]);
}

static void
put_doors(const struct api *api, struct evbuffer *out)
{
	const struct vitals	*v = &api->vitals;

	put_one(out, "assay_sessions", "gauge", "Open JSON-RPC connections.",
	    (double)(api_client_count(api) - v->http_waits - v->http_streams));
	put_one(out, "assay_http_waits", "gauge", "HTTP requests that wait for the end of jobs.",
	    v->http_waits);
	put_one(out, "assay_http_event_streams", "gauge", "Open streams of events.",
	    v->http_streams);
	put_ended(v, out, "assay_connections_refused_total",
	    "Connections refused, because there were too many.", TRAFFIC_FULL, TRAFFIC_SLOW);
	put_ended(v, out, "assay_connections_cut_off_total",
	    "Connections ended, because they went beyond a limit.", TRAFFIC_SLOW,
	    TRAFFIC_NREASONS);
	put_head(out, "assay_http_answers_total", "counter", "Answers of the HTTP door, by code.");
	for (unsigned i = 0; i < VITALS_HTTP_CODES; i++)
		if (v->http[i] != 0)
			(void)evbuffer_add_printf(out,
			    "assay_http_answers_total{code=\"%u\"} %" PRIu64 "\n", i, v->http[i]);
}

static void
put_process(const struct api *api, struct evbuffer *out)
{
	put_histogram(out, "assay_loop_lag_seconds",
	    "Seconds that a tick of the event loop came after its time.", &api->vitals.lag,
	    &vitals_moment_bounds);
	put_one(out, "process_open_fds", "gauge", "Open file descriptors.", open_descriptors());
	put_one(out, "process_resident_memory_bytes", "gauge", "Resident memory of the daemon.",
	    (double)resident_bytes());
	put_one(out, "process_start_time_seconds", "gauge",
	    "Start of the daemon, seconds since the epoch.", api->started);
}

void
api_put_metrics(const struct api *api, struct evbuffer *out)
{
	json_t	*readiness = api_readiness(api);

	put_head(out, "assay_build_info", "gauge", "The daemon's version.");
	(void)evbuffer_add_printf(out, "assay_build_info{version=\"%s\"} 1\n", ASSAY_VERSION);
	put_one(out, "assay_ready", "gauge", "1 if GET /readyz says ready, otherwise 0.",
	    api_is_ready(readiness));
	json_decref(readiness);
	put_jobs(api, out);
	put_quotas(api, out);
	put_stages(&api->vitals, out);
	put_workers(api, out);
	put_store(api, out);
	api_put_upkeep_metrics(api, out);
	put_doors(api, out);
	put_process(api, out);
}
