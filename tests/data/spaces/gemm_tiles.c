/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C += A * B, column-major, in blocks of NB: a tile of MU x NU results stays in registers over the loop over k, which
 * is unrolled KU times.
 */
#define TEXT(x)		#x
#define UNROLLED(n)	_Pragma(TEXT(GCC unroll n))
#define TIMES(n)	UNROLLED(n)

static inline int
least(int a, int b)
{
	return a < b ? a : b;
}

static inline __attribute__((always_inline)) void
tile(int mu, int nu, int k, double alpha, const double *A, int lda, const double *B, int ldb, double *C, int ldc)
{
	double	 c[NU][MU] = { { 0.0 } };

	TIMES(KU)
	for (int l = 0; l < k; l++)
		for (int j = 0; j < nu; j++)
			for (int i = 0; i < mu; i++)
				c[j][i] += A[i + l * lda] * B[l + j * ldb];
	for (int j = 0; j < nu; j++)
		for (int i = 0; i < mu; i++)
			C[i + j * ldc] += alpha * c[j][i];
}

static void
block(int m, int n, int k, double alpha, const double *A, int lda, const double *B, int ldb, double *C, int ldc)
{
	for (int j = 0; j < n; j += NU)
		for (int i = 0; i < m; i += MU)
			if (i + MU <= m && j + NU <= n)
				tile(MU, NU, k, alpha, A + i, lda, B + j * ldb, ldb, C + i + j * ldc, ldc);
			else
				tile(least(MU, m - i), least(NU, n - j), k, alpha, A + i, lda, B + j * ldb, ldb,
				    C + i + j * ldc, ldc);
}

void
ATL_USERMM(const int M, const int N, const int K, const double alpha, const double *A, const int lda, const double *B,
    const int ldb, const double beta, double *C, const int ldc)
{
	if (beta != 1.0)
		for (int j = 0; j < N; j++)
			for (int i = 0; i < M; i++)
				C[i + j * ldc] *= beta;
	for (int j = 0; j < N; j += NB)
		for (int l = 0; l < K; l += NB)
			for (int i = 0; i < M; i += NB)
				block(least(NB, M - i), least(NB, N - j), least(NB, K - l), alpha, A + i + l * lda,
				    lda, B + l + j * ldb, ldb, C + i + j * ldc, ldc);
}
