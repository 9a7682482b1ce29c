/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_QUIET_MEMORY_GATE_H
#define ASSAY_WORKER_QUIET_MEMORY_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "worker/quiet/rolling.h"

/*
 * The quiet-gate of a slot's memory.  It judges by the memory canary which samples were taken while
 * no one else used it (worker/runner/sample/canary.h).  It also learns whether rejecting the others
 * helps on this host.  The canary's time in quiet drifts over minutes: its base is the 10th
 * percentile of the last readings.
 */
#define MEMORY_GATE_TOLERANCE	1.1	/* of the base: beyond it the sample is loud */
#define MEMORY_GATE_WORTH	0.6	/* 0.5 is chance */
enum {
	MEMORY_GATE_JOBS	= 8,
	MEMORY_GATE_READINGS	= 256,
};

struct memory_gate {
	struct rolling	 readings;
	unsigned	 halvings;	/* of a job's patience; patience.h */
	unsigned	 jobs;		/* that it learnt from, up to MEMORY_GATE_JOBS */
	double		 worth;		/* of the last, how often a loud sample took longer */
};

/* A reading, in ticks of a clock with that resolution; one too short for it is none. */
void		 memory_gate_see(struct memory_gate *, double resolution_ticks, uint32_t ticks);

/* A reading's ratio to the base, 0 if either is missing; and was it quiet? ticks 0: no reading. */
double		 memory_gate_ratio(const struct memory_gate *, uint32_t ticks);
bool		 memory_gate_is_quiet(const struct memory_gate *, uint32_t ticks);
bool		 memory_gate_is_coarse(const struct memory_gate *);	/* no reading yet */

/* The part of a job's patience that may be spent on memory; afterwards: did that help? */
uint64_t	 memory_gate_patience(const struct memory_gate *, uint64_t patience_ns);
void		 memory_gate_end(struct memory_gate *, bool helped);

/*
 * In a job, a loud sample took longer than a quiet one in that share of cases.  The gate helps here
 * once some jobs had clearly more than half, as long as the last ones have.
 */
void		 memory_gate_learn(struct memory_gate *, double share);
bool		 memory_gate_helps(const struct memory_gate *);

/* From one gate to the next of the same slot. */
struct rolling_kept memory_gate_known(const struct memory_gate *);
void		 memory_gate_begin(struct memory_gate *, struct rolling_kept, unsigned jobs,
    double worth);

#endif
