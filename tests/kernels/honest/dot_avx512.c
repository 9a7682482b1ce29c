/* SPDX-License-Identifier: Apache-2.0 */
/* The dot product in two vector sums, sixteen elements a turn.  Needs -mavx512f. */
#include <immintrin.h>

static __m512d
product(const double *x, const double *y, __m512d sum)
{
	return _mm512_fmadd_pd(_mm512_loadu_pd(x), _mm512_loadu_pd(y), sum);
}

double
dot(int n, const double *x, const double *y)
{
	__m512d	 even = _mm512_setzero_pd(), odd = even;
	double	 rest = 0.0;
	int	 i = 0;

	for (; i <= n - 16; i += 16) {
		even = product(x + i, y + i, even);
		odd = product(x + i + 8, y + i + 8, odd);
	}
	for (; i < n; i++)
		rest += x[i] * y[i];
	return rest + _mm512_reduce_add_pd(_mm512_add_pd(even, odd));
}
