/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ATLAS's user matrix multiply, C = alpha * A * B + beta * C, column-major, A of M x K, B of K x N, C of M x N: all
 * three loops cut into blocks of NB, so that NB * NB doubles of each matrix are worked on at a time.
 */
#ifndef NB
#error "NB: the blocking factor"
#endif

static inline int
least(int a, int b)
{
	return a < b ? a : b;
}

/* C += alpha * A * B for one block.  With m, n and k constant after inlining the compiler unrolls and vectorises it. */
static inline __attribute__((always_inline)) void
block(int m, int n, int k, double alpha, const double *A, int lda, const double *B, int ldb, double *C, int ldc)
{
	for (int j = 0; j < n; j++)
		for (int l = 0; l < k; l++) {
			const double	 b = alpha * B[l + j * ldb];

			for (int i = 0; i < m; i++)
				C[i + j * ldc] += A[i + l * lda] * b;
		}
}

static void
scale(int m, int n, double beta, double *C, int ldc)
{
	for (int j = 0; j < n; j++)
		for (int i = 0; i < m; i++)
			C[i + j * ldc] *= beta;
}

void
ATL_USERMM(const int M, const int N, const int K, const double alpha, const double *A, const int lda, const double *B,
    const int ldb, const double beta, double *C, const int ldc)
{
	if (beta != 1.0)
		scale(M, N, beta, C, ldc);
	for (int j = 0; j < N; j += NB)
		for (int l = 0; l < K; l += NB)
			for (int i = 0; i < M; i += NB) {
				const double	*a = A + i + l * lda, *b = B + l + j * ldb;
				double		*c = C + i + j * ldc;

				if (i + NB <= M && j + NB <= N && l + NB <= K)
					block(NB, NB, NB, alpha, a, lda, b, ldb, c, ldc);
				else
					block(least(NB, M - i), least(NB, N - j), least(NB, K - l), alpha, a, lda, b,
					    ldb, c, ldc);
			}
}
