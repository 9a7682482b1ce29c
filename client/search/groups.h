/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_SEARCH_GROUPS_H
#define ASSAY_CLIENT_SEARCH_GROUPS_H

#include <stddef.h>

#include "proto/base/fault.h"

/*
 * An application's timed calls of a routine, sorted into contexts: the early calls, with operands
 * from memory, and the late ones, with operands in cache.  The paper on POET's timers (section 5.4)
 * sorts the calls of mult_su3_vec in this way.  Pure.
 *
 * The split is the one with the least scatter within the groups, on the logarithm of the times.  It
 * stands only if the groups certainly lie apart.  Otherwise the first calls are still a group if
 * they lie apart from the median of all.
 */
enum group_kind { GROUP_ALL, GROUP_EARLY, GROUP_LATE, GROUP_SLOW, GROUP_FAST, GROUP_NKINDS };

struct group {
	enum group_kind	 kind;
	size_t		 calls;
	double		 median_ns, min_ns;
	double		 share;		/* of the time of all calls that were not set aside */
};

struct groups {
	struct group	 group[2];	/* early, late; slow, fast if they alternate; or all */
	size_t		 n;
	size_t		 set_aside;	/* single slow calls, for another reason than the context */
};

/* Medians of two groups differ by this factor at least, and by so many times the spread within. */
#define GROUPS_APART	1.15
#define GROUPS_SPREADS	4.0		/* of 1.4826 times the median deviation */
enum { GROUPS_LEAST_CALLS = 4, GROUPS_RARE = 10 };

/*
 * ns[n], all positive, in the order of the calls.  A slow call that is not among the first ones is
 * set aside if at most one call in GROUPS_RARE is such: something else ran then.  ST_BAD_REQUEST:
 * fewer than GROUPS_LEAST_CALLS calls, or a number that is no time.  ST_NOMEM.
 */
enum status	 groups_split(struct groups *, const double *ns, size_t n, struct fault *);
const char	*group_name(enum group_kind);		/* "all", "early", "late", "slow", "fast" */

#endif
