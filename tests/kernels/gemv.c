/* SPDX-License-Identifier: Apache-2.0 */
/* y += alpha * A * x, A of M x N by columns with leading dimension lda: column after column, each added to all of y. */
void
gemv(const int M, const int N, const double alpha, const double *A, const int lda, const double *X, double *Y)
{
	for (int j = 0; j < N; j++) {
		const double	 x = alpha * X[j], *column = A + (long)j * lda;

		for (int i = 0; i < M; i++)
			Y[i] += column[i] * x;
	}
}
