/* SPDX-License-Identifier: Apache-2.0 */
/*
 * doitgen in AVX2 and FMA: the register tile of doitgen_tile.c, 3 rows by 16 columns, twelve vector sums.  Needs -mavx2
 * -mfma.
 */
#include <immintrin.h>

static inline __attribute__((always_inline)) void
tile(const int count, const int m, const double *row, const int step, const int stride, double (*xt)[32], const int from,
    double (*t0)[32])
{
	__m256d	 sum[3][4];

	for (int b = 0; b < count; b++)
		for (int v = 0; v < 4; v++)
			sum[b][v] = _mm256_setzero_pd();
	for (int s = 0; s < m; s++)
		for (int b = 0; b < count; b++) {
			const __m256d	 e = _mm256_broadcast_sd(row + b * stride + s * step);

			for (int v = 0; v < 4; v++)
				sum[b][v] = _mm256_fmadd_pd(e, _mm256_load_pd(&xt[s][from + 4 * v]), sum[b][v]);
		}
	for (int b = 0; b < count; b++)
		for (int v = 0; v < 4; v++)
			_mm256_store_pd(&t0[b][from + 4 * v], sum[b][v]);
}

static inline __attribute__((always_inline)) void
rows_times_x(const int count, const int m, const int n, double *row, const int step, const int stride, double (*xt)[32])
{
	double	 t0[3][32] __attribute__((aligned(32)));

	for (int from = 0; from < n; from += 16)
		tile(count, m, row, step, stride, xt, from, t0);
	for (int b = 0; b < count; b++)
		for (int p = 0; p < n; p++)
			row[b * stride + p * step] = t0[b][p];
}

int
doitgen(double *a, const int *ia1, const int *ia2, const int *ia3, const double *x, const int *ldx, const int *np,
    const int *nq, const int *nr, const int *ns)
{
	const int	 step = *ia1, n = *np, m = *ns, rows = *nq, planes = *nr, ld = *ldx;
	double		 xt[32][32] __attribute__((aligned(32))) = { { 0.0 } };

	for (int p = 0; p < n; p++)
		for (int s = 0; s < m; s++)
			xt[s][p] = x[s + p * ld];
	for (int r = 0; r < planes; r++) {
		double	*plane = a + r * *ia3;
		int	 q = 0;

		for (; q <= rows - 3; q += 3)
			rows_times_x(3, m, n, plane + q * *ia2, step, *ia2, xt);
		for (; q < rows; q++)
			rows_times_x(1, m, n, plane + q * *ia2, step, *ia2, xt);
	}
	return 0;
}
