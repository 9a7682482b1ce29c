/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TAKE_WARM_UP_H
#define ASSAY_WORKER_TAKE_WARM_UP_H

#include <stdbool.h>
#include <stdint.h>

/*
 * How many calls until a routine is warm?  On a cache that is not LRU a call does not leave all
 * that it touched, and the next ones are faster still.  So calls are taken until their times have
 * stopped falling.  Pure.
 */
enum {
	WARM_UP_LEAST	= 4,		/* calls in a row that are looked at */
	WARM_UP_FIRST	= 16,
	WARM_UP_MOST	= 128,
};
#define WARM_UP_NS	10000000u	/* for all of them, about */
#define WARM_UP_NEAR	1.03		/* times within are equal */

/* Calls to look at first; 0: one takes too long. */
unsigned	 warm_up_first(double call_ns);

/*
 * Of n calls in a row, WARM_UP_LEAST at least: so many came before the first one at the level of
 * the later half.  step: of the clock, in ticks.
 */
unsigned	 warm_up_calls(const uint64_t *ticks, unsigned n, uint64_t step);

/* The last quarter of them is still faster than the one before it. */
bool		 warm_up_still_falls(const uint64_t *ticks, unsigned n, uint64_t step);

#endif
