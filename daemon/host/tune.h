/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_HOST_TUNE_H
#define ASSAY_DAEMON_HOST_TUNE_H

#include "daemon/host/partition.h"
#include "daemon/host/undo.h"

/*
 * Everything at once: take a host's timing CPUs for timing, and give them back.
 *
 * In this order: what the kernel takes back by itself, the partition, what concerns only our CPUs,
 * and with tune = yes what concerns the whole host.  One assay-hostd per host may hold it (a lock
 * that dies with its process); the journal outlives it.
 */
struct tune_order {
	const char		*run_dir;	/* a real path; the lock and the journal live there */
	bool			 tune;		/* knobs of scope KNOB_GLOBAL too */
	struct partition_order	 partition;
};

struct tune {
	int			 lock_fd;	/* -1: not held */
	int			 latency_fd;	/* -1: not held */
	unsigned		 count[KNOB_NSTATUS];
	struct partition_outcome partition;	/* status KNOB_ABSENT and "none" when none was asked
						 * for */
};

/* Each knob as it ended up, as soon as it is known. */
typedef void	 tune_fn(void *arg, const struct knob *);

/*
 * ST_CONFLICT: held by another, or a journal of this boot is to be restored first; ST_BAD_REQUEST:
 * these CPUs cannot be taken.  A knob that cannot be set is no failure.  On any other failure
 * everything is undone.
 */
enum status	 tune_apply(struct tune *, const struct site *, const struct tune_order *,
		    tune_fn *, void *arg, struct fault *);

/*
 * Undo what the journal in run_dir tells; ST_OK when there is none.  `held`: the tune_apply that
 * holds the host, to be let go afterwards; NULL: nobody's (ST_CONFLICT when somebody does hold it).
 * ST_IO: something could not be undone, the journal stays. fn may be NULL.
 */
enum status	 tune_restore(struct tune *held, const struct hostfs *, const char *run_dir,
		    undo_fn *, void *arg, struct fault *);

void		 tune_init(struct tune *);

#endif
