/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_STORE_STORE_PRUNE_H
#define ASSAY_DAEMON_STORE_STORE_PRUNE_H

#include "daemon/store/store.h"

/*
 * Old results are removed with their jobs, and with sweeps and specs of which no job is left.  The
 * counters of the whole database stay, and no number is given again.
 */
struct prune {
	double		 before;	/* results that finished earlier; seconds since the epoch */
	int64_t		 newest;	/* and up to this cursor */
	int64_t		 sweep_id;	/* 0: any */
	int64_t		 submitter;	/* -1: any */
	double		 at_finished;	/* how far it is */
	int64_t		 at_cursor;
	int64_t		 results, sweeps, specs;	/* removed so far */
	bool		 is_over;
};

/* The next ones, in the open group. */
enum status	 store_prune_slice(struct store *, struct prune *, uint64_t slice_ns,
		    struct fault *);
/* Sets results to the number that would be removed; for a reader. */
enum status	 store_prune_count(struct store *, struct prune *, struct fault *);

#endif
