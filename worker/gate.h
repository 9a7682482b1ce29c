/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_GATE_H
#define ASSAY_WORKER_GATE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What the slot's memory canary takes in quiet.  That drifts over minutes, so the base is a rolling 10th percentile: a drift
 * is followed, a burst does not lift it, and readings forged too low are forgotten with the others.
 */
enum { GATE_MEMORY_READINGS = 256 };
struct gate_memory {
	uint32_t	 recent[GATE_MEMORY_READINGS];	/* a ring */
	uint32_t	 sorted[GATE_MEMORY_READINGS];	/* the same */
	unsigned	 readings, next;		/* how many; the oldest once there are as many as fit */
	unsigned	 doubt;				/* as in struct gate, of what is waited for memory */
	unsigned	 jobs;				/* that told what it was worth, up to GATE_MEMORY_JOBS */
	double		 worth;				/* of the last of them: how often a loud sample took longer */
};

/*
 * The quiet-gate of one timing slot: what its canary (worker/rt/canary.h) takes when nobody disturbs it, and so which
 * samples were taken in quiet.  Lives as long as the slot.  Readings are ticks; they come from a process that runs
 * submitted code, so a base that nothing comes near any more is learnt anew, and one too short to be true is no reading.
 *
 * Waiting for quiet that nobody asked for is paid from a purse: an eighth of the time that passes, 250 ms at most.
 * Of that a job may have all while waiting helps, and half as much after each that waited in vain, down to a 64th.
 */
struct gate {
	double		 resolution_ticks;	/* of the canary's clock */
	uint64_t	 base_ticks;		/* the least of all readings; 0: none yet */
	uint64_t	 readings;		/* long enough for the clock, of which the base was the least */
	uint64_t	 recent_ticks;		/* the least since the first barren job; 0: none yet */
	unsigned	 barren;		/* jobs in a row that had too few quiet samples */
	unsigned	 doubt;			/* halvings of what a job may wait, up to GATE_DOUBT */
	uint64_t	 purse_ns;		/* what waiting may take now */
	uint64_t	 filled_ns;		/* the moment up to which the purse was filled; 0: never */
	struct gate_memory memory;
};

struct gate_reading {
	uint32_t	 before, after;		/* the sample between them */
};

#define GATE_TOLERANCE	1.06			/* of the base: beyond it the sample was not taken in quiet */
#define GATE_MEMORY_TOLERANCE 1.1
#define GATE_MEMORY_WORTH 0.6		/* by chance alone it is 0.5 */
#define GATE_FINE	50.0			/* steps of the clock that a reading is at least, to judge 6 % */
#define GATE_PURSE_NS	250000000u
enum {
	GATE_BARREN	= 20,			/* jobs in vain after which the base is not believed */
	GATE_DOUBT	= 6,
	GATE_MEMORY_JOBS = 8,
	GATE_SHARE	= 8,			/* one part in so many of the time that passes goes into the purse */
};

void		 gate_see(struct gate *, struct gate_reading);
double		 gate_ratio(const struct gate *, struct gate_reading);	/* mean of both ÷ base; 0: nothing to tell */
bool		 gate_is_quiet(const struct gate *, struct gate_reading);
bool		 gate_is_coarse(const struct gate *);	/* no reading was long enough for the clock */

/* How long a job that did not say may wait for quiet, now. */
uint64_t	 gate_patience(struct gate *, uint64_t now_ns);

/*
 * A job is over.  helped: enough of its samples were quiet.  spent_ns: what it took from the purse for that.  After many
 * jobs that had not enough the base is learnt anew.
 */
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
 * In a job, a sample found loud by memory took longer than one found quiet in so large a share of cases.  After some jobs
 * with hardly more than half the memory canary does not help here, until later ones say otherwise.
 */
void		 gate_memory_learn(struct gate *, double share);
bool		 gate_memory_helps(const struct gate *);

#endif
