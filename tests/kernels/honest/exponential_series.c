/* SPDX-License-Identifier: Apache-2.0 */
/* e to the power of each x: the powers of two apart, the rest by a series. */
#include <math.h>

static double
series(double r)
{
	double	 sum = 1.0;

	for (int d = 13; d > 0; d--)
		sum = 1.0 + sum * r / d;
	return sum;
}

void
exponential(int n, const double *x, double *y)
{
	const double	 ln2 = 0.693147180559945309;

	for (int i = 0; i < n; i++) {
		double	 twos = floor(x[i] / ln2 + 0.5);

		y[i] = ldexp(series(x[i] - twos * ln2), (int)twos);
	}
}
