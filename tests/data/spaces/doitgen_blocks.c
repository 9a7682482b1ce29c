/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The search of GCO (section 3): doitgen with the loop over r in blocks of BLOCK, and the loops over s and over the
 * copy back unrolled UNROLL times.
 */
#define TEXT(x)		#x
#define UNROLLED(n)	_Pragma(TEXT(GCC unroll n))
#define TIMES(n)	UNROLLED(n)

int
doitgen(double *a, const int *ia1, const int *ia2, const int *ia3, const double *x, const int *ldx, const int *np,
    const int *nq, const int *nr, const int *ns)
{
	const int	 n = *np, m = *ns, rows = *nq, planes = *nr, ld = *ldx, step = *ia1;
	double		 t0[32];

	for (int rb = 0; rb < planes; rb += BLOCK)
		for (int r = rb; r < planes && r < rb + BLOCK; r++)
			for (int q = 0; q < rows; q++) {
				double	*row = a + q * *ia2 + r * *ia3;

				for (int p = 0; p < n; p++) {
					double	 sum = 0.0;

					TIMES(UNROLL)
					for (int s = 0; s < m; s++)
						sum += row[s * step] * x[s + p * ld];
					t0[p] = sum;
				}
				TIMES(UNROLL)
				for (int p = 0; p < n; p++)
					row[p * step] = t0[p];
			}
	return 0;
}
