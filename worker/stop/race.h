/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_STOP_RACE_H
#define ASSAY_WORKER_STOP_RACE_H

#include "worker/taken/taken.h"

/*
 * Giving a variant up as soon as it is surely slower than a time that its submitter knows.
 *
 * Of n units (worker/taken/units.h) the number at or below the median is binomial (n, 1/2) or more,
 * for any distribution, so an order statistic is a lower bound of the median (proto/base/rank.h).
 * All looks together may miss with RACE_MISS: by the n-th unit, RACE_MISS n / (n + 2) of that is
 * spent at most (Lan and DeMets, "Discrete sequential boundaries for clinical trials", Biometrika
 * 70, 1983).  What a look spends is the exact chance that a walk which no earlier look ended ends
 * there (Jennison and Turnbull, "Group Sequential Methods", 1999, chapter 12, on counts).  The
 * bound holds however often it is looked at: a look that is left out only spends less.
 * With RACE_MISS = 5 % the first bound is of five units, and is their least.
 */
#define RACE_MISS	0.05
enum { RACE_MOST = 256 };	/* units: with more, none is given up any more */

/* The 1-based rank of the unit that is the bound after n of them; 0: there is none yet. */
size_t		 race_rank(size_t n);

/*
 * With all shares of samples taken that were begun.  Units are of undisturbed, quiet samples only,
 * also once the canary was given up and others are kept.  true: it is given up; take->raced and
 * bound_ns say so, and no more samples are wanted.
 */
bool		 race_is_lost(const struct race *, struct take *, const struct plan *,
		    const struct gate *, const struct tick *);

#endif
