/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <math.h>

#include "client/runs/welch.h"

/* ---- Student's distribution, by the incomplete beta function (DLMF 8.17) ---- */

enum { TERMS = 10000, HALVINGS = 200 };

/* A term of the continued fraction 8.17.22. */
static double
term(double x, double a, double b, int n)
{
	const double	m = n / 2;

	return n % 2 == 0 ? m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)) :
	    -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
}

static double
away_from_0(double x)
{
	return fabs(x) < DBL_MIN / DBL_EPSILON ? DBL_MIN / DBL_EPSILON : x;
}

/* Lentz's method, as Thompson and Barnett modified it. */
static double
fraction(double x, double a, double b)
{
	double	c = 1, d = 0, f = 1;

	for (int n = 1; n < TERMS; n++) {
		const double	t = term(x, a, b, n);

		d = 1 / away_from_0(1 + t * d);
		c = away_from_0(1 + t / c);
		f *= c * d;
		if (fabs(c * d - 1) < 4 * DBL_EPSILON)
			break;
	}
	return 1 / f;
}

/* I_x(a, b); y: 1 - x, given because it may be tiny. */
static double
incomplete_beta(double x, double y, double a, double b)
{
	double	front;

	if (x <= 0 || y <= 0)
		return x <= 0 ? 0 : 1;
	front = exp(a * log(x) + b * log(y) + lgamma(a + b) - lgamma(a) - lgamma(b));
	return x < (a + 1) / (a + b + 2) ? front * fraction(x, a, b) / a :
	    1 - front * fraction(y, b, a) / b;
}

double
welch_tails(double t, double freedom)
{
	const double	square = t * t, sum = freedom + square;

	return incomplete_beta(freedom / sum, square / sum, freedom / 2, 0.5);
}

double
welch_quantile(double tails, double freedom)
{
	double	low = 0, high = 1;

	while (welch_tails(high, freedom) > tails && high < 1e300)
		high *= 2;
	for (int i = 0; i < HALVINGS && high - low > DBL_EPSILON * high; i++) {
		const double	middle = low + (high - low) / 2;

		if (welch_tails(middle, freedom) > tails)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* ---- two groups ---- */

static double
mean_of(const double *x, size_t n)
{
	double	sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i] - x[0];
	return x[0] + sum / (double)n;
}

/* The variance of the mean. */
static double
error_of(const double *x, size_t n, double mean)
{
	double	sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (x[i] - mean) * (x[i] - mean);
	return sum / (double)(n - 1) / (double)n;
}

struct welch
welch_compare(const double *a, size_t na, const double *b, size_t nb, double miss)
{
	const double	ma = mean_of(a, na), mb = mean_of(b, nb);
	const double	va = error_of(a, na, ma), vb = error_of(b, nb, mb);
	struct welch	w = { mb - ma, 0, HUGE_VAL };

	if (!(va + vb > 0))
		return w;
	w.freedom = (va + vb) * (va + vb) /
	    (va * va / (double)(na - 1) + vb * vb / (double)(nb - 1));
	w.half = welch_quantile(miss, w.freedom) * sqrt(va + vb);
	return w;
}
