/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_RUNNER_METHOD_PROOF_H
#define ASSAY_WORKER_RUNNER_METHOD_PROOF_H

#include "worker/runner/method/timer.h"

#pragma GCC visibility push(hidden)

/*
 * Between the flush and the region, the routine is called to keep the core awake, and could read
 * the operands of the samples.  So now and then lines of the cold operands themselves are read in a
 * region's place, one after another.  No time is taken then, because the lines are warm afterwards.
 * Chance decides when the last of the routine's instructions is over: it cannot know.
 */
enum {
	RT_PROOF_CHANCE	= 4,		/* one time in so many: ten proofs beside 31 samples */
	RT_PROOF_LINES	= 8,		/* read in one proof, at most; the sentinel has so many */
	RT_PROOF_STEP	= 4,		/* lines of which one is read: no prefetcher brings one
					 * with another */
};

int		 rt_proof_is_due(void);

/* Look before a call of the region; the lines read and those found in a cache are added. */
void		 rt_proof_look(const struct rt_timer *, const struct runner_run *,
		    const uint32_t *walk, struct runner_sample *);

/* Read these lines, one after another: ticks. */
uint32_t	 rt_proof_read(const char *const *at, uint32_t n);

/*
 * Of `lines`, as many as were in a cache, if reading them took so long; the sentinel's readings are
 * the measure.
 */
uint32_t	 rt_proof_found(const struct runner_sentinel *, uint32_t lines, uint32_t ticks);

#pragma GCC visibility pop
#endif
