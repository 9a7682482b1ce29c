/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <string.h>

#include "daemon/setup/config_reload.h"

enum kind { LIVE, FIXED, FIXED_TEXT };

/* Each setting that config_settings.c has, but for those of the start alone. */
#define ROW(name, member, kind)	\
	{ name, offsetof(struct config, member), sizeof ((struct config *)0)->member, kind }
static const struct row {
	const char	*name;
	size_t		 at, bytes;
	enum kind	 kind;
} rows[] = {
	ROW("log", log_level, LIVE),
	ROW("queue-limit", queue_limit, LIVE),
	ROW("reference-minutes", yardstick_minutes, LIVE),
	ROW("calibration-wait", calibration_wait_s, LIVE),
	ROW("client-timeout", client_timeout_s, LIVE),
	ROW("quota-connections", quota_connections, LIVE),
	ROW("quota-queued-jobs", quota_jobs, LIVE),
	ROW("quota-bytes", quota_bytes, LIVE),
	ROW("quota-timing-seconds", quota_timing_s, LIVE),
	ROW("drain-seconds", drain_s, LIVE),
	ROW("jail-profiles", jail_profiles, LIVE),
	ROW("keep", keep_s, LIVE),
	ROW("reuse-results", reuse_results, LIVE),
	ROW("state", state_dir, FIXED_TEXT),
	ROW("socket", socket_path, FIXED_TEXT),
	ROW("socket-mode", socket_mode, FIXED),
	ROW("http-socket", http_socket_path, FIXED_TEXT),
	ROW("http", http_tcp, FIXED_TEXT),
	ROW("tls", tls, FIXED_TEXT),
	ROW("tls-certificate", tls_certificate, FIXED_TEXT),
	ROW("tls-key", tls_key, FIXED_TEXT),
	ROW("tls-client-ca", tls_client_ca, FIXED_TEXT),
	ROW("read-only", read_only, FIXED_TEXT),
	ROW("users", users_path, FIXED_TEXT),
	ROW("notify-command", notify_command, FIXED_TEXT),
	ROW("notify-secret-file", notify_secret_file, FIXED_TEXT),
	ROW("notify-allow", notify_allow, FIXED_TEXT),
	ROW("notify-ca", notify_ca, FIXED_TEXT),
	ROW("timing-cpus", slots.cpus, FIXED),
	ROW("slots", slots.n, FIXED),
	ROW("share-cpus", share_cpus, FIXED),
	ROW("answers-only", answers_only, FIXED),
	ROW("builders", builders, FIXED),
	ROW("cache-limit", cache_limit_bytes, FIXED),
	ROW("worker", worker_path, FIXED_TEXT),
	ROW("images", images_dir, FIXED_TEXT),
	ROW("libraries", libraries, FIXED_TEXT),
	ROW("chart-js", chart_js, FIXED_TEXT),
	ROW("insecure-no-jail", insecure_no_jail, FIXED),
	ROW("hostd", hostd_path, FIXED_TEXT),
	ROW("sysfs-root", sysfs_root, FIXED_TEXT),
};
enum { NROWS = sizeof rows / sizeof rows[0] };

static bool
is_same(const struct row *r, const struct config *a, const struct config *b)
{
	const char	*x = (const char *)a + r->at, *y = (const char *)b + r->at;
	const char	*s, *t;

	if (r->kind != FIXED_TEXT)
		return memcmp(x, y, r->bytes) == 0;
	memcpy(&s, x, sizeof s);
	memcpy(&t, y, sizeof t);
	return s == t || (s != NULL && t != NULL && strcmp(s, t) == 0);
}

enum status
config_reload(struct config *c, int argc, char **argv, config_differs_fn *differs, void *arg,
    struct fault *why)
{
	struct config	fresh;
	enum status	st = config_load(&fresh, argc, argv, why);

	if (st != ST_OK)
		return st;
	for (unsigned i = 0; i < NROWS; i++) {
		if (is_same(&rows[i], c, &fresh))
			continue;
		if (rows[i].kind == LIVE)
			memcpy((char *)c + rows[i].at, (const char *)&fresh + rows[i].at,
			    rows[i].bytes);
		differs(arg, rows[i].name, rows[i].kind == LIVE);
	}
	config_release(&fresh);
	return ST_OK;
}

bool
config_reload_knows(const char *setting)
{
	for (unsigned i = 0; i < NROWS; i++)
		if (strcmp(rows[i].name, setting) == 0)
			return true;
	return false;
}
