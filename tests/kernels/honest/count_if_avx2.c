/* SPDX-License-Identifier: Apache-2.0 */
/* The number of elements between two bounds, four compared at a time.  Needs -mavx2. */
#include <immintrin.h>

static __m256i
between(const double *x, __m256d low, __m256d high)
{
	__m256d	 v = _mm256_loadu_pd(x);

	return _mm256_castpd_si256(_mm256_and_pd(_mm256_cmp_pd(v, low, _CMP_GT_OQ),
	    _mm256_cmp_pd(v, high, _CMP_LT_OQ)));
}

long
count_if(int n, const double *x, double low, double high)
{
	__m256d		 from = _mm256_set1_pd(low), to = _mm256_set1_pd(high);
	__m256i		 even = _mm256_setzero_si256(), odd = even;
	long long	 lane[4];
	long		 count = 0;
	int		 i = 0;

	/* all bits of a lane that holds are set: it is -1 */
	for (; i <= n - 8; i += 8) {
		even = _mm256_sub_epi64(even, between(x + i, from, to));
		odd = _mm256_sub_epi64(odd, between(x + i + 4, from, to));
	}
	_mm256_storeu_si256((__m256i *)lane, _mm256_add_epi64(even, odd));
	for (; i < n; i++)
		count += x[i] > low && x[i] < high;
	return count + (long)(lane[0] + lane[1] + lane[2] + lane[3]);
}
