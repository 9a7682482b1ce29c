/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/setup/config.h"
#include "daemon/setup/libraries.h"
#include "proto/base/cpulist.h"
#include "proto/base/path.h"
#include "proto/base/settings.h"
#include "proto/base/version.h"
#include "proto/spec/spec.h"

enum { CACHE_LIMIT_MIB = 1024, QUEUE_LIMIT = 1000000, MAX_BUILDERS = 256,
	YARDSTICK_MINUTES = 60, MAX_YARDSTICK_MINUTES = 525600,
	CALIBRATION_WAIT_S = 60, MAX_CALIBRATION_WAIT_S = 86400, FIRST_SETTING = 1000 };

/* ---- one setting at a time: the same table serves flags and file ---- */

static enum status
set_text(char **slot, const char *value, struct fault *why)
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

	return set_text(&c->state_dir, v, why);
}

static enum status
set_socket(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return set_text(&c->socket_path, v, why);
}

static enum status
set_http_socket(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return set_text(&c->http_socket_path, v, why);
}

static enum status
set_http(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return set_text(&c->http_tcp, v, why);
}

static enum status
set_hostd(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return set_text(&c->hostd_path, v, why);
}

static enum status
set_worker(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return set_text(&c->worker_path, v, why);
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
set_insecure_no_jail(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return parse_yes(v, &c->insecure_no_jail, why);
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

	return set_text(&c->images_dir, v, why);
}

static enum status
set_libraries(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return libraries_resolve(v, &c->libraries, why);
}

static enum status
set_sysfs_root(void *config, const char *v, struct fault *why)
{
	struct config	*c = config;

	return set_text(&c->sysfs_root, v, why);
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

	return parse_number(v, 10, 1, UINT64_C(100000000), &c->queue_limit, why);
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

static enum status
set_calibration_wait(void *config, const char *v, struct fault *why)
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

static setting_fn	set_file;

static const struct setting	settings[] = {
	{ "config", "FILE", "read settings from FILE: lines of name = value, # begins a comment",
	  set_file },
	{ "state", "DIR", "database, artifact cache, scratch space", set_state },
	{ "socket", "PATH", "JSON-RPC on this Unix socket", set_socket },
	{ "socket-mode", "OCTAL", "its permissions (0600: only this user)", set_socket_mode },
	{ "http-socket", "PATH", "HTTP on this Unix socket", set_http_socket },
	{ "http", "ADDR:PORT", "HTTP on loopback TCP; port 0: any free one", set_http },
	{ "timing-cpus", "LIST",
	  "one timing slot on each of these CPUs (default: one, on the last core; free: on "
	  "the last core that no other daemon times on; next-free: and wait if there is none)",
	  set_timing_cpus },
	{ "slots", "LISTS", "timing slots of several CPUs, for routines with threads: 2; 4-7 is a "
	  "slot of one and one of four", set_slots },
	{ "share-cpus", NULL, "time on these CPUs even if another daemon does", set_share_cpus },
	{ "builders", "N", "compilers at once (default: one per housekeeping CPU)", set_builders },
	{ "cache-limit", "MIB", "size of the artifact cache (default 1024)", set_cache_limit },
	{ "queue-limit", "N", "jobs that may be alive at once (default 1000000)", set_queue_limit },
	{ "reference-minutes", "N",
	  "least time between timings of the reference kernel (default 60; 0: only on request)",
	  set_yardstick_minutes },
	{ "calibration-wait", "S",
	  "longest wait of a cold job for the host's first calibration (default 60; 0: calibrate "
	  "only on request)", set_calibration_wait },
	{ "worker", "PATH", "assay-worker (default: beside assayd, or in ../libexec/assay)",
	  set_worker },
	{ "images", "DIR", "checkpoint images that specs may name (default: none)", set_images },
	{ "jail-profiles", "LIST",
	  "rights that jobs may ask for: io (files in a directory of their own), fork "
	  "(default: none)", set_jail_profiles },
	{ "libraries", "LIST",
	  "libraries that variants may be linked with: openblas, or fftw=/usr/lib/libfftw3.so "
	  "(default: none)", set_libraries },
	{ "insecure-no-jail", NULL, "run submitted code even where no jail can contain it",
	  set_insecure_no_jail },
	{ "hostd", "PATH", "assay-hostd's socket: it sets the host up while assayd runs",
	  set_hostd },
	{ "sysfs-root", "DIR", "read the topology below DIR instead of /", set_sysfs_root },
	{ "ready-fd", "N", "write a line to descriptor N once everything listens", set_ready_fd },
	{ "exit-with-fd", "N", "stop when descriptor N reaches its end", set_exit_with_fd },
	{ "log", "LEVEL", "error, warn, info (default) or debug", set_log },
};
enum { NSETTINGS = sizeof settings / sizeof settings[0] };

static const struct settings	all = { settings, NSETTINGS };

static enum status
set_file(void *config, const char *path, struct fault *why)
{
	return settings_read(&all, config, path, why);
}

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
		st = set_text(&c->state_dir, path, why);
	}
	if (st == ST_OK && c->socket_path == NULL) {
		if (given_run != NULL)
			(void)snprintf(path, sizeof path, "%s/assay.sock", given_run);
		else if (geteuid() != 0 && run != NULL && run[0] == '/')
			(void)snprintf(path, sizeof path, "%s/assay/assay.sock", run);
		else
			(void)snprintf(path, sizeof path, "%s/assay.sock",
			    geteuid() == 0 ? "/run/assay" : c->state_dir);
		st = set_text(&c->socket_path, path, why);
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
	return set_text(&c->worker_path, path, why);
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
	return set_text(path, whole, why);
}

static enum status
finish_paths(struct config *c, struct fault *why)
{
	char		**paths[] = { &c->state_dir, &c->socket_path, &c->http_socket_path,
	    &c->worker_path, &c->images_dir };
	enum status	 st;

	if ((st = default_paths(c, why)) != ST_OK || (st = default_worker(c, why)) != ST_OK)
		return st;
	if (c->http_socket_path == NULL && (st = set_text(&c->http_socket_path, "", why)) != ST_OK)
		return st;
	if (c->http_tcp == NULL && (st = set_text(&c->http_tcp, "", why)) != ST_OK)
		return st;
	if (c->hostd_path == NULL && (st = set_text(&c->hostd_path, "", why)) != ST_OK)
		return st;
	if (c->images_dir == NULL && (st = set_text(&c->images_dir, "", why)) != ST_OK)
		return st;
	if (c->libraries == NULL && (st = set_text(&c->libraries, "", why)) != ST_OK)
		return st;
	if (c->sysfs_root == NULL && (st = set_text(&c->sysfs_root, "", why)) != ST_OK)
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
	settings_print(&all, to);
	(void)fprintf(to, "  --version\n  --help\n");
}

static void
list_options(struct option options[NSETTINGS + 3])
{
	for (int i = 0; i < NSETTINGS; i++)
		options[i] = (struct option){ settings[i].name, settings[i].argument != NULL ?
		    required_argument : no_argument, NULL, FIRST_SETTING + i };
	options[NSETTINGS] = (struct option){ "version", no_argument, NULL, 'v' };
	options[NSETTINGS + 1] = (struct option){ "help", no_argument, NULL, 'h' };
	options[NSETTINGS + 2] = (struct option){ 0 };
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
	s = &settings[which - FIRST_SETTING];
	if ((s->set == set_file) != files)
		return ST_OK;
	return settings_set(&all, c, s->name, optarg != NULL ? optarg : "yes", why);
}

static enum status
parse_flags(struct config *c, int argc, char **argv, bool files, struct fault *why)
{
	struct option	 options[NSETTINGS + 3];
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
	enum status	 st;

	memset(c, 0, sizeof *c);
	c->share_cpus = share != NULL && strcmp(share, "yes") == 0;
	c->cache_limit_bytes = (uint64_t)CACHE_LIMIT_MIB << 20;
	c->queue_limit = QUEUE_LIMIT;
	c->yardstick_minutes = YARDSTICK_MINUTES;
	c->calibration_wait_s = CALIBRATION_WAIT_S;
	c->socket_mode = 0600;
	c->ready_fd = c->exit_with_fd = -1;
	c->log_level = LOG_LEVEL_INFO;
	if (wait != NULL && (st = set_calibration_wait(c, wait, why)) != ST_OK)
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
	free(c->worker_path);
	free(c->images_dir);
	free(c->libraries);
	free(c->sysfs_root);
	free(c->hostd_path);
	memset(c, 0, sizeof *c);
}
