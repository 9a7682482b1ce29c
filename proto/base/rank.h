/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_BASE_RANK_H
#define ASSAY_PROTO_BASE_RANK_H

#include <stddef.h>
#include <stdint.h>

/*
 * The distribution-free interval of a median by order statistics (Conover, Practical Nonparametric
 * Statistics, section 3.2): the number of samples below the median is binomial (n, 1/2) for any
 * distribution.
 */
#define RANK_MISS	0.05		/* what "the 95 % interval" misses with */

/*
 * The largest 1-based rank r such that [x(r), x(n+1-r)] misses the median with probability `miss`
 * at most; 0: there is none (at 5 %: n < 6).
 */
size_t	 rank_median(size_t n, double miss);

/*
 * The 95 % interval's width relative to the median of n samples, which are sorted in place.  No
 * interval: HUGE_VAL.
 */
double	 rank_width(double *samples, size_t n);

/*
 * Medians of groups: runs of values with one number in `group`.  Values are sorted within them;
 * `out`, which may be x itself, has the medians in the groups' order.  Returns how many.
 */
size_t	 rank_medians(double *x, const uint64_t *group, size_t n, double *out);

/* Ascending, for qsort: doubles. */
int	 rank_ascending(const void *, const void *);
double	 rank_middle(const double *sorted, size_t n);		/* the median; n > 0 */

#endif
