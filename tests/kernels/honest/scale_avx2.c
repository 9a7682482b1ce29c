/* SPDX-License-Identifier: Apache-2.0 */
/* y = a x, sixteen elements a turn.  Needs -mavx2. */
#include <immintrin.h>

void
scale(int n, double a, const double *x, double *y)
{
	__m256d	 factor = _mm256_set1_pd(a);
	int	 i = 0;

	for (; i <= n - 16; i += 16)
		for (int u = 0; u < 16; u += 4)
			_mm256_storeu_pd(y + i + u,
			    _mm256_mul_pd(factor, _mm256_loadu_pd(x + i + u)));
	for (; i < n; i++)
		y[i] = a * x[i];
}
