/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_PLAN_TICK_H
#define ASSAY_WORKER_PLAN_TICK_H

#include <stdint.h>

#include "proto/spec/spec.h"

/*
 * The length of a clock's ticks.  A tick count is a difference of two integers and stays an integer
 * until here: counters have more digits than a double (Whaley and Castaldo, section 2.2).
 */
struct tick {
	enum clock_kind	 clock;		/* CLK_CYCLE, CLK_WALL or CLK_CPU */
	double		 hz;		/* ticks per second; the cycle counter's measured against
					 * CLOCK_MONOTONIC_RAW */
	double		 resolution_ns;	/* smallest difference other than 0 between two readings in
					 * a row */
	double		 overhead_ns;	/* what one reading takes, at the least */
};

/* The counter that a clock reads: "TSC", "CLOCK_MONOTONIC", … */
const char	*tick_counter(enum clock_kind);

/* Takes some 20 ms for the cycle counter, nothing for the others. */
struct tick	 tick_measure(enum clock_kind);
double		 tick_ns(const struct tick *, uint64_t ticks);

/* The rate from two pairs of readings. */
double		 tick_rate(uint64_t ticks_from, uint64_t ns_from, uint64_t ticks_to,
		    uint64_t ns_to);

#endif
