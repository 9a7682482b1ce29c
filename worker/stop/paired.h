/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_STOP_PAIRED_H
#define ASSAY_WORKER_STOP_PAIRED_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/base/fault.h"
#include "proto/spec/spec.h"

/*
 * Is B faster than A?  Decided on the ratios of samples taken in pairs, back to back, so that a
 * disturbance hits both.  Whaley and Castaldo (section 6) left it as future work.
 *
 * Pairs of the same two processes share what chance gave these: pages, places, lanes.  So a pair of
 * processes is the unit.  The pairs that it gave are a group, with the median of their ratios.  Of
 * equal variants a group's logarithm is as likely to err to either side, so the signed ranks of
 * the groups have an interval of which nothing else need be assumed (worker/stop/signed_rank.h).
 * It is looked at a few times while groups come in.  Each look spends an equal share of the error
 * (Bonferroni), so the chance of a wrong verdict holds for all together.
 */
enum verdict { VERDICT_FASTER, VERDICT_SLOWER, VERDICT_INDISTINGUISHABLE,
		    VERDICT_UNDECIDED, VERDICT_N };

struct paired_ratio {
	double		 ratio;			/* b / a */
	unsigned	 process;		/* equal in a group */
};

struct paired {
	size_t		 pairs, groups;
	double		 ratio;			/* of the groups: below 1, B is faster */
	double		 low, high;		/* its interval */
	bool		 has_interval;	/* false: too few groups for the confidence asked for */
	double		 within;	/* spread in a group, the median; NAN: single pairs */
	double		 between;	/* of the groups' medians; NAN: there is one */
	enum verdict	 verdict;		/* of B against A */
};

enum {
	PAIRED_FIRST	= 10,		/* groups at the first look */
	PAIRED_GROUP	= 4,		/* pairs of a group: loading costs as much as a few pairs */
};

/* Pairs of a group: fewer where few pairs are allowed, or one takes pair_ns. */
unsigned	 paired_group(unsigned max_pairs, uint64_t pair_ns);

/* Looks are taken at 10 groups, 20, 40 and so on, well below `most`, and at `most`. */
size_t		 paired_looks(unsigned most);
unsigned	 paired_next_look(unsigned groups, unsigned most);

/*
 * Look at n > 0 ratios, sorted by process; `looks` are possible.  FASTER and SLOWER: the interval
 * excludes 1, and the ratio is half a resolution from 1 or more.  INDISTINGUISHABLE: neither, and
 * it lies within 1 ± resolution.  `last`: no further look will come, so what would be UNDECIDED is
 * INDISTINGUISHABLE.  ST_NOMEM.
 */
enum status	 paired_look(const struct contest *, size_t looks, const struct paired_ratio *,
		    size_t n, bool last, struct paired *);

const char	*verdict_name(enum verdict);	/* "faster", "slower", "indistinguishable",
						 * "undecided" */

#endif
