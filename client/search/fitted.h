/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_SEARCH_FITTED_H
#define ASSAY_CLIENT_SEARCH_FITTED_H

#include <jansson.h>

#include "client/search/solve.h"

/* The answer of a fit (client/search/fit.h): a context, and the times that led to it. */
struct fitted {
	enum solve_end		 end;		/* not SOLVE_GOES_ON */
	double			 asked_ns, reached_ns, band;
	bool			 is_cold;	/* the context is "cold" */
	uint64_t		 flush_bytes;	/* else the context; 0: "warm" */
	double			 cold_ns;	/* in the cold context; NaN: not timed */
	size_t			 n;
	struct solve_point	 point[SOLVE_MAX_EVALUATIONS + 2];	/* warm first, ascending */
};

double	 fitted_difference(const struct fitted *);	/* of reached_ns from asked_ns, relative */

/* "warm", "cold" or { flush_bytes }, for a spec.  New reference. */
json_t	*fitted_context(const struct fitted *);

/*
 * { asked_ns, outcome, context, reached_ns, difference, band, warm_ns, flushed_ns, flushed_bytes,
 * cold_ns, evaluations: [{ flush_bytes, time_ns, times }] }, outcome as solve_end_name has it.  New
 * reference; NULL: no memory.
 */
json_t	*fitted_document(const struct fitted *);

#endif
