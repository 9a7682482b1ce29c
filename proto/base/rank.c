/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "proto/base/rank.h"

int
rank_ascending(const void *a, const void *b)
{
	double	x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double
rank_middle(const double *x, size_t n)
{
	return n % 2 != 0 ? x[n / 2] : 0.5 * (x[n / 2 - 1] + x[n / 2]);
}

size_t
rank_medians(double *x, const uint64_t *group, size_t n, double *out)
{
	size_t	groups = 0, from = 0, to;

	for (; from < n; from = to) {
		for (to = from + 1; to < n && group[to] == group[from]; to++)
			;
		qsort(x + from, to - from, sizeof *x, rank_ascending);
		out[groups++] = rank_middle(x + from, to - from);
	}
	return groups;
}

/*
 * The interval between the r-th smallest and the r-th largest misses with probability 2 P(B <= r -
 * 1).
 */
size_t
rank_median(size_t n, double miss)
{
	double	log_term = -(double)n * log(2.0), below = 0;
	size_t	r = 0;

	while (r < n / 2) {
		below += exp(log_term);			/* P(B <= r) */
		if (2 * below > miss)
			break;
		log_term += log((double)(n - r)) - log((double)(r + 1));
		r++;
	}
	return r;
}

double
rank_width(double *x, size_t n)
{
	size_t	r = rank_median(n, RANK_MISS);
	double	median;

	if (r == 0)
		return HUGE_VAL;
	qsort(x, n, sizeof *x, rank_ascending);
	median = rank_middle(x, n);
	return median > 0 ? (x[n - r] - x[r - 1]) / median : HUGE_VAL;
}
