/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_SEARCH_GROUPS_H
#define ASSAY_CLIENT_SEARCH_GROUPS_H

#include <jansson.h>

#include "proto/base/fault.h"

/*
 * Calls of a routine that were timed in its application, in the order in which they were made, sorted into contexts:
 * the early ones, whose operands came from memory, and the late ones, which found them in cache (as the paper on
 * POET's timers sorts the calls of mult_su3_vec, section 5.4).  The split is the one with the least scatter within
 * the groups, on the logarithm of the times; it stands only if the groups lie apart for certain.  Where there is
 * none, the first calls are still a group if they lie apart from the median of all.  Pure.
 */
enum group_kind { GROUP_ALL, GROUP_EARLY, GROUP_LATE, GROUP_SLOW, GROUP_FAST, GROUP_NKINDS };

struct group {
	enum group_kind	 kind;
	size_t		 calls;
	double		 median_ns, min_ns;
};

struct groups {
	struct group	 group[2];		/* early and late; slow and fast, when they alternate; or all */
	size_t		 n;
	size_t		 set_aside;		/* calls slower than their group for no reason of the context */
};

#define GROUPS_APART	1.15		/* medians of two groups differ by this factor at least */
#define GROUPS_SPREADS	4.0		/* and by so many times the spread within (1.4826 x the median deviation) */
enum { GROUPS_LEAST_CALLS = 4, GROUPS_RARE = 10 };

/*
 * ns[n], all positive.  A slow call that is not among the first is set aside where there are no more of its kind than
 * one in GROUPS_RARE: something else ran then.  ST_BAD_REQUEST: fewer than GROUPS_LEAST_CALLS calls, or a time that is
 * none.  ST_NOMEM.
 */
enum status	 groups_split(struct groups *, const double *ns, size_t n, struct fault *);
const char	*group_name(enum group_kind);		/* "all", "early", "late", "slow", "fast" */

/* "12.3us", "1.5 ms", "7" (nanoseconds) -> nanoseconds, > 0.  ST_BAD_REQUEST. */
enum status	 groups_time(const char *text, double *ns, struct fault *);
/*
 * The times in a file's text: a JSON array of numbers (nanoseconds) or strings, an object that has one as `calls_ns`,
 * or one time a line, with # comments.
 * *ns is owned by the caller.
 */
enum status	 groups_parse(const char *text, double **ns, size_t *n, struct fault *);

#endif
