/* SPDX-License-Identifier: Apache-2.0 */
/* z = x + a y, eight elements a turn, the last ones by a mask.  Needs -mavx512f. */
#include <immintrin.h>

static __mmask8
first(int n)
{
	return (__mmask8)(n < 8 ? (1 << n) - 1 : 255);
}

void
triad(int n, double a, const double *x, const double *y, double *z)
{
	__m512d	 factor = _mm512_set1_pd(a);

	for (int i = 0; i < n; i += 8) {
		__mmask8	 m = first(n - i);

		_mm512_mask_storeu_pd(z + i, m, _mm512_fmadd_pd(factor,
		    _mm512_maskz_loadu_pd(m, y + i), _mm512_maskz_loadu_pd(m, x + i)));
	}
}
