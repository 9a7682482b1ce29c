/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_QUIET_GATE_H
#define ASSAY_WORKER_QUIET_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "worker/quiet/rolling.h"

#define GATE_TOLERANCE	1.06			/* of the base, either way: beyond it the sample was not taken in quiet */
#define GATE_STEADY	1.04			/* the paces before and after a sample, one relative to the other */
#define GATE_CLOCK_NOISE 1.02
#define GATE_MEMORY_TOLERANCE 1.1
#define GATE_MEMORY_WORTH 0.6		/* by chance alone it is 0.5 */
#define GATE_FINE	50.0			/* steps of the clock that a reading is at least, to judge 6 % */
#define GATE_PURSE_NS	250000000u
enum {
	GATE_DOUBT	= 6,
	GATE_MEMORY_JOBS = 8,
	GATE_MEMORY_READINGS = 256,
	GATE_FIRST	= 64,			/* readings that are all remembered for long, to have some */
	GATE_SHARE	= 8,			/* one part in so many of the time that passes goes into the purse */
	GATE_RESTS	= 8,			/* readings at rest that tell the clock now */
	GATE_PACE_STEPS	= 25,			/* of the clock that a pace is at least */
};

/*
 * The quiet-gate of one timing slot: which samples were taken when nobody else used the core, and how slow its clock was.
 * Lives as long as the slot.  Readings are ticks; they come from a process that runs submitted code, and one too short to
 * be true is no reading.
 *
 * Two things make the canary slow, and they are told apart by the pace read beside it (worker/runner/sample/canary.h).  A neighbour on
 * the core's other thread takes issue slots: then the canary takes longer than its pace does, and the sample is loud.  That
 * proportion in quiet, the base, belongs to the core, whatever its clock: the fiftieth part of the readings of the last
 * seconds, or of the last quarter of an hour, is less.  So neither a neighbour who stays for minutes nor a lie is believed.
 *
 * A slow clock is no reason to wait, for it may stay slow for seconds, unless it changed in the midst of a sample.  Times are
 * normalised by it instead (worker/take/pace.h).  What a neighbour does to it is told by the pace at rest, before the routine runs,
 * relative to the best that was read so in the slot.
 *
 * Where there is no pace (a clock too coarse for it) the canary alone stands for both.
 * The memory canary drifts over minutes; its base is the tenth percentile of fewer readings.
 *
 * What the gate before it knew of the same slot it begins with, and believes as long as that one would have: after so
 * many readings, none of which was as low, it is forgotten, however many gates there were meanwhile.
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

struct gate_rest {
	uint64_t	 at_ns;
	uint32_t	 pace;
};

struct gate {
	double		 resolution_ticks;	/* of the canary's clock */
	uint32_t	 base;			/* of the canary in quiet, relative to the pace, times GATE_UNIT; 0: no reading yet */
	uint64_t	 readings;		/* long enough for the clock, in all */
	struct rolling	 recent, longer;	/* canary relative to pace, of the last seconds; of a quarter of an hour */
	uint64_t	 seen_ns, long_seen_ns;	/* when an order's readings were last remembered in these */
	uint64_t	 order_ns;		/* when the order at hand came */
	uint64_t	 met_ns;		/* when the last did that had a quiet reading; 0: none had */
	bool		 is_due, is_long_due;	/* those of the order at hand are to be */
	struct rolling	 rests;			/* paces at rest */
	struct gate_rest rest[GATE_RESTS];	/* the last of them, a ring */
	unsigned	 next_rest;
	unsigned	 barren;		/* jobs in a row that had too few quiet samples */
	unsigned	 doubt;			/* halvings of what a job may wait, up to GATE_DOUBT */
	uint64_t	 purse_ns;		/* what waiting may take now */
	uint64_t	 filled_ns;		/* the moment up to which the purse was filled; 0: never */
	struct gate_memory memory;
};

struct gate_reading {
	uint32_t	 before, after;		/* the sample between them */
	uint32_t	 pace_before, pace_after;	/* 0: there is none */
};

/* What is known of quiet: bases, and for how many readings more each stands. */
struct gate_quiet {
	struct rolling_kept canary;		/* relative to the pace, times GATE_UNIT; in ticks where none is */
	struct rolling_kept pace;			/* at rest, in ticks */
	struct rolling_kept memory;		/* canary, in ticks */
	unsigned	 memory_jobs;		/* as in struct gate_memory */
	double		 memory_worth;
};

#define GATE_UNIT	4096u
#define GATE_SLICE_NS	20000000u
#define GATE_LONG_NS	2000000000u
#define GATE_REST_NS	1000000000u		/* older readings at rest do not tell the clock now */

/* From one gate to the next of the same slot, which must not have had a reading yet. */
struct gate_quiet gate_known(const struct gate *);
void		 gate_begin(struct gate *, const struct gate_quiet *);

/* An object has been loaded, whose process read this pace at rest. */
void		 gate_rest(struct gate *, uint32_t pace, uint64_t now_ns);

/* An order's samples have come: look at the i-th of them. */
void		 gate_order(struct gate *, uint64_t now_ns);
void		 gate_see(struct gate *, uint32_t i, struct gate_reading);

bool		 gate_is_quiet(const struct gate *, struct gate_reading);
bool		 gate_is_coarse(const struct gate *);	/* no reading was long enough for the clock */
double		 gate_ratio(const struct gate *, struct gate_reading);	/* mean of both ÷ base; 0: nothing to tell */

/*
 * How slow the clock was, relative to the slot's best: beside a sample; and lately at rest (the least of the last loads, since
 * a core needs 0.7 ms to recover from wide vectors; 1 within 2 %, less than a step of most clocks).  0: nothing to tell.
 */
double		 gate_pace(const struct gate *, struct gate_reading);
double		 gate_clock(const struct gate *);
uint32_t	 gate_best_pace(const struct gate *);	/* at rest, in ticks; 0: nothing to tell */
uint64_t	 gate_base_ticks(const struct gate *);	/* of the canary in quiet at the slot's best clock; 0: no reading yet */

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
