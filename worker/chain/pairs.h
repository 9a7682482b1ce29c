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
enum pairs_side { PAIRS_VARIANT, PAIRS_AGAINST, PAIRS_SIDES };	/* also the lane of each */

struct pairs {
	struct link		 side[PAIRS_SIDES];	/* carries out orders to one of the two */
	uint64_t		 half_way;	/* calls to half of the working sets; 0: no walk */
	bool			 apart;		/* one side has gone half way */

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
