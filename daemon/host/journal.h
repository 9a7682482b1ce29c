/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOST_JOURNAL_H
#define ASSAY_DAEMON_HOST_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "daemon/host/hostfs.h"
#include "proto/base/fault.h"

/*
 * What was changed on this host, written down before each change, so that all of it can be undone
 * whatever dies in between.  One file, in the runtime directory, good for one boot: a reboot resets
 * what it speaks of.
 *
 * Format 1: lines of words separated by a tab; a word is "=" and its bytes, with %XX for what is not printable ASCII,
 * for "%", and for a tab.  A line without its newline was never finished and does not count.
 *	assay-host	1	BOOT
 *	write|own|make	N	NAME	PATH	OLD	NEW	UNDO	about to change PATH from OLD by writing NEW;
 *								UNDO, written, takes it back
 *	got	N	VALUE				change N is done, and the kernel reads back VALUE
 * A change that has no "got" may or may not have happened; only the last one can be like that.
 */
enum journal_act {
	JOURNAL_WRITE,			/* undone only while PATH still reads VALUE: else somebody
					 * else has changed it */
	JOURNAL_OWN,			/* a file in a directory that we made: ours whatever it
					 * reads */
	JOURNAL_MAKE,			/* a directory made; undone by rmdir */
	JOURNAL_NACTS
};

struct journal_entry {
	enum journal_act	 act;
	bool			 done;			/* has a "got" */
	char			*name, *path, *old, *new_value, *undo, *got;	/* owned; got NULL unless done */
};

struct journal {
	int			 fd;			/* -1: read only */
	char			 path[HOSTFS_PATH_BYTES];
	struct journal_entry	*entries;		/* owned; in the order of the changes */
	size_t			 n;
};

/*
 * Start one in directory `dir` (a real path).  ST_CONFLICT: there is one of this boot, to be
 * restored first.  One of another boot is discarded.
 */
enum status	 journal_begin(struct journal *, const char *dir, const char *boot, struct fault *);

/* Read the one that is there.  ST_NOT_FOUND: none of this boot; ST_IO: unreadable. */
enum status	 journal_load(struct journal *, const char *dir, const char *boot, struct fault *);

/* On disk when it returns ST_OK; only then may the change be made. */
enum status	 journal_intend(struct journal *, enum journal_act, const char *name,
		    const char *path, const char *old, const char *new_value, const char *undo,
		    struct fault *);
enum status	 journal_got(struct journal *, const char *value, struct fault *);	/* of the last change */

const struct journal_entry	*journal_find(const struct journal *, const char *path);	/* the last; NULL: none */

enum status	 journal_remove(struct journal *, struct fault *);	/* all is undone; still to be released */
void		 journal_release(struct journal *);			/* the file stays */

#endif
