/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_GATE_H
#define ASSAY_WORKER_GATE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The quiet-gate of one timing slot: what its canary (worker/rt/canary.h) takes when nobody disturbs it, and so which
 * samples were taken in quiet.  Lives as long as the slot.  Readings are ticks; they come from a process that runs
 * submitted code, so a base that nothing comes near any more is learnt anew.
 */
struct gate {
	double		 resolution_ticks;	/* of the canary's clock */
	uint64_t	 base_ticks;		/* the least of all readings; 0: none yet */
	uint64_t	 recent_ticks;		/* the least since the first barren job; 0: none yet */
	unsigned	 barren;		/* jobs in a row that waited in vain */
};

struct gate_reading {
	uint32_t	 before, after;		/* the sample between them */
};

#define GATE_TOLERANCE	1.06			/* of the base: beyond it the sample was not taken in quiet */
#define GATE_FINE	50.0			/* the base is at least so many steps of the clock, or no judge of 6 % */
enum { GATE_BARREN = 20 };			/* jobs in vain after which the base is not believed */

void		 gate_see(struct gate *, struct gate_reading);
double		 gate_ratio(const struct gate *, struct gate_reading);	/* mean of both ÷ base; 0: nothing to tell */
bool		 gate_is_quiet(const struct gate *, struct gate_reading);
bool		 gate_is_coarse(const struct gate *);

/* A job is over; helped: enough of its samples were quiet.  After many that had not enough the base is learnt anew. */
void		 gate_end(struct gate *, bool helped);

/* How much of a budget to spend on waiting for quiet: less while the jobs before waited in vain. */
uint64_t	 gate_patience(const struct gate *, uint64_t budget_ns);

#endif
