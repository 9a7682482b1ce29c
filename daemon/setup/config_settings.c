/* SPDX-License-Identifier: Apache-2.0 */
/* One setting at a time: the same table serves flags and file. */
#include <stdlib.h>
#include <string.h>

#include "daemon/setup/config_parts.h"
#include "daemon/setup/libraries.h"
#include "proto/base/cpulist.h"
#include "proto/spec/spec.h"

enum { MAX_BUILDERS = 256, MAX_YARDSTICK_MINUTES = 525600,
	MAX_CALIBRATION_WAIT_S = 86400, MAX_DRAIN_S = 86400,
	MAX_CLIENT_TIMEOUT_S = 86400, MAX_CONNECTIONS = 1 << 20,
	MAX_FD = 1 << 20, MAX_JOBS = 100000000,
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
set_text(void *member, const char *v, struct fault *why)
{
	return config_set_text(member, v, why);
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
set_libraries(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return libraries_resolve(v, &c->libraries, why);
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
set_cache_limit(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;
	uint64_t	mib = 0;
	enum status	st = setting_number(v, 10, 1, UINT64_C(1) << 30, &mib, why);

	c->cache_limit_bytes = mib << 20;
	return st;
}

static enum status
set_socket_mode(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;
	uint64_t	mode = 0;
	enum status	st = setting_number(v, 8, 0, 0777, &mode, why);

	c->socket_mode = (unsigned)mode;
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

#define TEXT(member)			SETTING_AT(set_text, config, member)
#define YES(member)			SETTING_YES(config, member)
#define NUMBER(member, min, max)	SETTING_NUMBER(config, member, min, max)
#define OWN(set)			SETTING_OWN(set)
static const struct setting	settings[] = {
	{ "config", "FILE", "read settings from FILE: lines of name = value, # begins a comment",
	  OWN(config_set_file) },
	{ "state", "DIR", "database, artifact cache, scratch space", TEXT(state_dir) },
	{ "socket", "PATH", "JSON-RPC on this Unix socket", TEXT(socket_path) },
	{ "socket-mode", "OCTAL", "its permissions (0600: only this user)", OWN(set_socket_mode) },
	{ "http-socket", "PATH", "HTTP on this Unix socket", TEXT(http_socket_path) },
	{ "http", "ADDR:PORT", "HTTP on loopback TCP; port 0: any free one", TEXT(http_tcp) },
	{ "tls", "ADDR:PORT", "HTTP in TLS on this address, for users of users.conf", TEXT(tls) },
	{ "tls-certificate", "FILE", "the server's certificate and those above it, in PEM",
	  TEXT(tls_certificate) },
	{ "tls-key", "FILE", "its key", TEXT(tls_key) },
	{ "tls-client-ca", "FILE", "who signs certificates of users (default: only tokens count)",
	  TEXT(tls_client_ca) },
	{ "read-only", "ADDR:PORT", "HTTP without TLS on this address, for anybody who may read",
	  TEXT(read_only) },
	{ "users", "FILE", "users, their roles, tokens, certificates and quotas",
	  TEXT(users_path) },
	{ "timing-cpus", "LIST",
	  "one timing slot on each of these CPUs (default: one, on the last core; free: on "
	  "the last core that no other daemon times on; next-free: and wait if there is none)",
	  OWN(set_timing_cpus) },
	{ "slots", "LISTS", "timing slots of several CPUs, for routines with threads: 2; 4-7 is a "
	  "slot of one and one of four", OWN(set_slots) },
	{ "share-cpus", NULL, "time on these CPUs even if another daemon does", YES(share_cpus) },
	{ "answers-only", NULL, "begin no job and claim no CPU: only answer questions",
	  YES(answers_only) },
	{ "builders", "N", "compilers at once (default: one per housekeeping CPU)",
	  NUMBER(builders, 1, MAX_BUILDERS) },
	{ "cache-limit", "MIB", "size of the artifact cache (default 1024)", OWN(set_cache_limit) },
	{ "queue-limit", "N", "jobs that may be alive at once (default 1000000)",
	  NUMBER(queue_limit, 1, MAX_JOBS) },
	{ "drain-seconds", "S",
	  "longest time that a timing under way may take after SIGTERM (default 20; 0: none)",
	  NUMBER(drain_s, 0, MAX_DRAIN_S) },
	{ "client-timeout", "S",
	  "time that a client has to send a request, or to take some of an answer (default 60)",
	  NUMBER(client_timeout_s, 1, MAX_CLIENT_TIMEOUT_S) },
	{ "quota-connections", "N",
	  "connections of a user but root and the daemon's own (default 250; 0: no limit)",
	  NUMBER(quota_connections, 0, MAX_CONNECTIONS) },
	{ "quota-queued-jobs", "N",
	  "jobs of a user, likewise, that may wait or run at once (default 0: no limit)",
	  NUMBER(quota_jobs, 0, MAX_JOBS) },
	{ "quota-bytes", "N", "bytes that their documents may take (default 0: no limit)",
	  NUMBER(quota_bytes, 0, UINT64_C(1) << 50) },
	{ "quota-timing-seconds", "S",
	  "time of the slots that a user, likewise, may have on a day (default 0: no limit)",
	  NUMBER(quota_timing_s, 0, MAX_TIMING_S) },
	{ "reference-minutes", "N",
	  "least time between timings of the reference kernel (default 60; 0: only on request)",
	  NUMBER(yardstick_minutes, 0, MAX_YARDSTICK_MINUTES) },
	{ "calibration-wait", "S",
	  "longest wait of a cold job for the host's first calibration (default 60; 0: calibrate "
	  "only on request)", NUMBER(calibration_wait_s, 0, MAX_CALIBRATION_WAIT_S) },
	{ "keep", "AGE",
	  "remove results with their jobs at this age, as 90d (default 0: never)",
	  OWN(config_set_keep) },
	{ "reuse-results", "YES|NO",
	  "a job that was timed before gets that result, unless it is fresh (default yes)",
	  YES(reuse_results) },
	{ "worker", "PATH", "assay-worker (default: beside assayd, or in ../libexec/assay)",
	  TEXT(worker_path) },
	{ "images", "DIR", "checkpoint images that specs may name (default: none)",
	  TEXT(images_dir) },
	{ "jail-profiles", "LIST",
	  "rights that jobs may ask for: io (files in a directory of their own), fork "
	  "(default: none)", OWN(set_jail_profiles) },
	{ "libraries", "LIST",
	  "libraries that variants may be linked with: openblas, or fftw=/usr/lib/libfftw3.so "
	  "(default: none)", OWN(set_libraries) },
	{ "chart-js", "FILE", "Chart.js for the pages (default " 
	  "/usr/share/javascript/chart.js/chart.min.js; empty: tables in its place)",
	  TEXT(chart_js) },
	{ "notify-command", "PROGRAM",
	  "run at the end of each sweep, with its facts as JSON on stdin (default: none)",
	  TEXT(notify_command) },
	{ "notify-secret-file", "FILE", "its first line signs webhooks (default: none are sent)",
	  TEXT(notify_secret_file) },
	{ "notify-allow", "LIST", "what webhooks may reach beside public addresses over https: "
	  "hosts, by http too, and private for private networks (default: nothing)",
	  TEXT(notify_allow) },
	{ "notify-ca", "FILE", "authorities that may sign receivers' certificates, in PEM "
	  "(default: the system's)", TEXT(notify_ca) },
	{ "insecure-no-jail", NULL, "run submitted code even where no jail can contain it",
	  YES(insecure_no_jail) },
	{ "hostd", "PATH", "assay-hostd's socket: it sets the host up while assayd runs",
	  TEXT(hostd_path) },
	{ "sysfs-root", "DIR", "read the topology below DIR instead of /", TEXT(sysfs_root) },
	{ "ready-fd", "N", "write a line to descriptor N once everything listens",
	  NUMBER(ready_fd, 0, MAX_FD) },
	{ "exit-with-fd", "N", "stop when descriptor N reaches its end",
	  NUMBER(exit_with_fd, 0, MAX_FD) },
	{ "log", "LEVEL", "error, warn, info (default) or debug", OWN(set_log) },
};
#define NSETTINGS	(sizeof settings / sizeof settings[0])
_Static_assert(NSETTINGS <= CONFIG_MAX_SETTINGS, "options have room");

const struct settings	config_settings = { settings, NSETTINGS };

enum status
config_set_file(void *config, const char *path, struct fault *why)
{
	return settings_read(&config_settings, config, path, why);
}
