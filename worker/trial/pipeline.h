/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TRIAL_PIPELINE_H
#define ASSAY_WORKER_TRIAL_PIPELINE_H

#include "worker/chain/bench_lane.h"
#include "worker/chain/doubling.h"
#include "worker/chain/pairs.h"
#include "worker/trust/job_audit.h"

/*
 * The way of an order, from the decision that samples are needed to the runner that takes them:
 *
 *	decision	worker/take/take.h: how many calls, how many samples, when it is enough.
 *			Asks for n samples of m calls, with the plan's flushes.
 *	samples		worker/chain/doubling.h: with timing.difference, each sample that is kept
 *			is two orders of one region, m and 2 m calls.
 *	pairs		worker/chain/pairs.h: where two variants are compared, each sample is one
 *			order to each of the two, in turn.
 *	run		worker/chain/bench_lane.h: the lane of a bench, where the variant is loaded;
 *			or an end that replays recorded samples.
 *
 * Each is a struct link (worker/chain/link.h): it has the next one, gives it orders, and answers
 * for it.  A link without work for a job is left out of the chain.  The order of a single job:
 *
 *	decision ► run		decision ► doubling ► run
 *
 * The order of a comparison:
 *
 *	                    ┌► run		(lane 0: the variant)
 *	decision ► pairs ───┤
 *	                    └► run		(lane 1: against)
 *
 * Audits of what is loaded come after the samples, on the same lanes.
 */
struct pipeline {
	struct bench_lane	 bench[PAIRS_SIDES];
	struct job_audit	 audit[PAIRS_SIDES];
	struct pairs		 pairs;
	struct doubling		 doubling;

	struct link		 lane[PAIRS_SIDES];	/* to one of the two */
	struct link		 orders;	/* to the variant, or to both in turn */
	struct link		 samples;	/* the same, where samples are kept */
};

/*
 * For a job; audits that an earlier one left are over.  `end`: the last link of each lane.
 */
void	 pipeline_build(struct pipeline *, const struct link end[PAIRS_SIDES], const struct job *);

/* The same, to the lanes of a bench; orders are over at *deadline_ns.  Borrows both. */
void	 pipeline_build_on(struct pipeline *, struct bench *, const uint64_t *deadline_ns,
	    const struct job *);

void	 pipeline_end_audits(struct pipeline *);	/* harmless where there are none */

#endif
