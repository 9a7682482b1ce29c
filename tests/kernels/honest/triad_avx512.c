/* SPDX-License-Identifier: Apache-2.0 */
/* z = x + a y, thirty-two elements a turn.  Needs -mavx512f. */
#include <immintrin.h>

void
triad(int n, double a, const double *x, const double *y, double *z)
{
	__m512d	 factor = _mm512_set1_pd(a);
	int	 i = 0;

	for (; i <= n - 32; i += 32)
		for (int u = 0; u < 32; u += 8)
			_mm512_storeu_pd(z + i + u, _mm512_fmadd_pd(factor,
			    _mm512_loadu_pd(y + i + u), _mm512_loadu_pd(x + i + u)));
	for (; i < n; i++)
		z[i] = x[i] + a * y[i];
}
