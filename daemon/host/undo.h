/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOST_UNDO_H
#define ASSAY_DAEMON_HOST_UNDO_H

#include "daemon/host/journal.h"

/* Undoes the journal, last change first.  Files that others have changed since are left alone. */
enum undo_verdict {
	UNDO_RESTORED,			/* it has its old value again */
	UNDO_UNCHANGED,			/* it had its old value: never changed, or undone before */
	UNDO_FOREIGN,			/* others have changed it since: left alone */
	UNDO_GONE,			/* the file is gone */
	UNDO_FAILED,			/* the kernel refuses; the journal must stay */
	UNDO_NVERDICTS
};

const char	*undo_verdict_word(enum undo_verdict);

typedef void	 undo_fn(void *arg, const struct journal_entry *, enum undo_verdict,
		    const char *found);

/* Entries from the last down to number `from`; fn may be NULL.  Returns the number of failures. */
unsigned	 undo_since(const struct hostfs *, const struct journal *, size_t from,
		    undo_fn *, void *arg);

/* All of the journal in `dir`, which is then removed; ST_OK if there is none.  ST_IO: it stays. */
enum status	 undo_directory(const struct hostfs *, const char *dir, undo_fn *, void *arg,
		    struct fault *);

#endif
