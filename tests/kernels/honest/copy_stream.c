/* SPDX-License-Identifier: Apache-2.0 */
/* A copy by stores that bypass the caches; y is aligned to 16 bytes. */
#include <emmintrin.h>

void
copy(int n, const double *x, double *y)
{
	int	 i = 0;

	for (; i <= n - 2; i += 2)
		_mm_stream_pd(y + i, _mm_loadu_pd(x + i));
	for (; i < n; i++)
		y[i] = x[i];
	_mm_sfence();
}
