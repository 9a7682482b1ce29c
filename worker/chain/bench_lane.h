/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_CHAIN_BENCH_LANE_H
#define ASSAY_WORKER_CHAIN_BENCH_LANE_H

#include "worker/chain/link.h"

/* The last link: orders to what is loaded on one lane of a bench. */
struct bench_lane {
	struct bench	*bench;			/* borrowed */
	unsigned	 lane;
	const uint64_t	*deadline_ns;		/* of orders to come; borrowed */
};

struct link	 bench_lane_link(struct bench_lane *);	/* borrows */

#endif
