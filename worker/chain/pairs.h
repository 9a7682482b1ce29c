/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_CHAIN_PAIRS_H
#define ASSAY_WORKER_CHAIN_PAIRS_H

#include "worker/chain/link.h"

/*
 * Two variants that are alive at once, timed in turn, one sample an order: variant, against,
 * against, variant (ABBA), or the other way round (BAAB), by a coin for each two pairs.
 *
 * A link: each sample of an order is a pair.  Its evidence comes from both, so a pair counts only
 * if neither of its two was disturbed and both were quiet.
 */
enum pairs_side { PAIRS_VARIANT, PAIRS_AGAINST, PAIRS_SIDES };	/* also its lane, at first */

/*
 * Processes are the unit of chance: pages, places and lanes differ between two of them for as long
 * as they live.  So both are loaded anew from time to time, each on the other's lane then.
 */
struct pairs_loader {
	void		 (*drop)(void *arg);		/* both */
	/* as bench_load */
	enum status	 (*load)(void *arg, enum pairs_side, unsigned lane, struct bench_reply *);
	void		*arg;			/* borrowed */
};

struct pairs {
	struct link		 side[PAIRS_SIDES];	/* carries out orders to one of the two */
	struct pairs_loader	 loader;	/* load NULL: the same two to the end */
	bool			 is_stale;	/* both are loaded anew before the next pair */
	bool			 swapped;	/* each is on the other's lane */
	uint64_t		 half_way;	/* calls to half of the working sets; 0: no walk */
	bool			 has_begun[PAIRS_SIDES];	/* its present process has */
	uint64_t		 walked[PAIRS_SIDES];	/* calls of a walk, by all processes */
	uint64_t		 seen[PAIRS_SIDES];	/* sets that a process met, at most */

	uint64_t		 seed;		/* of the coins */
	unsigned		 turn;
	enum pairs_side		 ran;		/* side of the last order, to be blamed */
	struct bench_reply	 one;
};

struct link	 pairs_link(struct pairs *);	/* borrows */

/* From the first pair on; the seed is not known before. */
void		 pairs_begin(struct pairs *, uint64_t seed);

/* New children, or new working sets: they stand at the same place again. */
void		 pairs_reset(struct pairs *, uint64_t sets);

#endif
