/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_GATE_H
#define ASSAY_WORKER_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "worker/rolling.h"

#define GATE_TOLERANCE	1.06			/* of the base, either way: beyond it the sample was not taken in quiet */
#define GATE_OWN_CLOCK	1.2			/* of the slot's quiet: a job's own may be so much */
#define GATE_MEMORY_TOLERANCE 1.1
#define GATE_MEMORY_WORTH 0.6		/* by chance alone it is 0.5 */
#define GATE_FINE	50.0			/* steps of the clock that a reading is at least, to judge 6 % */
#define GATE_PURSE_NS	250000000u
enum {
	GATE_DOUBT	= 6,
	GATE_MEMORY_JOBS = 8,
	GATE_MEMORY_READINGS = 256,
	GATE_FIRST	= 64,			/* readings that are all remembered, to have some */
	GATE_SHARE	= 8,			/* one part in so many of the time that passes goes into the purse */
};

/*
 * The quiet-gate of one timing slot: what its canaries (worker/rt/canary.h) take when nobody disturbs them, and so which
 * samples were taken in quiet.  Lives as long as the slot.  Readings are ticks; they come from a process that runs
 * submitted code, and one too short to be true is no reading.
 *
 * Quiet is the fastest state that lasts: a tenth of a job's own readings, if that is not more than a fifth slower than a tenth
 * of the slot's of the last seconds (one sample's in 20 ms).  A core may be faster for moments; they would be waited for in vain, and
 * a sample beside a reading below quiet does not count either: it was taken with another clock.  Each job has its own because
 * a routine with wide vectors lowers the clock by itself, by some 15 %; a neighbour on the core's other thread costs more.
 * The memory canary drifts over minutes; its base is the tenth percentile of fewer readings.
 *
 * Waiting for quiet that nobody asked for is paid from a purse: an eighth of the time that passes, 250 ms at most.
 * Of that a job may have all while waiting helps, and half as much after each that waited in vain, down to a 64th.
 */
struct gate_memory {
	struct rolling	 readings;
	unsigned	 doubt;			/* as in struct gate, of what is waited for memory */
	unsigned	 jobs;			/* that told what it was worth, up to GATE_MEMORY_JOBS */
	double		 worth;			/* of the last of them: how often a loud sample took longer */
};

struct gate {
	double		 resolution_ticks;	/* of the canary's clock */
	uint64_t	 base_ticks;		/* of the throughput canary in quiet; 0: no reading yet */
	uint64_t	 readings;		/* long enough for the clock, in all */
	struct rolling	 recent, own;		/* the slot's; this job's */
	uint64_t	 seen_ns;		/* when an order's readings were last remembered */
	bool		 is_due;		/* those of the order at hand are to be */
	unsigned	 barren;		/* jobs in a row that had too few quiet samples */
	unsigned	 doubt;			/* halvings of what a job may wait, up to GATE_DOUBT */
	uint64_t	 purse_ns;		/* what waiting may take now */
	uint64_t	 filled_ns;		/* the moment up to which the purse was filled; 0: never */
	struct gate_memory memory;
};

struct gate_reading {
	uint32_t	 before, after;		/* the sample between them */
};

#define GATE_SLICE_NS	20000000u

/* A job begins. */
void		 gate_begin(struct gate *);

/* An order's samples have come.  Is the i-th of them one whose readings the slot remembers? */
void		 gate_order(struct gate *, uint64_t now_ns);
bool		 gate_wants(const struct gate *, uint32_t i);
void		 gate_see(struct gate *, struct gate_reading);			/* of this job */
void		 gate_remember(struct gate *, struct gate_reading);		/* for the slot */
double		 gate_ratio(const struct gate *, struct gate_reading);	/* mean of both ÷ base; 0: nothing to tell */
bool		 gate_is_quiet(const struct gate *, struct gate_reading);
bool		 gate_is_coarse(const struct gate *);	/* no reading was long enough for the clock */

/* How long a job that did not say may wait for quiet, now. */
uint64_t	 gate_patience(struct gate *, uint64_t now_ns);

/* A job is over.  helped: enough of its samples were quiet.  spent_ns: what it took from the purse for that. */
void		 gate_end(struct gate *, bool helped, uint64_t spent_ns);

/* The same of the memory canary's reading, in ticks; 0: none. */
void		 gate_see_memory(struct gate *, uint32_t ticks);
double		 gate_memory_ratio(const struct gate *, uint32_t ticks);	/* reading ÷ base; 0: nothing to tell */
bool		 gate_memory_is_quiet(const struct gate *, uint32_t ticks);
bool		 gate_memory_is_coarse(const struct gate *);

/* Of the patience that a job has, what it may wait for memory; and whether that helped. */
uint64_t	 gate_memory_patience(const struct gate *, uint64_t patience_ns);
void		 gate_memory_end(struct gate *, bool helped);

/*
 * In a job, a sample found loud by memory took longer than one found quiet in so large a share of cases.  The memory canary
 * helps here once some jobs had clearly more than half, as long as the last ones have.
 */
void		 gate_memory_learn(struct gate *, double share);
bool		 gate_memory_helps(const struct gate *);

#endif
