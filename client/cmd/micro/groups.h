/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_MICRO_GROUPS_H
#define ASSAY_CLIENT_CMD_MICRO_GROUPS_H

#include <stdio.h>

#include "client/cmd/launch/rows.h"
#include "client/cmd/micro/levels.h"

/*
 * The least time of each group of programs with one unroll factor, by level of the caches
 * (MicroTools, section 5.1 and Figures 11 and 12): of an iteration in the steady state, and of a
 * load or store in it.
 */
enum { GROUPS_MAX = 256 };

struct group {
	int64_t	 unroll;
	double	 fastest[LEVELS];	/* of an iteration, with its part of the call's cost */
	double	 least[LEVELS];		/* of the fastest, steady: rows' unit; NaN: none */
	double	 each[LEVELS];		/* of one load or store; NaN: it has none */
};

/* Rows of a level that have no time. */
struct group_loss {
	size_t		 failed, left_out;	/* left_out: given up before they began */
	size_t		 timed;
	size_t		 unsteady;	/* each size has a time, and together they have none */
	size_t		 whole;		/* timed: steady times with the cost of a call in them */
	const char	*status, *note;		/* borrowed from the rows; of the first failed */
};

struct groups {
	struct group	 at[GROUPS_MAX];	/* by their factors */
	unsigned	 n;
	const char	*unit;			/* borrowed from the rows; "": nothing was timed */
	struct group_loss loss[LEVELS];
	size_t		 failed;		/* rows without a time */
};

/* Call: after steady_fill.  Rows of other sizes than the levels' are left out. */
void		 groups_of(struct groups *, const struct launch_rows *, const struct levels *);
/* A level without any time has a column of "-", and below the table its reason. */
enum status	 groups_print(const struct groups *, const struct levels *, FILE *, struct fault *);

#endif
