/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <math.h>

#include "daemon/judge/ttest.h"

#define MOST_TERMS	100000u		/* of a fraction that needs some sqrt(df) of them */

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

/* Numerators of the continued fraction of the incomplete beta function, from the first: DLMF 8.17.22 and 8.17.23. */
static double
numerator(unsigned i, double a, double b, double x)
{
	double	m = i / 2;

	if (i % 2 == 0)
		return m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
	return -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
}

static double
not_zero(double x)
{
	return fabs(x) < DBL_MIN ? DBL_MIN : x;
}

/* 1/(1 + n1/(1 + n2/(1 + ...))) by Lentz's method (Applied Optics 15, 1976), as Thompson and Barnett mended it. */
static double
fraction(double a, double b, double x)
{
	double	c = 1, d = 1 / not_zero(1 + numerator(1, a, b, x)), value = d, step = 0;

	for (unsigned i = 2; i <= MOST_TERMS && fabs(step - 1) > DBL_EPSILON; i++) {
		double	n = numerator(i, a, b, x);

		d = 1 / not_zero(1 + n * d);
		c = not_zero(1 + n / c);
		step = c * d;
		value *= step;
	}
	return value;
}

/* P(|T| >= |t|) is I_x(df/2, 1/2) with x = df / (df + t^2): Abramowitz and Stegun 26.7.1. */
double
ttest_tails(double t, double df)
{
	double	a = df / 2, x = df / (df + t * t), y = 1 / (1 + df / (t * t));	/* y: 1 - x, to the last digit */
	double	front = sqrt(y) * exp(lgamma(a + 0.5) - lgamma(a) - lgamma(0.5) - a * log1p(t * t / df));

	/* The fraction converges fast on one side of the mean only; on the other I_x(a, b) = 1 - I_y(b, a). */
	if (x < (a + 1) / (a + 2.5))
		return front * fraction(a, 0.5, x) / a;
	return 1 - front * fraction(0.5, a, y) / 0.5;
}

static struct ttest
test_of(double difference, double error, double df)
{
	struct ttest	t = { .df = df };

	if (error > 0) {
		t.t = difference / error;
		t.p = ttest_tails(t.t, df);
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
