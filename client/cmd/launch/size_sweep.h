/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_LAUNCH_SIZE_SWEEP_H
#define ASSAY_CLIENT_CMD_LAUNCH_SIZE_SWEEP_H

#include "client/cmd/launch/rows.h"

/*
 * A sweep over sizes (MicroTools, section 2 and Figure 3): up to which one an iteration takes as
 * long as in the caches, and how much longer behind it.
 */
struct size_knee {
	const char	*kernel;	/* borrowed from the rows */
	double		 last;		/* size within SIZE_SWEEP_LEVEL of the least time */
	double		 next, times;	/* the size behind it, and its time by the least one */
	bool		 found;		/* false: the last one is the largest size */
};
#define SIZE_SWEEP_LEVEL	1.10

/* Of rows of one kernel by size, all with a time; n of at least 1. */
struct size_knee size_knee_of(const struct launch_row *const *by_size, size_t n);

/* A line for each kernel with three sizes or more; those without a time are left out. */
enum status	 size_sweep_print(const struct launch_rows *, FILE *, struct fault *);

#endif
