/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_TAKE_PAIRED_H
#define ASSAY_WORKER_TAKE_PAIRED_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/spec/spec.h"

/*
 * Is B faster than A?  Decided on the ratios of samples taken in pairs, back to back, so that a
 * disturbance hits both.  Whaley and Castaldo (section 6) left it as future work.  The interval of
 * the median ratio is the sign test's, so nothing is assumed of how times are distributed.  It is
 * looked at a few times while pairs come in.  Each look spends an equal share of the error
 * (Bonferroni), so the chance of a wrong verdict holds for all together.
 */
enum verdict { VERDICT_FASTER, VERDICT_SLOWER, VERDICT_INDISTINGUISHABLE,
		    VERDICT_UNDECIDED, VERDICT_N };

struct paired {
	size_t		 pairs;
	double		 ratio;			/* median of b / a: below 1, B is faster */
	double		 low, high;		/* interval of that median */
	bool		 has_interval;	/* false: too few pairs for the confidence asked for */
	enum verdict	 verdict;		/* of B against A */
};

/* Looks are taken at 11, 31, 61 and 101 pairs, those below max_pairs, and at max_pairs. */
size_t		 paired_looks(unsigned max_pairs);
/* The first above `pairs`; max_pairs at most. */
unsigned	 paired_next_look(unsigned pairs, unsigned max_pairs);

/*
 * Look at n > 0 ratios b / a, which are sorted in place.  INDISTINGUISHABLE: the interval lies
 * within 1 ± resolution; FASTER and SLOWER: it does not, it excludes 1, and the median is half a
 * resolution from 1 or more.  `last`: no further look will come, so what would be UNDECIDED is
 * INDISTINGUISHABLE.
 */
void		 paired_look(const struct contest *, double *ratio, size_t n, bool last,
		    struct paired *);

const char	*verdict_name(enum verdict);	/* "faster", "slower", "indistinguishable",
						 * "undecided" */

#endif
