/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_MICRO_TWIN_H
#define ASSAY_CLIENT_CMD_MICRO_TWIN_H

#include <stdio.h>

#include "client/cmd/launch/rows.h"

/*
 * A description as the twin of an application's routine (MicroTools, section 2 and Figure 5): does
 * the gain of unrolling that its programs show predict that of the routine?  Both are timed in one
 * sweep, with the same operands.
 */
enum { TWIN_PAIRS = 512 };

struct twin_pair {
	double	 n;			/* elements */
	int64_t	 unroll;
	double	 twin, real;		/* least time of a call, in the rows' unit; NaN: none */
	double	 predicted, found;	/* saved, of the time with the least factor; NaN: none */
};

struct twins {
	struct twin_pair	 at[TWIN_PAIRS];	/* by elements, then by factors */
	unsigned		 n;
	const char		*unit;			/* borrowed from the rows */
};

/*
 * Add to `programs`, variants with their factors in meta, the file's routine with each of these as
 * its macro UNROLL.
 */
enum status	 twin_add_routine(json_t *programs, const char *file, struct fault *);

void		 twins_of(struct twins *, const struct launch_rows *);
enum status	 twins_print(const struct twins *, FILE *, struct fault *);
/* A line for each of the routine's rows without a time, and one for all programs without. */
void		 twins_print_losses(const struct launch_rows *, FILE *);

#endif
