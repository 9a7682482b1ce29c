/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_CHAIN_DOUBLING_H
#define ASSAY_WORKER_CHAIN_DOUBLING_H

#include "worker/chain/link.h"

/*
 * The difference method (nanoBench; Abel and Reineke, ISPASS 2020): a sample is what a region of
 * twice the calls takes beyond one right before it, so what beginning and ending a region costs is
 * in neither.
 *
 * A link: each sample that is ordered becomes two orders of one region, and the reply has their
 * difference, 0 where the longer one took less.  What disturbed either disturbed the sample.
 */
struct doubling {
	struct link		 next;		/* takes the regions */
	struct bench_reply	 one;		/* of one region */
};

struct link	 doubling_link(struct doubling *);	/* borrows */

#endif
