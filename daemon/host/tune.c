/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "daemon/host/frequency.h"
#include "daemon/host/tune.h"

void
tune_init(struct tune *t)
{
	memset(t, 0, sizeof *t);
	t->lock_fd = t->latency_fd = -1;
	t->partition.status = KNOB_ABSENT;
	(void)strcpy(t->partition.words, "none");
}

static enum status
lock(const char *run_dir, int *fd, struct fault *why)
{
	char	path[HOSTFS_PATH_BYTES + 32];

	(void)snprintf(path, sizeof path, "%.500s/host.lock", run_dir);
	if ((*fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) < 0)
		return fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	if (flock(*fd, LOCK_EX | LOCK_NB) == 0)
		return ST_OK;
	(void)close(*fd);
	*fd = -1;
	return fault_set(why, ST_CONFLICT, "%s: another assay-hostd holds this host", path);
}

static void
let_go(struct tune *t)
{
	if (t->latency_fd >= 0)
		(void)close(t->latency_fd);
	if (t->lock_fd >= 0)
		(void)close(t->lock_fd);
	t->latency_fd = t->lock_fd = -1;
}

/* ---- applying ---- */

struct applying {
	struct tune		*tune;
	const struct site	*site;
	struct journal		*journal;
	tune_fn			*fn;
	void			*arg;
	struct fault		*why;
};

static enum status
apply_one(void *arg, struct knob *k)
{
	struct applying	*a = arg;
	enum status	 st = ST_OK;

	if (knob_scope(k) == KNOB_HELD && k->status != KNOB_ABSENT)
		knob_hold_latency(a->site, k, &a->tune->latency_fd);
	else if (k->status == KNOB_NOT_TAKEN)
		st = knob_apply(a->site, k, a->journal, a->why);
	a->tune->count[k->status]++;
	if (a->fn != NULL)
		a->fn(a->arg, k);
	return st;
}

static enum status
apply_all(struct applying *a, const struct tune_order *o)
{
	enum status	st = knob_each(a->site, KNOB_HELD, apply_one, a);

	if (st == ST_OK && o->partition.kind != PARTITION_NONE) {
		st = partition_make(a->site, &o->partition, a->journal,
		    &a->tune->partition, a->why);
		a->tune->count[a->tune->partition.status]++;
	}
	if (st == ST_OK)
		st = knob_each(a->site, KNOB_NARROW, apply_one, a);
	if (st == ST_OK && o->tune)
		st = knob_each(a->site, KNOB_GLOBAL, apply_one, a);
	return st;
}

enum status
tune_apply(struct tune *t, const struct site *s, const struct tune_order *o, tune_fn *fn, void *arg,
    struct fault *why)
{
	struct journal	 j = { .fd = -1 };
	struct applying	 a = { t, s, &j, fn, arg, why };
	char		 boot[64];
	enum status	 st;

	tune_init(t);
	if ((st = site_may_take(s, why)) != ST_OK ||
	    (st = site_boot_id(&s->fs, boot, sizeof boot, why)) != ST_OK ||
	    (st = lock(o->run_dir, &t->lock_fd, why)) != ST_OK)
		return st;
	if ((st = journal_begin(&j, o->run_dir, boot, why)) == ST_OK &&
	    (st = apply_all(&a, o)) != ST_OK && undo_since(&s->fs, &j, 0, NULL, NULL) == 0)
		(void)journal_remove(&j, NULL);
	journal_release(&j);
	if (st != ST_OK)
		let_go(t);
	return st;
}

/* ---- undoing ---- */

enum status
tune_restore(struct tune *held, const struct hostfs *fs, const char *run_dir, undo_fn *fn,
    void *arg, struct fault *why)
{
	struct tune	 own;
	enum status	 st;

	if (held == NULL) {
		tune_init(&own);
		held = &own;
	}
	if (held->lock_fd < 0 && (st = lock(run_dir, &held->lock_fd, why)) != ST_OK)
		return st;
	if ((st = frequency_restore_all(fs, run_dir, fn, arg, why)) == ST_OK)
		st = undo_directory(fs, run_dir, fn, arg, why);
	let_go(held);
	return st;
}
