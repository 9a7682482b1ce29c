/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_CMD_LAUNCH_ROWS_H
#define ASSAY_CLIENT_CMD_LAUNCH_ROWS_H

#include <stdio.h>

#include "client/cmd/launch/launch.h"
#include "proto/wire/result.h"

/*
 * What a launch found: a row an experiment, or a core of several copies, with a value in one unit
 * and the value of each dimension.
 */
enum { LAUNCH_UNIT_BYTES = 24 };

struct launch_row {
	int64_t	 job;
	char	*kernel, *status, *note;	/* owned */
	int	 cpu;				/* -1: there is one copy */
	int64_t	 copies;			/* at once, this one included */
	/* of a generated program, its loads and stores in an iteration; 0: not known */
	int64_t	 unroll, accesses;
	bool	 is_real;		/* not generated: the routine of which programs are twins */
	json_t	*meta;			/* owned; of a generated program; NULL: it is none */
	const char *level;		/* static, of the caches; "": the size was given */
	bool	 is_base;		/* of a size that is subtracted from a larger one */
	/* borrowed from the rows: the same experiment at the next smaller size; NULL: none */
	const struct launch_row *base;
	double	 n;				/* elements */
	double	 khz;				/* of the clock, as asked; NaN: not */
	double	 offsets[SURVEY_MAX_ARRAYS];	/* NaN: not surveyed */
	double	 iterations;			/* of a call; NaN: not asked for */
	double	 value, min, max;		/* in the rows' unit; NaN: no time */
	double	 steady;			/* of a level: micro/steady.h; NaN: none */
	double	 metric;			/* of --evallib; NaN: none */
	char	*metric_unit;			/* owned; NULL: it has none */
	/* of --counters in their order, as the value is: of an iteration, a call or a sample */
	double	 counter[LAUNCH_COUNTERS];	/* NaN: absent */
	uint64_t samples;
	char	 unit[LAUNCH_UNIT_BYTES];	/* "ns", "cycles (pace)" */
	double	 in_ns;				/* of the unit */
};

struct launch_rows {
	const struct launch	*launch;	/* borrowed */
	struct launch_row	*at;		/* owned; n */
	size_t			 n, room;
	char			 sweep[256];	/* its name; of several sweeps the last one's */
};

void		 launch_rows_init(struct launch_rows *, const struct launch *);
void		 launch_rows_release(struct launch_rows *);
enum status	 launch_rows_add(struct launch_rows *, const struct result *, struct fault *);
/* All are there: in the order of their jobs, and in one unit, ns if some have no other. */
void		 launch_rows_settle(struct launch_rows *);
enum status	 launch_rows_table(const struct launch_rows *, FILE *, struct fault *);
void		 launch_rows_csv(const struct launch_rows *, FILE *);
/*
 * { sweep, rows }, an object each with what CSV has; numbers that are not known are null.  New
 * reference.
 */
json_t		*launch_rows_json(const struct launch_rows *);
/* Of the first that is not ok; else 0. */
int		 launch_rows_exit_code(const struct launch_rows *);

#endif
