/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TUNE_FINISH_H
#define ASSAY_CLIENT_TUNE_FINISH_H

#include "client/print/progress.h"
#include "client/tune/tuner.h"

/*
 * The end of a search: in each cell the fastest are timed in turn (client/search/confirm.h), since
 * the least of many noisy times is partly luck.
 */
struct finish {
	size_t	 winner[FIELD_MAX_CELLS];	/* place in the ledger, in each cell; n: none */
	json_t	*confirmed[FIELD_MAX_CELLS];	/* owned; confirm_outcome; NULL: not confirmed */
	size_t	 overall;			/* by value, or the only cell's winner; n: none */
};

/* top < 2, or several cells that share one winner: nothing is timed. */
enum status	 finish_search(struct finish *, const struct tuner *, size_t top, double error,
		    struct progress *, struct fault *);
void		 finish_release(struct finish *);		/* zeroed memory is fine */

/*
 * The whole outcome: { name, strategy, seed, end, objective, dimensions, front, over,
 * evaluations, timed, stopped, failed, cells, winner, winners, records }.  New reference.
 */
json_t		*finish_document(const struct finish *, const struct tuner *, const json_t *head);

/* Numbers of points: timed, stopped early, failed. */
struct tally {
	size_t	timed, stopped, failed;
};
struct tally	 finish_tally(const struct tuner *);

#endif
