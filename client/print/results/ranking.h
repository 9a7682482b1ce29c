/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_PRINT_RESULTS_RANKING_H
#define ASSAY_CLIENT_PRINT_RESULTS_RANKING_H

#include <stddef.h>

#include "client/print/results/row.h"

/*
 * Times of several results beside each other.  All are estimated in one way: by the estimator that
 * their results share, or by the median of the samples as measured if they have several.
 */
struct ranking {
	const struct row *const	*rows;		/* borrowed; n */
	size_t			 n;
	bool			 is_mixed;	/* the ok rows have several estimators */
};

/* Sort: the ok rows first, the fastest at the top; then the others, by their jobs. */
void		 ranking_sort(const struct row **rows, size_t n);
void		 ranking_init(struct ranking *, const struct row *const *rows, size_t n);

/* The time as taken; NaN: the row is not ok. */
double		 ranking_taken_ns(const struct ranking *, const struct row *);
/* The same, corrected for drift where the daemon has done so: what ranks. */
double		 ranking_ns(const struct ranking *, const struct row *);
/* How many times as fast as `base`; NaN: one is not ok, or they are of two cells. */
double		 ranking_speedup(const struct ranking *, const struct row *base,
		    const struct row *);
/* Are these times as good as equal: do the 95 % intervals overlap, or is one of them unknown? */
bool		 ranking_overlap(const struct ranking *, const struct row *, const struct row *);

/*
 * Row `i` of a sorted ranking, and the first: can they not be told apart, or differ by less than
 * `noise`, a share of the time (NaN: not known)?
 */
bool		 ranking_is_tied(const struct ranking *, size_t i, double noise);

#endif
