/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_LAUNCH_CORE_SWEEP_H
#define ASSAY_CLIENT_CMD_LAUNCH_CORE_SWEEP_H

#include "client/cmd/launch/rows.h"

/*
 * A sweep over numbers of cores (MicroTools, section 5.2.1 and Figure 14): how much longer a kernel
 * takes beside copies of itself, and from how many on memory gives no more.
 */
struct core_point {
	int64_t	 copies;
	double	 value;			/* median of the cores, in the rows' unit */
	double	 least, most;		/* of a core */
	double	 times;			/* the work done in a time, relative to the first point's */
};

struct core_curve {
	const char		*kernel;	/* borrowed from the rows */
	double			 n;		/* elements */
	struct core_point	*at;		/* owned; npoints */
	size_t			 npoints;
	/* least copies that do 95 % of the most work; 0: none but the most */
	int64_t			 knee;
};
#define CORE_SWEEP_SATURATED	0.95

struct core_sweep {
	struct core_curve	*at;		/* owned; n */
	size_t			 n;
};

/* A curve for each kernel and size, of rows that are settled; those without a time are left out. */
enum status	 core_sweep_of(struct core_sweep *, const struct launch_rows *, struct fault *);
void		 core_sweep_release(struct core_sweep *);
enum status	 core_sweep_print(const struct core_sweep *, const char *unit, FILE *,
		    struct fault *);

#endif
