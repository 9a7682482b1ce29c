/* SPDX-License-Identifier: Apache-2.0 */
/*
 * assay-hostd: the one part of Assay that needs root, kept as small as possible.
 *
 * It sets a host up for timing and puts everything back.  It runs no submitted byte and starts no
 * program; it opens no network socket and parses no JSON.
 *
 * It reads kernel files, its flags and file, packets of one fixed size from assayd, and its own
 * journal in a directory of root's.  It writes only to paths from its own table.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "daemon/host/fitness.h"
#include "daemon/hostd/hostd_config.h"
#include "daemon/hostd/lease.h"
#include "proto/base/log.h"

enum { ACTIVATED_FD = 3, BACKLOG = 8 };

static enum status
report(const struct hostd_config *c, const struct hostfs *fs, struct fault *why)
{
	struct fitness_config	 config = { fs->root, c->run_dir, c->slot, c->nslots, NULL,
				    c->probe_ms, NULL };
	struct fitness		*f;
	json_t			*r;
	enum status		 st = fitness_new(&f, &config, why);

	if (st != ST_OK)
		return st;
	fitness_wait(f);
	if ((r = fitness_report(f)) == NULL)
		st = fault_set(why, ST_NOMEM, "report");
	else if (json_dumpf(r, stdout, JSON_INDENT(2)) != 0 || putchar('\n') == EOF ||
	    fflush(stdout) != 0)
		st = fault_set(why, ST_IO, "report: %s", strerror(errno));
	json_decref(r);
	fitness_free(f);
	return st;
}

static void
print_undo(void *arg, const struct journal_entry *e, enum undo_verdict v, const char *found)
{
	(void)arg;
	(void)printf("%-9s  %s  %s%s%s\n", undo_verdict_word(v), e->name, e->path,
	    v == UNDO_FOREIGN || v == UNDO_FAILED ? " is " : "",
	    v == UNDO_FOREIGN || v == UNDO_FAILED ? found : "");
}

static void
print_knob(void *arg, const struct knob *k)
{
	(void)arg;
	(void)printf("%-9s  %s  %s  %s -> %s\n", knob_status_word(k->status), knob_name(k),
	    k->path, k->found, k->wanted);
}

static struct tune_order
order_of(const struct hostd_config *c)
{
	return (struct tune_order){ .run_dir = c->run_dir, .tune = c->tune,
		.partition = { .kind = c->partition, .owner = c->owner, .group = c->group } };
}

/* Blocked before the first change, so that a signal in between leads to undoing too. */
static enum status
apply_and_hold(const struct hostd_config *c, const struct hostfs *fs, struct fault *why)
{
	const struct tune_order	order = order_of(c);
	struct site		site;
	struct tune		tune;
	sigset_t		set;
	enum status		st;
	int			which;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGINT);
	(void)sigaddset(&set, SIGHUP);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	if ((st = site_open(&site, fs, c->slot, c->nslots, why)) != ST_OK ||
	    (st = tune_apply(&tune, &site, &order, print_knob, NULL, why)) != ST_OK)
		return st;
	(void)printf("%-9s  partition  %s\nholding\n", knob_status_word(tune.partition.status),
	    tune.partition.words);
	(void)fflush(stdout);
	(void)sigwait(&set, &which);
	return tune_restore(&tune, fs, c->run_dir, print_undo, NULL, why);
}

/* ---- the socket ---- */

static bool
is_activated(void)
{
	const char	*pid = getenv("LISTEN_PID"), *fds = getenv("LISTEN_FDS");

	return pid != NULL && fds != NULL && atol(pid) == (long)getpid() && strcmp(fds, "1") == 0;
}

/* For assayd's user alone. */
static enum status
listen_at(const struct hostd_config *c, int *fd, struct fault *why)
{
	struct sockaddr_un	sun = { .sun_family = AF_UNIX };
	mode_t			old = umask(0177);
	bool			ok;

	(void)snprintf(sun.sun_path, sizeof sun.sun_path, "%s", c->socket_path);
	(void)unlink(sun.sun_path);
	*fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	ok = *fd >= 0 && bind(*fd, (struct sockaddr *)&sun, sizeof sun) == 0 &&
	    (geteuid() != 0 || chown(sun.sun_path, c->owner, c->group) == 0) &&
	    listen(*fd, BACKLOG) == 0;
	(void)umask(old);
	return ok ? ST_OK : fault_set(why, ST_IO, "%s: %s", c->socket_path, strerror(errno));
}

static enum status
serve(const struct hostd_config *c, const struct hostfs *fs, struct fault *why)
{
	struct lease_config	config = { .fs = *fs, .order = order_of(c),
				    .leave_when_idle = is_activated() };
	enum status		st;
	int			fd = ACTIVATED_FD;

	/* Changes left by a crash are undone first: otherwise the host could not be taken. */
	if ((st = tune_restore(NULL, fs, c->run_dir, NULL, NULL, why)) != ST_OK)
		return st;
	log_begin_limit();
	(void)lease_hold_signals();
	if (!config.leave_when_idle && (st = listen_at(c, &fd, why)) != ST_OK)
		return st;
	st = lease_serve(&config, fd, why);
	log_end();
	if (!config.leave_when_idle)
		(void)unlink(c->socket_path);
	return st;
}

/* Root acts on the journal, so no other user may be able to place one here. */
static enum status
make_run_dir(const char *dir, struct fault *why)
{
	struct stat	sb;

	if ((mkdir(dir, 0755) != 0 && errno != EEXIST) || lstat(dir, &sb) != 0)
		return fault_set(why, ST_IO, "%s: %s", dir, strerror(errno));
	if (!S_ISDIR(sb.st_mode) || sb.st_uid != geteuid() ||
	    (sb.st_mode & (S_IWGRP | S_IWOTH)) != 0)
		return fault_set(why, ST_DENIED,
		    "%s is not a directory that this user alone can write", dir);
	return ST_OK;
}

static enum status
run(const struct hostd_config *c, struct fault *why)
{
	struct hostfs	fs;
	enum status	st;

	if (hostfs_init(&fs, c->sysfs_root) != 0)
		return fault_set(why, ST_BAD_REQUEST, "%s: too long", c->sysfs_root);
	if (c->mode != HOSTD_REPORTS && (st = make_run_dir(c->run_dir, why)) != ST_OK)
		return st;
	switch (c->mode) {
	case HOSTD_APPLIES:
		return apply_and_hold(c, &fs, why);
	case HOSTD_RESTORES:
		return tune_restore(NULL, &fs, c->run_dir, print_undo, NULL, why);
	case HOSTD_SERVES:
		return serve(c, &fs, why);
	default:
		return report(c, &fs, why);
	}
}

int
main(int argc, char **argv)
{
	struct hostd_config	c;
	struct fault		why;
	char			line[1400];
	enum status		st;

	if ((st = hostd_config_load(&c, argc, argv, &why)) == ST_OK)
		st = run(&c, &why);
	if (st != ST_OK)
		(void)fprintf(stderr, "assay-hostd: %s\n", fault_line(&why, line, sizeof line));
	return status_exit_code(st);
}
