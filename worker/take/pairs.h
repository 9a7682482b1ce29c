/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TAKE_PAIRS_H
#define ASSAY_WORKER_TAKE_PAIRS_H

#include "worker/take/paired.h"
#include "worker/take/take.h"

/*
 * Two variants that are alive at once, timed in turn, one sample an order: variant, against, against, variant (ABBA),
 * or the other way round (BAAB), by a coin for each two pairs.  To take_samples it is a runner whose every sample is a
 * pair: evidence is that of both, so a pair counts only if neither of its two was disturbed and both were quiet.  How
 * many pairs there shall be is looked up in them (worker/take/paired.h).
 */
enum pairs_side { PAIRS_VARIANT, PAIRS_AGAINST, PAIRS_SIDES };	/* also the lane that each is loaded on */

struct pairs {
	const struct contest	*rule;		/* borrowed */
	/* One order to one of the two; the answer's status is returned. */
	enum status		 (*run)(void *arg, enum pairs_side, const struct runner_run *, struct bench_reply *);
	struct take_runner	 base;		/* what else a runner does; its arg is also that of `run` */
	uint64_t		 half_way;	/* calls to half of the working sets; 0: nothing walks */
	bool			 apart;		/* half_way has been gone */

	uint64_t		 seed;		/* of the coins: the moment at which it began */
	unsigned		 turn, looks;
	enum pairs_side		 ran;		/* that had the last order: the one to blame */
	struct bench_reply	 one;
};

struct pairs_end {
	struct paired	 found;			/* pairs 0: there were none */
	unsigned	 looks;
	const char	*by;			/* what ended it */
};

struct take_runner pairs_runner(struct pairs *);	/* borrows */

/* New children, or new working sets: they stand at the same place again. */
void		 pairs_reset(struct pairs *, uint64_t sets);

/* What the pairs that were kept say, with take_samples over.  ST_INTERNAL: no memory. */
enum status	 pairs_end(struct pairs *, const struct take *, struct pairs_end *);

#endif
