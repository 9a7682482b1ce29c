/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_QUIET_MEMORY_GATE_H
#define ASSAY_WORKER_QUIET_MEMORY_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/wire/calibrated.h"
#include "worker/quiet/rolling.h"

/*
 * The quiet-gate of a slot's memory.  It judges by the memory canary which samples were taken while
 * no one else used it (worker/runner/sample/canary.h).
 *
 * A calibration of the host has read the canary and timed a cold kernel twice: at rest, and beside
 * a streamer of Assay's own on another CPU.  So the gate knows how loud sounds, and how much longer
 * a cold call takes then.  Without that it has a base, by which readings are reported, but judges
 * nothing: the 10th percentile of the last readings, which a lasting neighbour lifts.
 */
enum { MEMORY_GATE_READINGS = 256 };
/* Bounds of the limit for a sample's reading, relative to quiet: below is noise. */
#define MEMORY_GATE_LEAST	1.2
#define MEMORY_GATE_MOST	1.4
#define MEMORY_GATE_NOTED	1.15	/* a job's median reading from here on is worth a warning */

struct memory_gate {
	struct rolling	 readings;
	double		 quiet_ticks;	/* by calibration; 0: not known */
	double		 limit;		/* of a quiet reading, relative to quiet_ticks */
	double		 slope;		/* share that a cold call takes longer, of the canary's */
	unsigned	 halvings;	/* of a job's patience; patience.h */
};

/* As a calibration found it, for a clock of that rate; what is not known is 0. */
void		 memory_gate_calibrate(struct memory_gate *, const struct calibrated *, double hz);
bool		 memory_gate_is_calibrated(const struct memory_gate *);

/* A reading, in ticks of a clock with that resolution; one too short for it is none. */
void		 memory_gate_see(struct memory_gate *, double resolution_ticks, uint32_t ticks);

/* A reading's ratio to the base, 0 if either is missing; and was it quiet? ticks 0: no reading. */
double		 memory_gate_ratio(const struct memory_gate *, uint32_t ticks);
bool		 memory_gate_is_quiet(const struct memory_gate *, uint32_t ticks);
bool		 memory_gate_is_coarse(const struct memory_gate *);	/* no reading yet */
/* Beside readings of that ratio a cold call takes so much longer, relatively; 0: not noticeably. */
double		 memory_gate_longer(const struct memory_gate *, double ratio);

/* The part of a job's patience that may be spent on memory; afterwards: did that help? */
uint64_t	 memory_gate_patience(const struct memory_gate *, uint64_t patience_ns);
void		 memory_gate_end(struct memory_gate *, bool helped);

/* From one gate to the next of the same slot. */
struct rolling_kept memory_gate_known(const struct memory_gate *);
void		 memory_gate_begin(struct memory_gate *, struct rolling_kept);

#endif
