/* SPDX-License-Identifier: Apache-2.0 */
/*
 * assayd: read the configuration, open everything, serve.
 *
 * One event loop on the housekeeping CPUs owns the queue and the database.  Workers are children,
 * each holding one descriptor of the daemon.  The daemon never runs submitted code, holds no
 * capability, and opens no file that a peer names.
 */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <event2/event.h>

#include "daemon/dispatch/station/child.h"
#include "daemon/dispatch/dispatch.h"
#include "daemon/hold/delegation.h"
#include "daemon/hold/hold.h"
#include "daemon/notify/notify.h"
#include "daemon/queue/intake.h"
#include "daemon/queue/queue.h"
#include "daemon/server.h"
#include "daemon/signals.h"
#include "daemon/setup/claim.h"
#include "daemon/setup/config.h"
#include "daemon/setup/config_reload.h"
#include "daemon/setup/libraries.h"
#include "daemon/setup/places.h"
#include "daemon/setup/state_lock.h"
#include "daemon/setup/topology.h"
#include "daemon/setup/users.h"
#include "daemon/store/store.h"
#include "daemon/store/store_lock.h"
#include "daemon/upkeep/upkeep.h"
#include "proto/base/log.h"
#include "proto/base/path.h"
#include "proto/base/version.h"

struct daemon {
	int			 argc;
	char			**argv;		/* borrowed */
	struct config		 config;
	struct topology		 topology;
	struct claim		 claim;
	struct users		*users;
	struct event_base	*base;
	struct hold		*host;
	struct delegation	 cells;
	struct store		*store;
	struct queue		 queue;
	struct intake		*intake;
	struct child_pool	*children;
	struct dispatch		*dispatch;
	struct upkeep		*upkeep;
	struct notify		*notify;
	struct server		*server;
};

/* Keep off the timing CPUs.  A refusal is harmless: then the kernel allows fewer CPUs anyway. */
static void
stay_on_housekeeping(const struct topology *t)
{
	cpu_set_t	set;

	CPU_ZERO(&set);
	for (unsigned i = 0; i < t->nhouse; i++)
		if (t->house_cpu[i] < CPU_SETSIZE)
			CPU_SET((unsigned)t->house_cpu[i], &set);
	if (sched_setaffinity(0, sizeof set, &set) != 0)
		log_warn("affinity to the housekeeping CPUs refused: %s", strerror(errno));
}

/* An existing directory stays as it is, and so does its database. */
static void
warn_if_open(const char *dir)
{
	struct stat	sb;

	if (stat(dir, &sb) == 0 && (sb.st_mode & 077) != 0)
		log_warn("state=%s mode=%04o other users may read sources and results; "
		    "chmod -R go-rwx keeps them out", dir, (unsigned)sb.st_mode & 07777);
}

/* The database holds all sources.  SQLite gives its other files the same permissions. */
static enum status
make_private(const char *path, struct fault *why)
{
	int	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		return fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	(void)close(fd);
	return ST_OK;
}

/*
 * Locked before CPUs are claimed: a second daemon reports the state in use, not a CPU in use.  The
 * cache is the workers'; it is made here so that its absence later is a fault.
 */
static enum status
open_state(const struct config *c, struct fault *why)
{
	const char	*dir = c->state_dir;
	char		 cache[4096];
	enum status	 st;

	(void)snprintf(cache, sizeof cache, "%.4000s/cache", dir);
	if ((st = path_make(dir, 0700, why)) != ST_OK ||
	    (st = state_lock(dir, c->socket_path, c->answers_only, why)) != ST_OK)
		return st;
	warn_if_open(dir);
	return path_make(cache, 0755, why);
}

static enum status
open_store(struct daemon *d, struct fault *why)
{
	char		path[4096];
	enum status	st;

	(void)snprintf(path, sizeof path, "%.4000s/assay.db", d->config.state_dir);
	if ((st = make_private(path, why)) != ST_OK)
		return st;
	return store_open(&d->store, path, why);
}

static enum status
number_user(void *arg, const char *name, uid_t *uid, struct fault *why)
{
	const struct daemon	*d = arg;

	return store_user_number(d->store, name, USER_FIRST_NUMBER, USER_LAST_NUMBER, uid, why);
}

static enum status
open_users(struct daemon *d, struct fault *why)
{
	enum status	st = users_new(&d->users, why);

	return st == ST_OK ? users_read(d->users, d->config.users_path, number_user, d, why) : st;
}

static void
on_work(void *arg)
{
	struct daemon	*d = arg;

	dispatch_kick(d->dispatch);
}

static void
on_share(void *queue, const struct user_share *u)
{
	queue_set_share(queue, u->uid, u->virtual_s);
	quota_set_day(queue, u->uid, u->day, u->day_s);
}

static void
set_quotas(struct daemon *d)
{
	quota_set(&d->queue, QUOTA_JOBS, d->config.quota_jobs);
	quota_set(&d->queue, QUOTA_BYTES, d->config.quota_bytes);
	quota_set(&d->queue, QUOTA_TIMING_S, d->config.quota_timing_s);
}

static enum status
on_pause(void *queue, const struct pause *p)
{
	return queue_set_paused(queue, p, true);
}

static enum status
check_libraries(const char *list, const struct job *job, struct fault *why)
{
	enum status	st = libraries_check(list, &job->variant, "variant", why);

	if (st == ST_OK)
		st = libraries_check(list, &job->against, "against", why);
	if (st == ST_OK)
		st = libraries_check(list, &job->spec.check.reference, "spec.check.reference",
		    why);
	if (st == ST_OK)
		st = libraries_check(list, &job->spec.timing.metric.library,
		    "spec.timing.metric.library", why);
	return st;
}

static enum status
check_job(void *arg, const struct job *job, struct fault *why)
{
	struct daemon	*d = arg;
	const char	*word = jail_profile_name(job->profile);
	enum status	 st = check_libraries(d->config.libraries, job, why);

	if (st != ST_OK)
		return st;
	if (job->profile == PROFILE_PLAIN || d->config.jail_profiles >> job->profile & 1)
		return dispatch_check(d->dispatch, job, why);
	st = fault_at(why, ST_BAD_SPEC, "jail",
	    "this server gives no routine the rights of \"%s\"", word);
	fault_hint(why, "its operator can: jail-profiles = %s in assayd.conf", word);
	return st;
}

static enum status
open_upkeep(struct daemon *d, struct fault *why)
{
	const struct upkeep_env	env = { d->store, &d->queue, d->intake, d->dispatch, &d->topology,
				    d->config.yardstick_minutes, d->config.calibration_wait_s };
	enum status		st = upkeep_new(&d->upkeep, &env, why);

	if (st != ST_OK)
		return st;
	dispatch_ask(d->dispatch, upkeep_may_time, d->upkeep);
	dispatch_trial_with(d->dispatch, upkeep_trial, d->upkeep);
	return ST_OK;
}

/* A daemon that only answers leaves what is to be told to the next one. */
static enum status
open_notify(struct daemon *d, struct fault *why)
{
	return d->config.answers_only ? ST_OK : notify_new(&d->notify, d->base, d->store,
	    &d->queue, &d->config, why);
}

static enum status
open_server(struct daemon *d, struct fault *why)
{
	const struct api_env	env = { d->base, &d->config, d->users, &d->topology, d->store,
				    &d->queue, d->intake, d->dispatch, d->upkeep,
				    d->notify };

	return server_new(&d->server, &env, why);
}

/* First of all: a cgroup with other processes in it cannot be divided. */
static void
divide_cgroup(struct daemon *d)
{
	const unsigned	builders = places_builders(&d->topology, d->config.builders);
	struct hostfs	fs;
	struct fault	why;

	if (hostfs_init(&fs, d->config.sysfs_root) != 0)
		return;
	if (delegation_open(&d->cells, &fs, builders, &why) == ST_OK)
		log_info("builds: a cgroup limits memory and processes of each, below %s",
		    d->cells.path);
	else
		log_info("builds: each process has only its own limits (rlimit): %s", why.text);
	dispatch_use_cells(d->dispatch, &d->cells);
}

static enum status
open_everything(struct daemon *d, struct fault *why)
{
	enum status	st;

	if ((st = open_state(&d->config, why)) != ST_OK ||
	    (st = claim_slots(&d->claim, &d->topology, &d->config, why)) != ST_OK)
		return st;
	stay_on_housekeeping(&d->topology);
	if ((st = open_store(d, why)) != ST_OK || (st = open_users(d, why)) != ST_OK)
		return st;
	if ((d->base = event_base_new()) == NULL)
		return fault_set(why, ST_NOMEM, "event loop");
	queue_init(&d->queue, d->config.queue_limit);
	store_each_share(d->store, on_share, &d->queue);
	set_quotas(d);
	quota_set_users(&d->queue, d->users);
	if ((st = store_each_pause(d->store, on_pause, &d->queue, why)) != ST_OK ||
	    (st = intake_new(&d->intake, d->store, &d->queue, on_work, d, why)) != ST_OK ||
	    (st = child_pool_new(&d->children, d->base, why)) != ST_OK ||
	    (st = dispatch_new(&d->dispatch, &d->config, &d->topology, d->store,
	        &d->queue, d->children, why)) != ST_OK ||
	    (st = open_upkeep(d, why)) != ST_OK ||
	    (st = open_notify(d, why)) != ST_OK ||
	    (st = open_server(d, why)) != ST_OK)
		return st;
	divide_cgroup(d);
	if ((st = hold_open(&d->host, &d->config, &d->topology, why)) != ST_OK)
		return st;
	dispatch_use_host(d->dispatch, d->host);
	intake_check_with(d->intake, check_job, d);
	if (d->config.answers_only)
		server_only_answer(d->server);
	else if ((st = dispatch_start(d->dispatch, why)) != ST_OK)
		return st;
	return server_recover(d->server, why);
}

static void
close_everything(struct daemon *d)
{
	struct fault	why;

	upkeep_stop(d->upkeep);
	if (d->dispatch != NULL)
		dispatch_store(d->dispatch);
	/* first: its callbacks answer sessions */
	if (d->store != NULL)
		store_last_wait(d->store);
	if (d->store != NULL && store_commit(d->store, &why) != ST_OK)
		log_error("store=%s %s", d->config.state_dir, why.text);
	server_free(d->server);
	notify_free(d->notify);
	upkeep_free(d->upkeep);
	child_pool_free(d->children);
	dispatch_free(d->dispatch);
	delegation_release(&d->cells);
	hold_free(d->host);
	intake_free(d->intake);
	queue_release(&d->queue);
	store_free(d->store);
	users_free(d->users);
	if (d->base != NULL) {
		/* what was freed while a callback of it was under way goes in the next turn */
		(void)event_base_loop(d->base, EVLOOP_NONBLOCK);
		event_base_free(d->base);
	}
	libevent_global_shutdown();
	claim_release(&d->claim);
	config_release(&d->config);
}

/* ---- SIGHUP ---- */

static void
on_difference(void *arg, const char *setting, bool taken)
{
	unsigned	*n = arg;

	++*n;
	if (taken)
		log_info("config: %s is changed", setting);
	else
		log_warn("config: %s needs a restart, and stays as it is", setting);
}

/* Whatever is wrong with the settings: who was taken back must not stay. */
static void
read_users_again(struct daemon *d)
{
	struct fault	why;
	char		line[1400];

	if (users_read(d->users, d->config.users_path, number_user, d, &why) != ST_OK)
		log_error("users: all stays as it is: %s", fault_line(&why, line, sizeof line));
	quota_set_users(&d->queue, d->users);
	server_reload_doors(d->server);
}

static void
reload(void *arg)
{
	struct daemon	*d = arg;
	struct fault	 why;
	unsigned	 n = 0;
	char		 line[1400];

	read_users_again(d);
	if (config_reload(&d->config, d->argc, d->argv, on_difference, &n, &why) != ST_OK) {
		log_error("config: it stays as it is: %s", fault_line(&why, line, sizeof line));
		return;
	}
	log_set_level(d->config.log_level);
	d->queue.limit = d->config.queue_limit;
	set_quotas(d);
	server_set_quota(d->server, d->config.quota_connections);
	upkeep_set_times(d->upkeep, d->config.yardstick_minutes, d->config.calibration_wait_s);
	log_info("config: read again, %u settings differ", n);
}

/*
 * A line of megabytes and the buffers in which it grows are mapped, and unmapped when they are
 * freed.  Left to itself, glibc would take them from the heap after the first, among the jobs.
 */
static void
map_large_buffers(void)
{
	enum { LARGE_BYTES = 1 << 20, KEPT_BYTES = 16 << 20 };

	(void)mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
	(void)mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
}

int
main(int argc, char **argv)
{
	struct daemon	d;
	struct fault	why;
	enum status	st;
	char		line[1400];

	memset(&d, 0, sizeof d);
	d.argc = argc;
	d.argv = argv;
	signals_prepare();
	map_large_buffers();
	if ((st = config_load(&d.config, argc, argv, &why)) != ST_OK) {
		(void)fprintf(stderr, "assayd: %s\n", fault_line(&why, line, sizeof line));
		return status_exit_code(st);
	}
	log_set_level(d.config.log_level);
	log_begin_limit();
	if ((st = open_everything(&d, &why)) != ST_OK) {
		log_error("assayd cannot start: %s", fault_line(&why, line, sizeof line));
		close_everything(&d);
		return status_exit_code(st);
	}
	log_info("assayd version=%s state=%s slots=%u builders=%u", ASSAY_VERSION,
	    d.config.state_dir, d.topology.nslots, places_builders(&d.topology,
	    d.config.builders));
	server_on_reload(d.server, reload, &d);
	st = server_run(d.server, &why);
	if (st != ST_OK)
		log_error("assayd stops: %s", fault_line(&why, line, sizeof line));
	close_everything(&d);
	log_end();
	return status_exit_code(st);
}
