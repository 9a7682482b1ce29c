/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_STORE_STORE_CORRECT_H
#define ASSAY_DAEMON_STORE_STORE_CORRECT_H

#include "daemon/store/drift.h"
#include "daemon/store/store.h"

/*
 * Corrected rankings.  A result of such a sweep has a row in `ranks`, from the transaction of the
 * result.  Its correction is known when the next yardstick has ended: that one's transaction
 * corrects the first results before it, and slices the others.  What is still to be done is in the
 * rows, so it goes on after a kill.
 */

/* Results wait for their slice. */
bool		 store_must_correct(struct store *);
/* For this long, but at least a few.  ST_UNAVAILABLE: the database is locked. */
enum status	 store_correct(struct store *, uint64_t slice_ns, struct fault *);

struct store_corrections {		/* of a sweep's timed results */
	int64_t		 n[CORRECTION_N];
	double		 least, most;	/* factors so far; NaN: none */
};
/* false: its ranking is not corrected. */
bool		 store_corrections(struct store *, int64_t sweep_id, struct store_corrections *);

#endif
