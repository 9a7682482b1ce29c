/* SPDX-License-Identifier: Apache-2.0 */
/* y = a x, two vectors a turn.  Needs -mavx2. */
#include <immintrin.h>

void
scale(int n, double a, const double *x, double *y)
{
	__m256d		 factor = _mm256_set1_pd(a);
	const double	*end = x + n, *pairs = x + n / 8 * 8;

	for (; x < pairs; x += 8, y += 8) {
		__m256d	 low = _mm256_loadu_pd(x), high = _mm256_loadu_pd(x + 4);

		_mm256_storeu_pd(y, _mm256_mul_pd(factor, low));
		_mm256_storeu_pd(y + 4, _mm256_mul_pd(factor, high));
	}
	while (x < end)
		*y++ = a * *x++;
}
