/* SPDX-License-Identifier: Apache-2.0 */
/* The same at eight x a turn, then one by one.  Needs -mavx2 -mfma. */
#include <immintrin.h>

enum { DEGREE = 15 };

static double
at(double x, const double *factor)
{
	double	 p = factor[DEGREE];

	for (int d = DEGREE - 1; d >= 0; d--)
		p = p * x + factor[d];
	return p;
}

void
polynomial(int n, const double *x, const double *factor, double *y)
{
	int	 i = 0;

	for (; i <= n - 8; i += 8) {
		__m256d	 x0 = _mm256_loadu_pd(x + i), x1 = _mm256_loadu_pd(x + i + 4);
		__m256d	 p0 = _mm256_set1_pd(factor[DEGREE]), p1 = p0;

		for (int d = DEGREE - 1; d >= 0; d--) {
			__m256d	 f = _mm256_set1_pd(factor[d]);

			p0 = _mm256_fmadd_pd(p0, x0, f);
			p1 = _mm256_fmadd_pd(p1, x1, f);
		}
		_mm256_storeu_pd(y + i, p0);
		_mm256_storeu_pd(y + i + 4, p1);
	}
	for (; i < n; i++)
		y[i] = at(x[i], factor);
}
