/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_SEARCH_FITTED_H
#define ASSAY_CLIENT_SEARCH_FITTED_H

#include <jansson.h>

#include "client/search/solve.h"
#include "client/search/states.h"

/*
 * The answer of a fit (client/search/fit.h): a context with the states of operands, and the times
 * that led to it.  A copy of the search at its end.
 */
struct fitted {
	enum solve_end		 end;		/* not SOLVE_GOES_ON */
	double			 asked_ns, band;
	bool			 by_bytes;	/* the context is a flush of solve's best size */
	const json_t		*turning;	/* borrowed from the fit; NULL: inputs as given */
	struct states		 states;	/* else the state is its best */
	struct solve		 solve;		/* n 0: no sizes were tried */
};

/* How far the answer can be believed. */
enum fitted_trust {
	FITTED_SURE,		/* of all that were timed only this state is within the band */
	FITTED_AMBIGUOUS,	/* others are, too */
	FITTED_NOISY,		/* warm times lie further apart than the band */
	FITTED_NONE		/* it is no hit */
};

double			 fitted_reached_ns(const struct fitted *);
double			 fitted_difference(const struct fitted *);	/* of it, relative */
enum fitted_trust	 fitted_trust(const struct fitted *);
/* "sure", "ambiguous", "noisy", "none" */
const char		*fitted_trust_name(enum fitted_trust);

/* "warm", "cold" or { flush_bytes }, for a spec.  New reference. */
json_t	*fitted_context(const struct fitted *);
/* { NAME: { cache, state, data } } to be put into a spec's args; may be empty.  New reference. */
json_t	*fitted_args(const struct fitted *);

/*
 * { asked_ns, outcome, context, args, reached_ns, difference, band, confidence, rivals, noise,
 * flat, warm_ns, cold_ns, flushed_ns, flushed_bytes, evaluations: [{ context, args, time_ns,
 * times }] }, outcome as solve_end_name has it.  New reference; NULL: no memory.
 */
json_t	*fitted_document(const struct fitted *);

#endif
