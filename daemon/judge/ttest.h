/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_JUDGE_TTEST_H
#define ASSAY_DAEMON_JUDGE_TTEST_H

#include <stddef.h>

#include <jansson.h>

/*
 * Student's t-test on the difference of two means, as Whaley and Castaldo propose it (section 6): with equal variances
 * when the two were timed in turn, with unequal ones (Welch) otherwise.  p: two-sided; all NaN below two samples each.
 */
struct ttest {
	double	t, df, p;
};

struct ttest	 ttest_equal(const double *a, size_t na, const double *b, size_t nb);
struct ttest	 ttest_unequal(const double *a, size_t na, const double *b, size_t nb);

/* How likely Student's t with df > 0 degrees of freedom is at least as far from 0 as t: two-sided, 1 for t = 0. */
double		 ttest_tails(double t, double df);

/* { kind, t, df, p }, t null when it is infinite; JSON null for NaN.  New reference. */
json_t		*ttest_json(const char *kind, const struct ttest *);

#endif
