/* SPDX-License-Identifier: Apache-2.0 */
/* The dot product in four vector sums, sixteen elements a turn.  Needs -mavx2 -mfma. */
#include <immintrin.h>

double
dot(int n, const double *x, const double *y)
{
	__m256d	 part[4] = { _mm256_setzero_pd() };
	double	 lane[4], sum = 0.0;
	int	 i = 0;

	part[1] = part[2] = part[3] = part[0];
	for (; i <= n - 16; i += 16)
		for (int u = 0; u < 4; u++)
			part[u] = _mm256_fmadd_pd(_mm256_loadu_pd(x + i + 4 * u),
			    _mm256_loadu_pd(y + i + 4 * u), part[u]);
	_mm256_storeu_pd(lane, _mm256_add_pd(_mm256_add_pd(part[0], part[1]),
	    _mm256_add_pd(part[2], part[3])));
	for (; i < n; i++)
		sum += x[i] * y[i];
	return sum + ((lane[0] + lane[1]) + (lane[2] + lane[3]));
}
