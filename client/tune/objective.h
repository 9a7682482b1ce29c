/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_TUNE_OBJECTIVE_H
#define ASSAY_CLIENT_TUNE_OBJECTIVE_H

#include "client/tune/record.h"

/* What a search makes small. */
enum objective_of { OF_TIME, OF_CODE, OF_PARETO, OF_N };
enum objective_over { OVER_MEAN, OVER_WORST, OVER_EACH, OVER_N };

struct objective {
	enum objective_of	of;			/* OF_PARETO: time leads */
	enum objective_over	over;			/* several cells */
	double			base_ns[FIELD_MAX_CELLS];	/* of the first point that has
								 * times in all its cells; 0: none
								 * yet */
};

extern const char *const	objective_of_words[];		/* NULL at the end */
extern const char *const	objective_over_words[];		/* NULL at the end */

/*
 * The value of a record; INFINITY: it failed.  Of code its bytes.  In one cell its time in ns.
 * Over several, each time is divided by the first point's in that cell: then the value is the
 * geometric mean of the ratios, or the worst.  With a winner for each cell (OVER_EACH), the search
 * is led by the mean.
 */
double		 objective_value(struct objective *, const struct record *, const struct field *);

#endif
