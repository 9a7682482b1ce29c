/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOST_KNOB_H
#define ASSAY_DAEMON_HOST_KNOB_H

#include "daemon/host/journal.h"
#include "daemon/host/site.h"

/*
 * The one table of kernel settings that keep timing CPUs undisturbed: the place of each knob, the
 * wanted value, and a remedy for a person.  Knobs are applied in the table's order and undone
 * backwards.
 */
enum knob_status {
	KNOB_ALREADY,			/* had the wanted value before */
	KNOB_SET,	/* has the wanted value because assay-hostd set it; in the journal */
	KNOB_NOT_TAKEN,			/* does not have the wanted value: not set, or not taken */
	KNOB_ABSENT,			/* does not exist on this host */
	KNOB_DENIED,			/* no right to read or write it */
	KNOB_REJECTED,			/* the kernel refuses the value, now or always */
	KNOB_FOREIGN,			/* changed by others after assay-hostd */
	KNOB_NSTATUS
};

enum knob_scope {
	KNOB_HELD  = 1,	/* held by an open descriptor: the kernel takes it back by itself */
	KNOB_NARROW = 2,		/* affects the timing CPUs alone */
	KNOB_GLOBAL = 4,		/* affects the whole host: only with tune = yes */
	KNOB_REPORT = 8,		/* only looked at */
	/* of these, only knobs that are the same in two looks: none that comes and goes */
	KNOB_LASTING = 16,
};

enum knob_form {			/* how a value is compared with the wanted one */
	KNOB_TEXT,			/* equal */
	KNOB_MASK,			/* the same set, written as a mask */
	KNOB_LIST,			/* the same set, written as a list */
	KNOB_COVERS,			/* a list with at least these CPUs */
	KNOB_BRACKET,			/* "always [madvise] never": the one in brackets */
};

struct knob_def;

struct knob {
	const struct knob_def	*def;				/* static */
	char			 path[HOSTFS_PATH_BYTES];	/* if none matches, the pattern */
	char			 found[HOSTFS_VALUE_BYTES];
	char			 wanted[HOSTFS_VALUE_BYTES];
	enum knob_status	 status;
};

const char	*knob_status_word(enum knob_status);	/* "already", "set", "not_taken", … */
enum knob_status knob_status_of_errno(int error);	/* of a refused read or write */
const char	*knob_name(const struct knob *);
const char	*knob_remedy(const struct knob *);	/* one sentence; never empty */
enum knob_scope	 knob_scope(const struct knob *);

/*
 * Each knob of these scopes (or'ed) in the table's order, read just before the call, so that it
 * shows changes of an earlier knob.  A missing knob comes once, as absent.  Stops if fn does not
 * return ST_OK, and returns that.
 */
typedef enum status	 knob_fn(void *arg, struct knob *);
enum status		 knob_each(const struct site *, unsigned scopes, knob_fn *, void *arg);

/*
 * Give a knob in state not_taken the wanted value: journal, write, read back.  If the value was not
 * taken, the old one is put back at once.  Sets its status and found.  Fails only if the journal
 * does; then nothing was written.
 */
enum status	 knob_apply(const struct site *, struct knob *, struct journal *, struct fault *);

/*
 * Keep CPUs out of deep idle states while *fd is open.  If it cannot be done, *fd is -1 and the
 * knob's status has the reason.
 */
void		 knob_hold_latency(const struct site *, struct knob *, int *fd);

#endif
