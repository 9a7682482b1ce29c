/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOST_KNOB_H
#define ASSAY_DAEMON_HOST_KNOB_H

#include "daemon/host/journal.h"
#include "daemon/host/site.h"

/*
 * The one table of what a kernel can be told so that timing CPUs are left in peace: where each knob
 * is, what is wanted of it, and what a person can do who wants it too.  Order is the order of
 * application; undoing goes backwards.
 */
enum knob_status {
	KNOB_ALREADY,			/* it was as wanted */
	KNOB_SET,			/* it is as wanted because we set it, and it is in the
					 * journal */
	KNOB_NOT_TAKEN,			/* not as wanted: nobody set it, or what was written did not
					 * stick */
	KNOB_ABSENT,			/* this host has no such thing */
	KNOB_DENIED,			/* we may not */
	KNOB_REJECTED,			/* the kernel refuses the value, now or always */
	KNOB_FOREIGN,			/* somebody else changed it after us */
	KNOB_NSTATUS
};

enum knob_scope {
	KNOB_HELD  = 1,			/* ours while we hold a descriptor: the kernel takes it back
					 * by itself */
	KNOB_NARROW = 2,		/* concerns only what reaches our CPUs */
	KNOB_GLOBAL = 4,		/* concerns everybody on this host: only when the operator
					 * says tune = yes */
	KNOB_REPORT = 8,		/* only looked at */
};

enum knob_form {			/* when a value counts as the wanted one */
	KNOB_TEXT,			/* equal */
	KNOB_MASK,			/* the same set, written as a mask */
	KNOB_LIST,			/* the same set, written as a list */
	KNOB_COVERS,			/* a list that has at least these CPUs */
	KNOB_BRACKET,			/* "always [madvise] never": the one in brackets */
};

struct knob_def;

struct knob {
	const struct knob_def	*def;				/* static */
	char			 path[HOSTFS_PATH_BYTES];	/* where none matches: the pattern */
	char			 found[HOSTFS_VALUE_BYTES];
	char			 wanted[HOSTFS_VALUE_BYTES];
	enum knob_status	 status;
};

const char	*knob_status_word(enum knob_status);	/* "already", "set", "not_taken", … */
enum knob_status knob_status_of_errno(int error);	/* of a refused read or write */
const char	*knob_name(const struct knob *);
const char	*knob_remedy(const struct knob *);	/* one sentence; never empty */
enum knob_scope	 knob_scope(const struct knob *);
bool		 knob_is_host_wide_state(const struct knob *);	/* stays put between two looks: fit
								 * for a hash */

/*
 * Each knob of these scopes (or'ed) in the table's order, looked at just before the call: what an
 * earlier one changed is seen.  One that this host lacks comes once, as absent.  Stops when fn does
 * not return ST_OK, and returns that.
 */
typedef enum status	 knob_fn(void *arg, struct knob *);
enum status		 knob_each(const struct site *, unsigned scopes, knob_fn *, void *arg);

/*
 * Bring a knob that is not_taken to what is wanted: journal, write, read back; what did not stick
 * is put back at once.  Sets its status and found.  Fails only when the journal does: then nothing
 * was written.
 */
enum status	 knob_apply(const struct site *, struct knob *, struct journal *, struct fault *);

/*
 * Hold CPUs out of deep idle states while *fd is open; -1 and the reason in the knob's status where
 * it cannot be done.
 */
void		 knob_hold_latency(const struct site *, struct knob *, int *fd);

#endif
