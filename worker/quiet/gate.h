/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_QUIET_GATE_H
#define ASSAY_WORKER_QUIET_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/wire/runner_shm.h"
#include "worker/quiet/memory_gate.h"
#include "worker/quiet/patience.h"
#include "worker/quiet/rolling.h"

/*
 * The quiet-gate of one timing slot: which samples were taken while no one else used the core, and
 * how slow its clock was.  It lives as long as the slot.  Beside it are the gate of the memory, and
 * the patience of the slot's jobs.  Readings are ticks.  They come from a process that runs
 * submitted code, and one too short to be true is no reading.
 *
 * Two things make the canary slow, and the pace read beside it separates them
 * (worker/runner/sample/canary.h).  A neighbour on the core's other thread takes issue slots: then
 * the canary takes longer than its pace does, and the sample is loud.  That proportion in quiet,
 * the base, belongs to the core, at any clock.  It is the 2nd percentile of the readings of the
 * last seconds, or of the last quarter of an hour if that is lower.  So neither a lie nor a
 * neighbour that stays for minutes is believed.
 *
 * A slow clock is no reason to wait, for it may stay slow for seconds, unless it changed in the
 * midst of a sample.  Times are normalised by it instead (worker/taken/pace.h).  The neighbour's
 * part of it is the pace at rest, before the routine runs, relative to the best such pace of the
 * slot.
 *
 * Where there is no pace (a clock too coarse for it) the canary alone stands for both.
 *
 * A gate begins with its predecessor's knowledge of the same slot.  It believes that for as many
 * readings as the predecessor would have, unless one is as low; then it forgets it.  The number of
 * gates meanwhile does not matter.
 */
#define GATE_TOLERANCE	1.06		/* of the base: beyond it the sample is loud */
#define GATE_STEADY	1.04		/* a pace before a sample to that after it, or vice versa */
#define GATE_CLOCK_NOISE 1.02		/* paces at rest of one clock differ by less */
#define GATE_FINE	50.0		/* steps of the clock in a reading, to judge 6 % */
#define GATE_UNIT	4096u		/* of the canary relative to the pace */
#define GATE_SLICE_NS	20000000u	/* between readings that are remembered for seconds, */
#define GATE_LONG_NS	2000000000u	/* and for a quarter of an hour */
#define GATE_REST_NS	1000000000u	/* older paces at rest do not show the clock now */
enum {
	GATE_FIRST	= 64,		/* first readings, all remembered for long */
	GATE_RESTS	= 8,		/* paces at rest that show the clock now */
	GATE_PACE_STEPS	= 25,		/* of the clock that a pace is at least */
};

struct gate_rest {
	uint64_t	 at_ns;
	uint32_t	 pace;
};

struct gate {
	double		 resolution_ticks;	/* of the canary's clock */
	uint32_t	 base;		/* canary to pace, in GATE_UNIT; 0: no reading yet */
	uint64_t	 readings;	/* long enough for the clock, in all */
	struct rolling	 recent, longer;	/* canary to pace: of seconds; of 15 minutes */
	uint64_t	 seen_ns, long_seen_ns;	/* when these last remembered an order's readings */
	uint64_t	 order_ns;	/* when the order at hand came */
	uint64_t	 met_ns;	/* when the last with a quiet reading did; 0: never */
	bool		 is_due, is_long_due;	/* is the order at hand to be remembered? */
	struct rolling	 rests;		/* paces at rest */
	struct gate_rest rest[GATE_RESTS];	/* the last of them, a ring */
	unsigned	 next_rest;
	struct memory_gate memory;
	struct patience	 patience;
};

/* Knowledge of quiet: bases, and for how many readings more each stands. */
struct gate_quiet {
	struct rolling_kept canary;	/* to pace, in GATE_UNIT; in ticks without one */
	struct rolling_kept pace;	/* at rest, in ticks */
	struct rolling_kept memory;	/* canary, in ticks */
};

/* From one gate to the next of the same slot, which must not have had a reading yet. */
struct gate_quiet gate_known(const struct gate *);
void		 gate_begin(struct gate *, const struct gate_quiet *);

/* An object has been loaded; its process read this pace at rest. */
void		 gate_rest(struct gate *, uint32_t pace, uint64_t now_ns);

/* An order's samples have come: look at the i-th of them, and at its memory canary. */
void		 gate_order(struct gate *, uint64_t now_ns);
void		 gate_see(struct gate *, uint32_t i, const struct runner_sample *);

bool		 gate_is_quiet(const struct gate *, const struct runner_sample *);
/* no reading was long enough for the clock */
bool		 gate_is_coarse(const struct gate *);

/* Mean of both canaries of a sample ÷ base; 0: not known. */
double		 gate_ratio(const struct gate *, const struct runner_sample *);

/*
 * Slowness of the clock, relative to the slot's best: beside a sample; and lately at rest.  At rest
 * it is the least of the last loads, because a core needs 0.7 ms to recover from wide vectors.
 * Within 2 %, less than a step of most clocks, it counts as 1.  0: not known.
 */
double		 gate_pace(const struct gate *, const struct runner_sample *);
double		 gate_clock(const struct gate *);
uint32_t	 gate_best_pace(const struct gate *);	/* at rest, in ticks; 0: not known */

/* Of the canary in quiet at the slot's best clock; 0: no reading yet. */
uint64_t	 gate_base_ticks(const struct gate *);

#endif
