/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include <gsl/gsl_cdf.h>

#include "daemon/ttest.h"

struct moments {
	double	n, mean, variance;
};

static struct moments
moments_of(const double *x, size_t n)
{
	struct moments	m = { .n = (double)n };

	for (size_t i = 0; i < n; i++)
		m.mean += x[i];
	m.mean /= m.n;
	for (size_t i = 0; i < n; i++)
		m.variance += (x[i] - m.mean) * (x[i] - m.mean);
	m.variance /= m.n - 1;
	return m;
}

static struct ttest
test_of(double difference, double error, double df)
{
	struct ttest	t = { .df = df };

	if (error > 0) {
		t.t = difference / error;
		t.p = 2 * gsl_cdf_tdist_Q(fabs(t.t), df);
	} else {		/* no spread at all: equal, or different beyond doubt */
		t.t = difference == 0 ? 0 : copysign(INFINITY, difference);
		t.p = difference == 0 ? 1 : 0;
	}
	return t;
}

static const struct ttest	too_few = { NAN, NAN, NAN };

struct ttest
ttest_equal(const double *a, size_t na, const double *b, size_t nb)
{
	struct moments	x, y;
	double		pooled;

	if (na < 2 || nb < 2)
		return too_few;
	x = moments_of(a, na);
	y = moments_of(b, nb);
	pooled = ((x.n - 1) * x.variance + (y.n - 1) * y.variance) / (x.n + y.n - 2);
	return test_of(x.mean - y.mean, sqrt(pooled * (1 / x.n + 1 / y.n)), x.n + y.n - 2);
}

struct ttest
ttest_unequal(const double *a, size_t na, const double *b, size_t nb)
{
	struct moments	x, y;
	double		ex, ey, df;

	if (na < 2 || nb < 2)
		return too_few;
	x = moments_of(a, na);
	y = moments_of(b, nb);
	ex = x.variance / x.n;
	ey = y.variance / y.n;
	df = ex + ey > 0 ? (ex + ey) * (ex + ey) / (ex * ex / (x.n - 1) + ey * ey / (y.n - 1)) : x.n + y.n - 2;
	return test_of(x.mean - y.mean, sqrt(ex + ey), df);
}

json_t *
ttest_json(const char *kind, const struct ttest *t)
{
	if (isnan(t->p))
		return json_null();
	return json_pack("{s:s, s:o, s:f, s:f}", "kind", kind, "t", isinf(t->t) ? json_null() : json_real(t->t),
	    "df", t->df, "p", t->p);
}
