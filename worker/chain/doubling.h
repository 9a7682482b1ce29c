/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_CHAIN_DOUBLING_H
#define ASSAY_WORKER_CHAIN_DOUBLING_H

#include "worker/chain/link.h"

/*
 * The difference method (nanoBench; Abel and Reineke, ISPASS 2020).  A sample is the time of a
 * region less the time of one with half its calls, right before it.  So the cost of beginning and
 * ending a region cancels out.
 *
 * A link: each sample that is ordered becomes two orders of one region, and the reply has their
 * difference, 0 where the longer one took less.  A disturbance of either disturbs the sample.
 */
struct doubling {
	struct link		 next;		/* takes the regions */
	struct bench_reply	 one;		/* of one region */
};

struct link	 doubling_link(struct doubling *);	/* borrows */

#endif
