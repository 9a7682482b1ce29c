/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_RUNS_WELCH_H
#define ASSAY_CLIENT_RUNS_WELCH_H

#include <stddef.h>

/*
 * Two independent groups of measurements whose variances may differ (Welch, Biometrika 34, 1947,
 * page 28).  Pure.
 */
struct welch {
	double	difference;	/* mean of b less mean of a */
	double	half;		/* of its interval; 0: neither group varies */
	double	freedom;	/* degrees of; HUGE_VAL: neither group varies */
};

/* na, nb >= 2.  The interval misses the difference with probability `miss`. */
struct welch	 welch_compare(const double *a, size_t na, const double *b, size_t nb, double miss);

/* P(|T| > t) of Student's T; freedom > 0, t >= 0. */
double		 welch_tails(double t, double freedom);
/* The t with these tails; 0 < tails < 1. */
double		 welch_quantile(double tails, double freedom);

#endif
