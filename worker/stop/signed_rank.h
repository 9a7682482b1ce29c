/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_WORKER_STOP_SIGNED_RANK_H
#define ASSAY_WORKER_STOP_SIGNED_RANK_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The middle of a symmetric distribution, by Wilcoxon's signed ranks (Hollander and Wolfe,
 * Nonparametric Statistical Methods, section 3): the median of all means of two values, and the
 * interval between two of these means.  Nothing else is assumed of the distribution.  It needs
 * fewer values than the sign test, and outliers do not move it as they move a mean.
 */
struct signed_rank {
	double	 middle, low, high;
	bool	 has_interval;		/* false: too few values to be so sure */
};

/* Of n > 0 values; the interval misses with probability `miss` at most.  false: no memory. */
bool		 signed_rank(const double *, size_t n, double miss, struct signed_rank *);

/*
 * The largest 1-based rank r such that the interval from the r-th smallest to the r-th largest of
 * these n (n + 1) / 2 means misses with probability `miss` at most; 0: there is none.
 */
size_t		 signed_rank_of(size_t n, double miss);

#endif
