/* SPDX-License-Identifier: Apache-2.0 */
/* One setting at a time: the same table serves flags and file. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/setup/config_parts.h"
#include "daemon/setup/libraries.h"
#include "proto/base/cpulist.h"
#include "proto/spec/spec.h"

enum { MAX_BUILDERS = 256, MAX_YARDSTICK_MINUTES = 525600,
	MAX_CALIBRATION_WAIT_S = 86400, MAX_DRAIN_S = 86400,
	MAX_CLIENT_TIMEOUT_S = 86400, MAX_JOBS = 100000000,
	MAX_TIMING_S = 86400 * TOPOLOGY_MAX_SLOTS };

enum status
config_set_text(char **slot, const char *value, struct fault *why)
{
	char	*copy = strdup(value);

	if (copy == NULL)
		return fault_set(why, ST_NOMEM, "configuration");
	free(*slot);
	*slot = copy;
	return ST_OK;
}

static enum status
parse_number(const char *value, int base, uint64_t min, uint64_t max, uint64_t *out,
    struct fault *why)
{
	char	*end;

	errno = 0;
	*out = strtoull(value, &end, base);
	if (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0 ||
	    *out < min || *out > max)
		return fault_set(why, ST_BAD_REQUEST,
		    "\"%s\" must be a whole number from %" PRIu64 " to %" PRIu64, value, min, max);
	return ST_OK;
}

static enum status
set_state(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return config_set_text(&c->state_dir, v, why);
}

static enum status
set_socket(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return config_set_text(&c->socket_path, v, why);
}

static enum status
set_http_socket(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return config_set_text(&c->http_socket_path, v, why);
}

static enum status
set_http(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return config_set_text(&c->http_tcp, v, why);
}

static enum status
set_tls(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return config_set_text(&c->tls, v, why);
}

static enum status
set_tls_certificate(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return config_set_text(&c->tls_certificate, v, why);
}

static enum status
set_tls_key(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return config_set_text(&c->tls_key, v, why);
}

static enum status
set_tls_client_ca(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return config_set_text(&c->tls_client_ca, v, why);
}

static enum status
set_read_only(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return config_set_text(&c->read_only, v, why);
}

static enum status
set_users(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return config_set_text(&c->users_path, v, why);
}

static enum status
set_hostd(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return config_set_text(&c->hostd_path, v, why);
}

static enum status
set_worker(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return config_set_text(&c->worker_path, v, why);
}

static enum status
parse_yes(const char *v, bool *out, struct fault *why)
{
	if (strcmp(v, "yes") != 0 && strcmp(v, "no") != 0)
		return fault_set(why, ST_BAD_REQUEST, "\"%s\" is neither yes nor no", v);
	*out = v[0] == 'y';
	return ST_OK;
}

static enum status
set_answers_only(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return parse_yes(v, &c->answers_only, why);
}

static enum status
set_insecure_no_jail(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return parse_yes(v, &c->insecure_no_jail, why);
}

enum status
config_set_reuse_results(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return parse_yes(v, &c->reuse_results, why);
}

static enum status
set_jail_profiles(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	c->jail_profiles = 0;
	for (size_t n; v[0] != '\0'; v += n + strspn(v + n, " ,")) {
		int	i = PROFILE_IO;

		n = strcspn(v, " ,");
		while (i < PROFILE_N && (strncmp(jail_profile_name(i), v, n) != 0 ||
		    jail_profile_name(i)[n] != '\0'))
			i++;
		if (i == PROFILE_N)
			return fault_set(why, ST_BAD_REQUEST, "\"%.*s\" is neither io nor fork",
			    (int)n, v);
		c->jail_profiles |= 1u << i;
	}
	return ST_OK;
}

static enum status
set_share_cpus(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return parse_yes(v, &c->share_cpus, why);
}

static enum status
set_images(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return config_set_text(&c->images_dir, v, why);
}

static enum status
set_notify_command(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return config_set_text(&c->notify_command, v, why);
}

static enum status
set_notify_secret_file(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return config_set_text(&c->notify_secret_file, v, why);
}

static enum status
set_notify_allow(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return config_set_text(&c->notify_allow, v, why);
}

static enum status
set_libraries(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return libraries_resolve(v, &c->libraries, why);
}

static enum status
set_chart_js(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return config_set_text(&c->chart_js, v, why);
}

static enum status
set_sysfs_root(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return config_set_text(&c->sysfs_root, v, why);
}

static enum status
set_timing_cpus(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;
	cpu_set_t	 listed;

	c->slots.from = "timing-cpus";
	c->slots.n = 0;
	c->slots.waits = strcmp(v, "next-free") == 0;
	c->slots.any_free = c->slots.waits || strcmp(v, "free") == 0;
	if (c->slots.any_free)
		return ST_OK;
	if (strstr(v, ",,") != NULL || strchr(v, '-') != NULL || !cpulist_parse(v, &listed) ||
	    CPU_COUNT(&listed) == 0 || CPU_COUNT(&listed) > TOPOLOGY_MAX_SLOTS)
		return fault_set(why, ST_BAD_REQUEST,
		    "\"%s\" is no list of at most %d CPUs like 2,3", v, TOPOLOGY_MAX_SLOTS);
	c->slots.n = cpulist_split(&listed, c->slots.cpus);
	return ST_OK;
}

static enum status
set_slots(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	c->slots.from = "slots";
	c->slots.any_free = false;
	if (strstr(v, ",,") == NULL &&
	    cpulist_parse_lists(v, c->slots.cpus, TOPOLOGY_MAX_SLOTS, &c->slots.n))
		return ST_OK;
	return fault_set(why, ST_BAD_REQUEST, "\"%s\" is no list of slots like 2; 4-7, at most %d",
	    v, TOPOLOGY_MAX_SLOTS);
}

static enum status
set_builders(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;
	uint64_t	n = 0;
	enum status	st = parse_number(v, 10, 1, MAX_BUILDERS, &n, why);

	c->builders = (unsigned)n;
	return st;
}

static enum status
set_cache_limit(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;
	uint64_t	mib = 0;
	enum status	st = parse_number(v, 10, 1, UINT64_C(1) << 30, &mib, why);

	c->cache_limit_bytes = mib << 20;
	return st;
}

static enum status
set_queue_limit(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return parse_number(v, 10, 1, MAX_JOBS, &c->queue_limit, why);
}

static enum status
set_drain(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;
	uint64_t	seconds = 0;
	enum status	st = parse_number(v, 10, 0, MAX_DRAIN_S, &seconds, why);

	c->drain_s = (unsigned)seconds;
	return st;
}

static enum status
set_client_timeout(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;
	uint64_t	seconds = 0;
	enum status	st = parse_number(v, 10, 1, MAX_CLIENT_TIMEOUT_S, &seconds, why);

	c->client_timeout_s = (unsigned)seconds;
	return st;
}

static enum status
set_quota_connections(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;
	uint64_t	n = 0;
	enum status	st = parse_number(v, 10, 0, 1 << 20, &n, why);

	c->quota_connections = (unsigned)n;
	return st;
}

static enum status
set_quota_jobs(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return parse_number(v, 10, 0, MAX_JOBS, &c->quota_jobs, why);
}

static enum status
set_quota_bytes(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return parse_number(v, 10, 0, UINT64_C(1) << 50, &c->quota_bytes, why);
}

static enum status
set_quota_timing(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return parse_number(v, 10, 0, MAX_TIMING_S, &c->quota_timing_s, why);
}

static enum status
set_yardstick_minutes(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;
	uint64_t	minutes = 0;
	enum status	st = parse_number(v, 10, 0, MAX_YARDSTICK_MINUTES, &minutes, why);

	c->yardstick_minutes = (unsigned)minutes;
	return st;
}

enum status
config_set_calibration_wait(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;
	uint64_t	seconds = 0;
	enum status	st = parse_number(v, 10, 0, MAX_CALIBRATION_WAIT_S, &seconds, why);

	c->calibration_wait_s = (unsigned)seconds;
	return st;
}

static enum status
set_socket_mode(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;
	uint64_t	mode = 0;
	enum status	st = parse_number(v, 8, 0, 0777, &mode, why);

	c->socket_mode = (unsigned)mode;
	return st;
}

static enum status
set_ready_fd(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;
	uint64_t	fd = 0;
	enum status	st = parse_number(v, 10, 0, 1 << 20, &fd, why);

	c->ready_fd = (int)fd;
	return st;
}

static enum status
set_exit_with_fd(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;
	uint64_t	fd = 0;
	enum status	st = parse_number(v, 10, 0, 1 << 20, &fd, why);

	c->exit_with_fd = (int)fd;
	return st;
}

static enum status
set_log(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	static const char *const	levels[] = { "error", "warn", "info", "debug", NULL };

	for (unsigned i = 0; levels[i] != NULL; i++) {
		if (strcmp(levels[i], v) == 0) {
			c->log_level = (enum log_level)i;
			return ST_OK;
		}
	}
	return fault_set(why, ST_BAD_REQUEST, "\"%s\" is none of error, warn, info, debug", v);
}

static const struct setting	settings[] = {
	{ "config", "FILE", "read settings from FILE: lines of name = value, # begins a comment",
	  config_set_file },
	{ "state", "DIR", "database, artifact cache, scratch space", set_state },
	{ "socket", "PATH", "JSON-RPC on this Unix socket", set_socket },
	{ "socket-mode", "OCTAL", "its permissions (0600: only this user)", set_socket_mode },
	{ "http-socket", "PATH", "HTTP on this Unix socket", set_http_socket },
	{ "http", "ADDR:PORT", "HTTP on loopback TCP; port 0: any free one", set_http },
	{ "tls", "ADDR:PORT", "HTTP in TLS on this address, for users of users.conf", set_tls },
	{ "tls-certificate", "FILE", "the server's certificate and those above it, in PEM",
	  set_tls_certificate },
	{ "tls-key", "FILE", "its key", set_tls_key },
	{ "tls-client-ca", "FILE", "who signs certificates of users (default: only tokens count)",
	  set_tls_client_ca },
	{ "read-only", "ADDR:PORT", "HTTP without TLS on this address, for anybody who may read",
	  set_read_only },
	{ "users", "FILE", "users, their roles, tokens, certificates and quotas", set_users },
	{ "timing-cpus", "LIST",
	  "one timing slot on each of these CPUs (default: one, on the last core; free: on "
	  "the last core that no other daemon times on; next-free: and wait if there is none)",
	  set_timing_cpus },
	{ "slots", "LISTS", "timing slots of several CPUs, for routines with threads: 2; 4-7 is a "
	  "slot of one and one of four", set_slots },
	{ "share-cpus", NULL, "time on these CPUs even if another daemon does", set_share_cpus },
	{ "answers-only", NULL, "begin no job and claim no CPU: only answer questions",
	  set_answers_only },
	{ "builders", "N", "compilers at once (default: one per housekeeping CPU)", set_builders },
	{ "cache-limit", "MIB", "size of the artifact cache (default 1024)", set_cache_limit },
	{ "queue-limit", "N", "jobs that may be alive at once (default 1000000)", set_queue_limit },
	{ "drain-seconds", "S",
	  "longest time that a timing under way may take after SIGTERM (default 20; 0: none)",
	  set_drain },
	{ "client-timeout", "S",
	  "time that a client has to send a request, or to take some of an answer (default 60)",
	  set_client_timeout },
	{ "quota-connections", "N",
	  "connections of a user but root and the daemon's own (default 250; 0: no limit)",
	  set_quota_connections },
	{ "quota-queued-jobs", "N",
	  "jobs of a user, likewise, that may wait or run at once (default 0: no limit)",
	  set_quota_jobs },
	{ "quota-bytes", "N", "bytes that their documents may take (default 0: no limit)",
	  set_quota_bytes },
	{ "quota-timing-seconds", "S",
	  "time of the slots that a user, likewise, may have on a day (default 0: no limit)",
	  set_quota_timing },
	{ "reference-minutes", "N",
	  "least time between timings of the reference kernel (default 60; 0: only on request)",
	  set_yardstick_minutes },
	{ "calibration-wait", "S",
	  "longest wait of a cold job for the host's first calibration (default 60; 0: calibrate "
	  "only on request)", config_set_calibration_wait },
	{ "keep", "AGE",
	  "remove results with their jobs at this age, as 90d (default 0: never)",
	  config_set_keep },
	{ "reuse-results", "YES|NO",
	  "a job that was timed before gets that result, unless it is fresh (default yes)",
	  config_set_reuse_results },
	{ "worker", "PATH", "assay-worker (default: beside assayd, or in ../libexec/assay)",
	  set_worker },
	{ "images", "DIR", "checkpoint images that specs may name (default: none)", set_images },
	{ "jail-profiles", "LIST",
	  "rights that jobs may ask for: io (files in a directory of their own), fork "
	  "(default: none)", set_jail_profiles },
	{ "libraries", "LIST",
	  "libraries that variants may be linked with: openblas, or fftw=/usr/lib/libfftw3.so "
	  "(default: none)", set_libraries },
	{ "chart-js", "FILE", "Chart.js for the pages (default " 
	  "/usr/share/javascript/chart.js/chart.min.js; empty: tables in its place)",
	  set_chart_js },
	{ "notify-command", "PROGRAM",
	  "run at the end of each sweep, with its facts as JSON on stdin (default: none)",
	  set_notify_command },
	{ "notify-secret-file", "FILE", "its first line signs webhooks (default: none are sent)",
	  set_notify_secret_file },
	{ "notify-allow", "LIST", "what webhooks may reach beside public addresses over https: "
	  "hosts, by http too, and private for private networks (default: nothing)",
	  set_notify_allow },
	{ "insecure-no-jail", NULL, "run submitted code even where no jail can contain it",
	  set_insecure_no_jail },
	{ "hostd", "PATH", "assay-hostd's socket: it sets the host up while assayd runs",
	  set_hostd },
	{ "sysfs-root", "DIR", "read the topology below DIR instead of /", set_sysfs_root },
	{ "ready-fd", "N", "write a line to descriptor N once everything listens", set_ready_fd },
	{ "exit-with-fd", "N", "stop when descriptor N reaches its end", set_exit_with_fd },
	{ "log", "LEVEL", "error, warn, info (default) or debug", set_log },
};
#define NSETTINGS	(sizeof settings / sizeof settings[0])
_Static_assert(NSETTINGS <= CONFIG_MAX_SETTINGS, "options have room");

const struct settings	config_settings = { settings, NSETTINGS };

enum status
config_set_file(void *config, const char *path, struct fault *why)
{
	return settings_read(&config_settings, config, path, why);
}
