/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_PRINT_RESULTS_ROW_H
#define ASSAY_CLIENT_PRINT_RESULTS_ROW_H

#include "proto/wire/result.h"

/* A copy of a result's members for a line of a table.  Numbers that the result lacks are NaN. */
struct row {
	int64_t		 job;			/* 0: not known */
	enum status	 status;		/* ST_INTERNAL: an unknown word */
	char		*name, *sweep, *word;	/* owned, never NULL; word: the status */
	char		*point;			/* owned; "UNROLL=4" of its meta */
	char		*note;			/* owned; why it is not ok, or marks of its time */
	char		*estimator;		/* owned; of value_ns; "": none */
	char		*problem;		/* owned; its spec, in one form */
	json_t		*cell;			/* owned; params, context and paths of its spec */
	bool		 quick;			/* built for its answer alone */
	bool		 raced;			/* given up: it takes longer than bound_ns */
	double		 bound_ns;
	double		 value_ns, min_ns, median_ns, cv, mflops, gbs;
	double		 correction;		/* what ranks multiply its times by: for drift */
	double		 ci95_ns[2];		/* of the median as measured */
	double		 value_ci95_ns[2];	/* the same of samples as value_ns takes them */
};

bool		 row_init(struct row *, const struct result *);	/* false: out of memory */
void		 row_release(struct row *);
bool		 row_is_ranked(const struct row *);	/* ok, and timed whole */

/* The parameters of `meta` that the name does not have, as "UNROLL=4"; owned.  NULL: no memory. */
char		*row_point(const struct result *);
/* A value without quotes: a string, the values of a list with blanks between, or JSON; owned. */
char		*row_plain_value(const json_t *);
/* The first line with "error" in it, else the first line; owned.  NULL: no memory. */
char		*row_first_error(const char *text);

#endif
