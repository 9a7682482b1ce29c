/* SPDX-License-Identifier: Apache-2.0 */
/* doitgen with the loop over p unrolled JAM times and jammed: JAM sums at once share each load of the row. */
#ifndef JAM
#define JAM	5
#endif

static inline __attribute__((always_inline)) void
columns(const int count, const int m, const double *row, const int step, const double *xp, const int ld, double *out)
{
	double	 sum[JAM] = { 0.0 };

	for (int s = 0; s < m; s++)
		for (int u = 0; u < count; u++)
			sum[u] += row[s * step] * xp[s + u * ld];
	for (int u = 0; u < count; u++)
		out[u] = sum[u];
}

int
doitgen(double *a, const int *ia1, const int *ia2, const int *ia3, const double *x, const int *ldx, const int *np,
    const int *nq, const int *nr, const int *ns)
{
	const int	 step = *ia1, n = *np, m = *ns, rows = *nq, planes = *nr, ld = *ldx;
	double		 t0[32];

	for (int r = 0; r < planes; r++)
		for (int q = 0; q < rows; q++) {
			double	*row = a + q * *ia2 + r * *ia3;
			int	 p = 0;

			for (; p <= n - JAM; p += JAM)
				columns(JAM, m, row, step, x + p * ld, ld, t0 + p);
			for (; p < n; p++)
				columns(1, m, row, step, x + p * ld, ld, t0 + p);
			for (p = 0; p < n; p++)
				row[p * step] = t0[p];
		}
	return 0;
}
