/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_SEARCH_WEIGHTED_H
#define ASSAY_CLIENT_SEARCH_WEIGHTED_H

#include "client/print/results/results.h"

/*
 * Variants that were timed in several contexts, ranked by one time: the mean over an application's
 * calls.  The weight of a context is how many of the calls are made in it, in any unit.  A variant
 * without an ok time in one of the contexts has no such mean, and is left out.  Pure.
 */
enum { WEIGHTED_CONTEXTS = 12 };

struct weighted_variant {
	char		*name, *binary;		/* owned */
	double		 ns[WEIGHTED_CONTEXTS];	/* NaN: none */
	double		 mean_ns;		/* once ranked; NaN: left out */
};

struct weighted {
	size_t			 contexts;
	double			 weight[WEIGHTED_CONTEXTS];
	struct weighted_variant	*variant;	/* owned; n; ranked ones first, the fastest first */
	size_t			 n, ranked;
	size_t			 missing[WEIGHTED_CONTEXTS];	/* variants without a time there */
};

/*
 * The results of a context; the same variant has the same name and binary in each.  Of several ok
 * results of one variant the last counts.  ST_NOMEM.
 */
enum status	 weighted_add(struct weighted *, size_t context, const struct results *,
		    struct fault *);
void		 weighted_rank(struct weighted *);
void		 weighted_release(struct weighted *);	/* zeroed memory is fine */

#endif
