/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_CHAIN_PROGRAM_LANE_H
#define ASSAY_WORKER_CHAIN_PROGRAM_LANE_H

#include "worker/bench/program_bench.h"
#include "worker/chain/copies.h"

/*
 * The last link where the variant is a program: a sample is a run, and a region with an empty call
 * a run of the empty program.
 */
struct program_lane {
	struct program_bench	*bench;			/* owned */
	const uint64_t		*deadline_ns;		/* of orders to come; borrowed */
	enum clock_kind		 clock;
	unsigned		 copies;
	bool			 shares;	/* CPUs, among its own threads and processes */
	struct bench_reply	*each;		/* of each copy, at the order at hand; owned */

	/* of the runs that were samples, of all copies; owned */
	struct program_run	*run;
	size_t			 runs, room;
};

/* Takes the bench. */
enum status	 program_lane_begin(struct program_lane *, struct program_bench *,
		    const uint64_t *deadline_ns, const struct job *, struct fault *);
void		 program_lane_release(struct program_lane *);	/* harmless on zeroes */

struct link	 program_lane_link(struct program_lane *);	/* of one copy; borrows */
struct copies_source program_lane_copies(struct program_lane *);	/* borrows */

#endif
