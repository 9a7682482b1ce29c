/* SPDX-License-Identifier: Apache-2.0 */
/*
 * doitgen with the loops over p and s interchanged: x is transposed once into columns padded to 32, then every s adds a
 * multiple of one contiguous column to the whole result row, which vectorises without reassociating a single sum.
 */
int
doitgen(double *a, const int *ia1, const int *ia2, const int *ia3, const double *x, const int *ldx, const int *np,
    const int *nq, const int *nr, const int *ns)
{
	const int	 step = *ia1, n = *np, m = *ns, rows = *nq, planes = *nr, ld = *ldx;
	double		 xt[32][32] = { { 0.0 } };

	for (int p = 0; p < n; p++)
		for (int s = 0; s < m; s++)
			xt[s][p] = x[s + p * ld];
	for (int r = 0; r < planes; r++)
		for (int q = 0; q < rows; q++) {
			double	*row = a + q * *ia2 + r * *ia3;
			double	 t0[32] = { 0.0 };

			for (int s = 0; s < m; s++)
				for (int p = 0; p < 32; p++)
					t0[p] += row[s * step] * xt[s][p];
			for (int p = 0; p < n; p++)
				row[p * step] = t0[p];
		}
	return 0;
}
