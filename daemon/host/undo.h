/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOST_UNDO_H
#define ASSAY_DAEMON_HOST_UNDO_H

#include "daemon/host/journal.h"

/*
 * The journal backwards: each change that is still ours is taken back, everything else is left
 * alone.
 */
enum undo_verdict {
	UNDO_RESTORED,			/* it reads again what it read before us */
	UNDO_UNCHANGED,			/* it already does: never done, or undone before */
	UNDO_FOREIGN,			/* somebody else changed it after us: theirs */
	UNDO_GONE,			/* the thing itself is gone */
	UNDO_FAILED,			/* the kernel refuses; the journal must stay */
	UNDO_NVERDICTS
};

const char	*undo_verdict_word(enum undo_verdict);

typedef void	 undo_fn(void *arg, const struct journal_entry *, enum undo_verdict,
		    const char *found);

/* Entries from the last down to number `from`; fn may be NULL.  Returns how many failed. */
unsigned	 undo_since(const struct hostfs *, const struct journal *, size_t from,
		    undo_fn *, void *arg);

#endif
