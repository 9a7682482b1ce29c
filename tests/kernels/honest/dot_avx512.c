/* SPDX-License-Identifier: Apache-2.0 */
/* The dot product in four vector sums, thirty-two elements a turn.  Needs -mavx512f. */
#include <immintrin.h>

double
dot(int n, const double *x, const double *y)
{
	__m512d	 part[4] = { _mm512_setzero_pd() };
	double	 sum = 0.0;
	int	 i = 0;

	part[1] = part[2] = part[3] = part[0];
	for (; i <= n - 32; i += 32)
		for (int u = 0; u < 4; u++)
			part[u] = _mm512_fmadd_pd(_mm512_loadu_pd(x + i + 8 * u),
			    _mm512_loadu_pd(y + i + 8 * u), part[u]);
	for (; i < n; i++)
		sum += x[i] * y[i];
	return sum + _mm512_reduce_add_pd(_mm512_add_pd(_mm512_add_pd(part[0], part[1]),
	    _mm512_add_pd(part[2], part[3])));
}
