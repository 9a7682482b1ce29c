/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/setup/config.h"
#include "daemon/setup/config_parts.h"
#include "proto/base/path.h"
#include "proto/base/version.h"

enum { CACHE_LIMIT_MIB = 1024, QUEUE_LIMIT = 1000000, YARDSTICK_MINUTES = 60,
	CALIBRATION_WAIT_S = 60, CLIENT_TIMEOUT_S = 60, QUOTA_CONNECTIONS = 250, DRAIN_S = 20,
	FIRST_SETTING = 1000 };

/* where Debian's libjs-chart.js has it */
#define CHART_JS	"/usr/share/javascript/chart.js/chart.min.js"

/* ---- defaults ---- */

/* A directory that systemd or `assay serve` gives in a variable; NULL: none, or several. */
static const char *
given_directory(const char *variable)
{
	const char	*dir = getenv(variable);

	return dir != NULL && dir[0] == '/' && strchr(dir, ':') == NULL ? dir : NULL;
}

/* Given directories, or those of a private daemon; for root, of the system. */
static enum status
default_paths(struct config *c, struct fault *why)
{
	const char	*run = getenv("XDG_RUNTIME_DIR"), *state = getenv("XDG_STATE_HOME");
	const char	*home = getenv("HOME");
	const char	*given_state = given_directory("STATE_DIRECTORY");
	const char	*given_run = given_directory("RUNTIME_DIRECTORY");
	char		 path[PATH_MAX];
	enum status	 st = ST_OK;

	if (c->state_dir == NULL) {
		if (given_state != NULL || geteuid() == 0)
			(void)snprintf(path, sizeof path, "%s",
			    given_state != NULL ? given_state : "/var/lib/assay");
		else if (state != NULL && state[0] == '/')
			(void)snprintf(path, sizeof path, "%s/assay", state);
		else
			(void)snprintf(path, sizeof path, "%s/.local/state/assay",
			    home != NULL ? home : "");
		st = config_set_text(&c->state_dir, path, why);
	}
	if (st == ST_OK && c->socket_path == NULL) {
		if (given_run != NULL)
			(void)snprintf(path, sizeof path, "%s/assay.sock", given_run);
		else if (geteuid() != 0 && run != NULL && run[0] == '/')
			(void)snprintf(path, sizeof path, "%s/assay/assay.sock", run);
		else
			(void)snprintf(path, sizeof path, "%s/assay.sock",
			    geteuid() == 0 ? "/run/assay" : c->state_dir);
		st = config_set_text(&c->socket_path, path, why);
	}
	return st;
}

/* The worker is installed with the daemon. */
static enum status
default_worker(struct config *c, struct fault *why)
{
	char		path[PATH_MAX];
	enum status	st;

	if (c->worker_path != NULL)
		return ST_OK;
	if ((st = path_program("assay-worker", path, sizeof path, why)) != ST_OK)
		return st;
	return config_set_text(&c->worker_path, path, why);
}

/* Relative paths are made absolute: children start elsewhere. */
static enum status
absolute(char **path, struct fault *why)
{
	char	cwd[PATH_MAX], whole[2 * PATH_MAX];

	if ((*path)[0] == '/' || (*path)[0] == '\0')
		return ST_OK;
	if (getcwd(cwd, sizeof cwd) == NULL)
		return fault_set(why, ST_IO, "current directory: %s", strerror(errno));
	(void)snprintf(whole, sizeof whole, "%s/%s", cwd, *path);
	return config_set_text(path, whole, why);
}

static enum status
finish_paths(struct config *c, struct fault *why)
{
	char		**paths[] = { &c->state_dir, &c->socket_path, &c->http_socket_path,
	    &c->worker_path, &c->images_dir, &c->tls_certificate, &c->tls_key,
	    &c->tls_client_ca, &c->users_path, &c->notify_command,
	    &c->notify_secret_file, &c->notify_ca };
	char		**empty[] = { &c->http_socket_path, &c->http_tcp, &c->hostd_path,
	    &c->images_dir, &c->libraries, &c->sysfs_root, &c->tls, &c->tls_certificate,
	    &c->tls_key, &c->tls_client_ca, &c->read_only, &c->users_path, &c->notify_command,
	    &c->notify_secret_file, &c->notify_allow, &c->notify_ca };
	enum status	 st;

	if ((st = default_paths(c, why)) != ST_OK || (st = default_worker(c, why)) != ST_OK)
		return st;
	if (c->chart_js == NULL && (st = config_set_text(&c->chart_js, CHART_JS, why)) != ST_OK)
		return st;
	for (unsigned i = 0; i < sizeof empty / sizeof empty[0]; i++)
		if (*empty[i] == NULL && (st = config_set_text(empty[i], "", why)) != ST_OK)
			return st;
	for (unsigned i = 0; i < sizeof paths / sizeof paths[0]; i++)
		if ((st = absolute(paths[i], why)) != ST_OK)
			return st;
	return ST_OK;
}

static void
print_usage(FILE *to)
{
	(void)fprintf(to, "usage: assayd [--name value]...\n");
	settings_print(&config_settings, to);
	(void)fprintf(to, "  --version\n  --help\n");
}

static void
list_options(struct option options[CONFIG_MAX_SETTINGS + 3])
{
	const size_t	n = config_settings.n;

	for (size_t i = 0; i < n; i++) {
		const struct setting	*set = &config_settings.table[i];

		options[i] = (struct option){ set->name, set->argument != NULL ?
		    required_argument : no_argument, NULL, FIRST_SETTING + (int)i };
	}
	options[n] = (struct option){ "version", no_argument, NULL, 'v' };
	options[n + 1] = (struct option){ "help", no_argument, NULL, 'h' };
	options[n + 2] = (struct option){ 0 };
}

/* Take an option of this pass.  Files have a pass of their own, so that flags override them. */
static enum status
take_option(struct config *c, int which, bool files, struct fault *why)
{
	const struct setting	*s;

	if (which == 'v') {
		(void)printf("assayd %s\n", ASSAY_VERSION);
		exit(0);
	}
	if (which == 'h') {
		print_usage(stdout);
		exit(0);
	}
	if (which < FIRST_SETTING) {
		print_usage(stderr);
		return fault_set(why, ST_BAD_REQUEST, "bad usage");
	}
	s = &config_settings.table[which - FIRST_SETTING];
	if ((s->set == config_set_file) != files)
		return ST_OK;
	return settings_set(&config_settings, c, s->name, optarg != NULL ? optarg : "yes", why);
}

static enum status
parse_flags(struct config *c, int argc, char **argv, bool files, struct fault *why)
{
	struct option	 options[CONFIG_MAX_SETTINGS + 3];
	enum status	 st = ST_OK;
	int		 which;

	list_options(options);
	optind = 1;
	while (st == ST_OK && (which = getopt_long(argc, argv, "", options, NULL)) != -1)
		st = take_option(c, which, files, why);
	if (st == ST_OK && optind < argc)
		return fault_set(why, ST_BAD_REQUEST, "\"%s\" is no setting", argv[optind]);
	return st;
}

enum status
config_load(struct config *c, int argc, char **argv, struct fault *why)
{
	const char	*share = getenv("ASSAY_SHARE_CPUS");
	const char	*wait = getenv("ASSAY_CALIBRATION_WAIT");
	const char	*reuse = getenv("ASSAY_REUSE_RESULTS");
	enum status	 st;

	memset(c, 0, sizeof *c);
	c->share_cpus = share != NULL && strcmp(share, "yes") == 0;
	c->cache_limit_bytes = (uint64_t)CACHE_LIMIT_MIB << 20;
	c->queue_limit = QUEUE_LIMIT;
	c->client_timeout_s = CLIENT_TIMEOUT_S;
	c->quota_connections = QUOTA_CONNECTIONS;
	c->drain_s = DRAIN_S;
	c->yardstick_minutes = YARDSTICK_MINUTES;
	c->calibration_wait_s = CALIBRATION_WAIT_S;
	c->socket_mode = 0600;
	c->ready_fd = c->exit_with_fd = -1;
	c->log_level = LOG_LEVEL_INFO;
	if (wait != NULL &&
	    (st = settings_set(&config_settings, c, "calibration-wait", wait, why)) != ST_OK)
		return st;
	if ((st = settings_set(&config_settings, c, "reuse-results",
	    reuse != NULL ? reuse : "yes", why)) != ST_OK)
		return st;
	if ((st = parse_flags(c, argc, argv, true, why)) != ST_OK ||
	    (st = parse_flags(c, argc, argv, false, why)) != ST_OK ||
	    (st = finish_paths(c, why)) != ST_OK)
		config_release(c);
	return st;
}

void
config_release(struct config *c)
{
	free(c->state_dir);
	free(c->socket_path);
	free(c->http_socket_path);
	free(c->http_tcp);
	free(c->tls);
	free(c->tls_certificate);
	free(c->tls_key);
	free(c->tls_client_ca);
	free(c->read_only);
	free(c->users_path);
	free(c->worker_path);
	free(c->notify_command);
	free(c->notify_secret_file);
	free(c->notify_allow);
	free(c->notify_ca);
	free(c->images_dir);
	free(c->libraries);
	free(c->chart_js);
	free(c->sysfs_root);
	free(c->hostd_path);
	memset(c, 0, sizeof *c);
}
