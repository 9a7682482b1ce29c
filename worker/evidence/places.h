/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_EVIDENCE_PLACES_H
#define ASSAY_WORKER_EVIDENCE_PLACES_H

#include <stdbool.h>

#include "proto/wire/runner_shm.h"

/*
 * Where lines of an operand were, by the times of reading them.  Places overlap: a coarse clock
 * gives one time for the first cache and the second.  So the shares are the most likely mixture of
 * the readings of known places (expectation maximisation).  A state is not what was asked only if
 * that mixture is much more likely than any with most lines in place.  Pure.
 */
struct places {
	unsigned	 read;			/* readings; each of a line or of a chain */
	double		 share[RUNNER_NLEVELS];	/* they add up to 1, or to 0 if nothing is known */
};

struct places	 places_of(const struct runner_proof *, unsigned operand);

/* `asked`: bits of the levels where it should be. */
bool		 places_are_wrong(const struct runner_proof *, unsigned operand, unsigned asked);

/* Shares before and behind all of these levels. */
double		 places_nearer(const struct places *, unsigned asked);
double		 places_farther(const struct places *, unsigned asked);

/* So many may be nearer than memory: brought by prefetchers. */
#define PLACES_BROUGHT	0.25
/* So many may have left a cache: other work of the host, even on the same core, drives them out. */
#define PLACES_DRIVEN	0.5
#define PLACES_SIGMA	4.0	/* standard deviations beyond that are no chance */

#endif
