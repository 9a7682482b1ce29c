/* SPDX-License-Identifier: Apache-2.0 */
#include <getopt.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/hostd/hostd_config.h"
#include "proto/base/settings.h"
#include "proto/base/version.h"
#include "proto/wire/hostd_msg.h"

enum { MAX_PROBE_MS = 60000, FIRST_SETTING = 1000, FIRST_MODE = 2000 };

/* ---- one setting at a time: the same table serves flags and file ---- */

static enum status
copy_text(char *to, size_t bytes, const char *value, struct fault *why)
{
	if ((size_t)snprintf(to, bytes, "%s", value) >= bytes)
		return fault_set(why, ST_BAD_REQUEST, "\"%s\" is too long", value);
	return ST_OK;
}

static enum status
set_directory(void *member, const char *v, struct fault *why)
{
	return copy_text(member, HOSTFS_PATH_BYTES, v, why);
}

static enum status
set_socket(void *config, const char *v, struct fault *why)
{
	struct hostd_config	*c = config;

	return copy_text(c->socket_path, sizeof c->socket_path, v, why);
}

static enum status
set_cpus(void *config, const char *v, struct fault *why)
{
	struct hostd_config	*c = config;
	cpu_set_t	set;

	if (!cpulist_parse(v, &set) || CPU_COUNT(&set) == 0 || CPU_COUNT(&set) > SITE_MAX_SLOTS)
		return fault_set(why, ST_BAD_REQUEST,
		    "\"%s\" is no list of CPUs like 2,3 or 4-7 (at most %d)", v, SITE_MAX_SLOTS);
	c->nslots = cpulist_split(&set, c->slot);
	return ST_OK;
}

static enum status
set_slots(void *config, const char *v, struct fault *why)
{
	struct hostd_config	*c = config;

	return cpulist_parse_lists(v, c->slot, SITE_MAX_SLOTS, &c->nslots) ? ST_OK :
	    fault_set(why, ST_BAD_REQUEST, "\"%s\" is no list of slots like 2; 4-7, at most %d", v,
	    SITE_MAX_SLOTS);
}

static enum status
set_partition(void *config, const char *v, struct fault *why)
{
	struct hostd_config	*c = config;

	for (unsigned kind = PARTITION_NONE; kind <= PARTITION_ROOT; kind++) {
		if (strcmp(v, partition_kind_word((enum partition_kind)kind)) == 0) {
			c->partition = (enum partition_kind)kind;
			return ST_OK;
		}
	}
	return fault_set(why, ST_BAD_REQUEST, "\"%s\" is none of isolated, root, none", v);
}

static enum status
set_user(void *config, const char *v, struct fault *why)
{
	struct hostd_config	*c = config;
	const struct passwd	*pw = getpwnam(v);

	if (pw == NULL)
		return fault_set(why, ST_BAD_REQUEST, "there is no user \"%s\"", v);
	c->owner = pw->pw_uid;
	c->group = pw->pw_gid;
	return ST_OK;
}

static setting_fn	set_file;

static const struct setting	settings[] = {
	{ "config", "FILE", "read settings from FILE: lines of name = value, # begins a comment",
	  SETTING_OWN(set_file) },
	{ "timing-cpus", "LIST",
	  "report, apply: one slot on each of these CPUs (default: one, on the last core)",
	  SETTING_OWN(set_cpus) },
	{ "slots", "LISTS", "report, apply: a slot on each of these lists of CPUs, such as 2; 4-7",
	  SETTING_OWN(set_slots) },
	{ "tune", "yes|no",
	  "also set the whole host up: governor, turbo, SMT, sysctls (default no)",
	  SETTING_YES(hostd_config, tune) },
	{ "partition", "KIND",
	  "isolated (default), root or none: keep other programs off the timing CPUs",
	  SETTING_OWN(set_partition) },
	{ "user", "NAME", "assayd's user: may connect, and owns the slots' limits (default: root)",
	  SETTING_OWN(set_user) },
	{ "socket", "PATH", "serve: listen here, unless started by socket activation "
	  "(default " HOSTD_RUN_DIR "/hostd.sock)", SETTING_OWN(set_socket) },
	{ "run-dir", "DIR", "lock and journal (default " HOSTD_RUN_DIR ")",
	  SETTING_AT(set_directory, hostd_config, run_dir) },
	{ "sysfs-root", "DIR", "use the host's files below DIR instead of /",
	  SETTING_AT(set_directory, hostd_config, sysfs_root) },
	{ "probe-ms", "N",
	  "report: duration of the spin on each timing CPU (default 1000, 0: none)",
	  SETTING_NUMBER(hostd_config, probe_ms, 0, MAX_PROBE_MS) },
};
enum { NSETTINGS = sizeof settings / sizeof settings[0] };

static const struct {
	const char	*name, *text;
	enum hostd_mode	 mode;
} modes[] = {
	{ "report", "print how fit this host is for timing, as JSON; needs no privileges",
	  HOSTD_REPORTS },
	{ "apply", "set this host up, hold it until SIGTERM or SIGINT, then undo everything",
	  HOSTD_APPLIES },
	{ "restore", "undo the changes of a crashed assay-hostd", HOSTD_RESTORES },
	{ "serve", "do this for assayd while it is connected", HOSTD_SERVES },
};
enum { NMODES = sizeof modes / sizeof modes[0] };

static const struct settings	all = { settings, NSETTINGS };

static enum status
set_file(void *config, const char *path, struct fault *why)
{
	return settings_read(&all, config, path, why);
}

/* ---- flags ---- */

static void
print_usage(FILE *to)
{
	(void)fprintf(to, "usage: assay-hostd --report | --apply | --restore | --serve [--name "
	    "value]...\n");
	for (unsigned i = 0; i < NMODES; i++)
		(void)fprintf(to, "  --%-13s %-10s %s\n", modes[i].name, "", modes[i].text);
	settings_print(&all, to);
	(void)fprintf(to, "  --version\n  --help\n");
}

static void
list_options(struct option options[NSETTINGS + NMODES + 3])
{
	unsigned	n = 0;

	for (int i = 0; i < NSETTINGS; i++)
		options[n++] = (struct option){ settings[i].name, required_argument, NULL,
		    FIRST_SETTING + i };
	for (int i = 0; i < NMODES; i++)
		options[n++] = (struct option){ modes[i].name, no_argument, NULL, FIRST_MODE + i };
	options[n++] = (struct option){ "version", no_argument, NULL, 'v' };
	options[n++] = (struct option){ "help", no_argument, NULL, 'h' };
	options[n] = (struct option){ 0 };
}

/* The mode, which must be given once. */
static enum status
take_mode(struct hostd_config *c, enum hostd_mode mode, bool *has_mode, struct fault *why)
{
	if (*has_mode)
		return fault_set(why, ST_BAD_REQUEST,
		    "give only one of --report, --apply, --restore and --serve");
	*has_mode = true;
	c->mode = mode;
	return ST_OK;
}

/* Take an option of this pass.  Files have a pass of their own, so that flags override them. */
static enum status
take_option(struct hostd_config *c, int which, bool files, bool *has_mode, struct fault *why)
{
	if (which >= FIRST_MODE)
		return files ? ST_OK : take_mode(c, modes[which - FIRST_MODE].mode, has_mode, why);
	if (which >= FIRST_SETTING && (settings[which - FIRST_SETTING].set == set_file) != files)
		return ST_OK;
	if (which >= FIRST_SETTING)
		return settings_set(&all, c, settings[which - FIRST_SETTING].name, optarg, why);
	if (which == 'v' || which == 'h') {
		if (which == 'v')
			(void)printf("assay-hostd %s\n", ASSAY_VERSION);
		else
			print_usage(stdout);
		exit(0);
	}
	print_usage(stderr);
	return fault_set(why, ST_BAD_REQUEST, "bad usage");
}

static enum status
parse_flags(struct hostd_config *c, int argc, char **argv, bool files, bool *has_mode,
    struct fault *why)
{
	struct option	options[NSETTINGS + NMODES + 3];
	enum status	st = ST_OK;
	int		which;

	list_options(options);
	optind = 1;
	while (st == ST_OK && (which = getopt_long(argc, argv, "", options, NULL)) != -1)
		st = take_option(c, which, files, has_mode, why);
	if (st == ST_OK && optind < argc)
		return fault_set(why, ST_BAD_REQUEST, "\"%s\" is no setting", argv[optind]);
	return st;
}

enum status
hostd_config_load(struct hostd_config *c, int argc, char **argv, struct fault *why)
{
	bool		has_mode = false;
	enum status	st;

	*c = (struct hostd_config){ .partition = PARTITION_ISOLATED, .probe_ms = 1000,
		.run_dir = HOSTD_RUN_DIR, .socket_path = HOSTD_RUN_DIR "/hostd.sock" };
	if ((st = parse_flags(c, argc, argv, true, &has_mode, why)) != ST_OK ||
	    (st = parse_flags(c, argc, argv, false, &has_mode, why)) != ST_OK)
		return st;
	if (!has_mode) {
		print_usage(stderr);
		return fault_set(why, ST_BAD_REQUEST,
		    "give one of --report, --apply, --restore and --serve");
	}
	return ST_OK;
}
