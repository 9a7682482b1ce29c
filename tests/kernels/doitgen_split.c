/* SPDX-License-Identifier: Apache-2.0 */
/* doitgen with the scalars hoisted into locals and the sum over s split into SPLIT independent ones. */
#ifndef SPLIT
#define SPLIT	4
#endif

static double
row_dot(const int n, const double *row, const int step, const double *xp)
{
	double	 sum[SPLIT] = { 0.0 }, all = 0.0;
	int	 s = 0;

	for (; s <= n - SPLIT; s += SPLIT)
		for (int u = 0; u < SPLIT; u++)
			sum[u] += row[(s + u) * step] * xp[s + u];
	for (; s < n; s++)
		all += row[s * step] * xp[s];
	for (int u = 0; u < SPLIT; u++)
		all += sum[u];
	return all;
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

			for (int p = 0; p < n; p++)
				t0[p] = row_dot(m, row, step, x + p * ld);
			for (int p = 0; p < n; p++)
				row[p * step] = t0[p];
		}
	return 0;
}
