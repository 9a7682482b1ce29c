/* SPDX-License-Identifier: Apache-2.0 */
/*
 * doitgen interchanged, and blocked over q: BLOCK rows at a time share each pass over the transposed x.
 */
#ifndef BLOCK
#define BLOCK	3
#endif

static inline __attribute__((always_inline)) void
rows_times_x(const int count, const int m, const int n, double *row, const int step, const int stride,
    double (*restrict xt)[32])
{
	double	 t0[BLOCK][32] = { { 0.0 } };

	for (int s = 0; s < m; s++)
		for (int b = 0; b < count; b++) {
			const double	 v = row[b * stride + s * step];

			for (int p = 0; p < 32; p++)
				t0[b][p] += v * xt[s][p];
		}
	for (int b = 0; b < count; b++)
		for (int p = 0; p < n; p++)
			row[b * stride + p * step] = t0[b][p];
}

int
doitgen(double *a, const int *ia1, const int *ia2, const int *ia3, const double *x, const int *ldx, const int *np,
    const int *nq, const int *nr, const int *ns)
{
	const int	 step = *ia1, n = *np, m = *ns, rows = *nq, planes = *nr, ld = *ldx;
	double		 xt[32][32] = { { 0.0 } };

	for (int p = 0; p < n; p++)
		for (int s = 0; s < m; s++)
			xt[s][p] = x[s + p * ld];
	for (int r = 0; r < planes; r++) {
		double	*plane = a + r * *ia3;
		int	 q = 0;

		for (; q <= rows - BLOCK; q += BLOCK)
			rows_times_x(BLOCK, m, n, plane + q * *ia2, step, *ia2, xt);
		for (; q < rows; q++)
			rows_times_x(1, m, n, plane + q * *ia2, step, *ia2, xt);
	}
	return 0;
}
