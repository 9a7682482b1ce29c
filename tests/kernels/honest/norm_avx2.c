/* SPDX-License-Identifier: Apache-2.0 */
/* The sum of squares in four vector sums, thirty-two floats a turn.  Needs -mavx2 -mfma. */
#include <immintrin.h>

float
norm(int n, const float *x)
{
	__m256	 part[4] = { _mm256_setzero_ps() };
	float	 lane[8], sum = 0.0f;
	int	 i = 0;

	part[1] = part[2] = part[3] = part[0];
	for (; i <= n - 32; i += 32)
		for (int u = 0; u < 4; u++) {
			__m256	 v = _mm256_loadu_ps(x + i + 8 * u);

			part[u] = _mm256_fmadd_ps(v, v, part[u]);
		}
	_mm256_storeu_ps(lane, _mm256_add_ps(_mm256_add_ps(part[0], part[1]),
	    _mm256_add_ps(part[2], part[3])));
	for (; i < n; i++)
		sum += x[i] * x[i];
	for (int u = 0; u < 8; u++)
		sum += lane[u];
	return sum;
}
