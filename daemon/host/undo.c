/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/host/cgroup.h"
#include "daemon/host/site.h"
#include "daemon/host/undo.h"

static const char *const	words[UNDO_NVERDICTS] = { "restored", "unchanged", "foreign",
    "gone", "failed" };

const char *
undo_verdict_word(enum undo_verdict v)
{
	return words[v];
}

/* A cgroup can be removed only after its last process has ended. */
static int
remove_directory(const struct hostfs *fs, const struct journal_entry *e)
{
	const int	rc = hostfs_rmdir(fs, e->path);

	return rc == EBUSY && e->done ? cgroup_end(fs, e->path) : rc;
}

static enum undo_verdict
undo_make(const struct hostfs *fs, const struct journal_entry *e)
{
	switch (remove_directory(fs, e)) {
	case 0:
		return UNDO_RESTORED;
	case ENOENT:
		return e->done ? UNDO_GONE : UNDO_UNCHANGED;
	default:
		return UNDO_FAILED;
	}
}

/*
 * A change with a "got" is Assay's while the file still reads that value.  A change without it was
 * interrupted: any value but the old one is then the kernel's form of the new one.
 */
static bool
is_ours(const struct journal_entry *e, const char *found)
{
	return e->act == JOURNAL_OWN || !e->done || strcmp(found, e->got) == 0;
}

static enum undo_verdict
undo_write(const struct hostfs *fs, const struct journal_entry *e, char found[HOSTFS_VALUE_BYTES])
{
	char	ours[HOSTFS_VALUE_BYTES];
	int	rc = hostfs_read(fs, e->path, found, HOSTFS_VALUE_BYTES);

	if (rc == ENOENT || rc == ENODEV)
		return UNDO_GONE;
	if (rc != 0)
		return UNDO_FAILED;
	if (strcmp(found, e->old) == 0) {
		if (!e->done)		/* an interrupted change may still take effect */
			(void)hostfs_write(fs, e->path, e->undo);
		return UNDO_UNCHANGED;
	}
	if (!is_ours(e, found))
		return UNDO_FOREIGN;
	(void)strcpy(ours, found);
	if (hostfs_write(fs, e->path, e->undo) != 0 ||
	    hostfs_read_back(fs, e->path, ours, e->old, found, HOSTFS_VALUE_BYTES) != 0 ||
	    strcmp(found, e->old) != 0)
		return UNDO_FAILED;
	return UNDO_RESTORED;
}

unsigned
undo_since(const struct hostfs *fs, const struct journal *j, size_t from, undo_fn *fn, void *arg)
{
	unsigned	failed = 0;

	for (size_t i = j->n; i-- > from;) {
		const struct journal_entry	*e = &j->entries[i];
		char				 found[HOSTFS_VALUE_BYTES] = "";
		enum undo_verdict		 v = e->act == JOURNAL_MAKE ? undo_make(fs, e) :
		    undo_write(fs, e, found);

		failed += v == UNDO_FAILED;
		if (fn != NULL)
			fn(arg, e, v, found);
	}
	return failed;
}

enum status
undo_directory(const struct hostfs *fs, const char *dir, undo_fn *fn, void *arg,
    struct fault *why)
{
	struct journal	 j = { .fd = -1 };
	char		 boot[64];
	enum status	 st;
	unsigned	 failed;

	if ((st = site_boot_id(fs, boot, sizeof boot, why)) != ST_OK)
		return st;
	st = journal_load(&j, dir, boot, why);
	if (st != ST_OK && st != ST_NOT_FOUND)
		return st;
	failed = undo_since(fs, &j, 0, fn, arg);
	st = failed == 0 ? journal_remove(&j, why) :
	    fault_set(why, ST_IO, "%u change%s could not be undone; %s is kept", failed,
	    failed == 1 ? "" : "s", j.path);
	journal_release(&j);
	return st;
}
