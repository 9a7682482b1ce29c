/* SPDX-License-Identifier: Apache-2.0 */
/* The dot product in AVX2 and FMA: four vector sums, sixteen elements a turn.  Needs -mavx2 -mfma. */
#include <immintrin.h>

static double
sum_of(__m256d v)
{
	__m128d	 half = _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));

	return _mm_cvtsd_f64(_mm_add_sd(half, _mm_unpackhi_pd(half, half)));
}

double
dotprod(const int N, const double *X, const double *Y)
{
	__m256d	 s0 = _mm256_setzero_pd(), s1 = s0, s2 = s0, s3 = s0;
	double	 dot;
	int	 i = 0;

	for (; i <= N - 16; i += 16) {
		s0 = _mm256_fmadd_pd(_mm256_loadu_pd(X + i), _mm256_loadu_pd(Y + i), s0);
		s1 = _mm256_fmadd_pd(_mm256_loadu_pd(X + i + 4), _mm256_loadu_pd(Y + i + 4), s1);
		s2 = _mm256_fmadd_pd(_mm256_loadu_pd(X + i + 8), _mm256_loadu_pd(Y + i + 8), s2);
		s3 = _mm256_fmadd_pd(_mm256_loadu_pd(X + i + 12), _mm256_loadu_pd(Y + i + 12), s3);
	}
	dot = sum_of(_mm256_add_pd(_mm256_add_pd(s0, s1), _mm256_add_pd(s2, s3)));
	for (; i < N; i++)
		dot += X[i] * Y[i];
	return dot;
}
