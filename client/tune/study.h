/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TUNE_STUDY_H
#define ASSAY_CLIENT_TUNE_STUDY_H

#include "client/tune/logbook.h"

/*
 * Strategies on a table of stored times: how near each comes to the optimum, without a machine.
 * Points that the table lacks are taken for left out.
 */
struct study {
	struct field	*field;		/* owned */
	double		*value;		/* owned; of each id; NaN: not in the table */
	size_t		 points;	/* in the table, failed ones included */
	double		 optimum;
};

enum { STUDY_MAX_STOPS = 8, STUDY_MAX_POINTS = 4000000 };

/* After so many evaluations: means over all seeds. */
struct studied {
	const char	*strategy;
	double		 ratio[STUDY_MAX_STOPS];	/* the best found to the optimum */
	double		 own_ms;			/* of the strategy's own, a point */
};

/* ST_BAD_SPEC: it is no whole table; the fault has the file's line. */
enum status	 study_open(struct study *, const struct logbook *, const char *path,
		    struct fault *);
void		 study_close(struct study *);		/* zeroed memory is fine */
enum status	 study_run(struct study *, const char *strategy, uint64_t seeds,
		    const uint64_t *stops, size_t nstops, struct studied *, struct fault *);

#endif
