/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOST_JOURNAL_H
#define ASSAY_DAEMON_HOST_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "daemon/host/hostfs.h"
#include "proto/base/fault.h"

/*
 * The changes of this host, each written down before it is made, so that all can be undone after
 * any crash.  One file, in the runtime directory, valid for one boot, because a reboot resets all
 * files in it.
 *
 * Format 1: lines of words separated by a tab.  A word is "=" and its bytes; %XX stands for "%" and
 * for all but printable ASCII.  A line without a newline is incomplete and does not count.
 *
 *	assay-host	1	BOOT
 *	write|own|make	N	NAME	PATH	OLD	NEW	UNDO
 *		NEW is about to be written to PATH, which has OLD.  Writing UNDO takes it back.
 *	got	N	VALUE
 *		change N is done, and the kernel reads back VALUE.
 *
 * A change without a "got" may or may not have happened; only the last change can lack it.  A NUL
 * anywhere means that the file is damaged, as after a power failure: it is refused.
 */
enum journal_act {
	JOURNAL_WRITE,	/* undone only while PATH still reads VALUE, else changed by others */
	/*
	 * Undone in any case: a file in a directory of JOURNAL_MAKE, or one that the kernel changes
	 * along with the file of the next JOURNAL_WRITE.
	 */
	JOURNAL_OWN,
	JOURNAL_MAKE,			/* a new directory; undone by rmdir */
	JOURNAL_NACTS
};

struct journal_entry {
	enum journal_act	 act;
	bool			 done;			/* has a "got" */
	/* owned; got NULL unless done */
	char			*name, *path, *old, *new_value, *undo, *got;
};

struct journal {
	int			 fd;			/* -1: read only */
	char			 path[HOSTFS_PATH_BYTES];
	struct journal_entry	*entries;		/* owned; in the order of the changes */
	size_t			 n;
};

/*
 * Start a journal in directory `dir` (a real path).  ST_CONFLICT: a journal of this boot must be
 * restored first.  A journal of another boot is discarded.
 */
enum status	 journal_begin(struct journal *, const char *dir, const char *boot, struct fault *);

/* Read the journal in `dir`.  ST_NOT_FOUND: none of this boot; ST_IO: unreadable. */
enum status	 journal_load(struct journal *, const char *dir, const char *boot, struct fault *);

/* ST_OK: it is on disk.  Only then may the change be made. */
enum status	 journal_intend(struct journal *, enum journal_act, const char *name,
		    const char *path, const char *old, const char *new_value, const char *undo,
		    struct fault *);
/* Of the last change. */
enum status	 journal_got(struct journal *, const char *value, struct fault *);

/* The last one; NULL: none. */
const struct journal_entry	*journal_find(const struct journal *, const char *path);

/* After all is undone; the struct is still to be released. */
enum status	 journal_remove(struct journal *, struct fault *);
void		 journal_release(struct journal *);			/* the file stays */

#endif
