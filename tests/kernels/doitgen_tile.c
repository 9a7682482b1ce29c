/* SPDX-License-Identifier: Apache-2.0 */
/*
 * doitgen with a register tile: ROWS rows by COLUMNS columns of the result stay in registers over the whole sum, in the
 * compiler's own vector type, so the same source serves any instruction set.
 */
#ifndef ROWS
#define ROWS	2
#endif

enum { VECS = 4, COLUMNS = 2 * VECS };
typedef double	vec __attribute__((vector_size(16)));

/* COLUMNS columns from the given one of the first count rows of the result, into t0. */
static inline __attribute__((always_inline)) void
tile(const int count, const int m, const double *row, const int step, const int stride, double (*xt)[32], const int from,
    double (*t0)[32])
{
	vec	 sum[ROWS][VECS] = { { { 0.0 } } };

	for (int s = 0; s < m; s++)
		for (int b = 0; b < count; b++)
			for (int v = 0; v < VECS; v++)
				sum[b][v] += row[b * stride + s * step] * *(const vec *)&xt[s][from + 2 * v];
	for (int b = 0; b < count; b++)
		for (int v = 0; v < VECS; v++)
			*(vec *)&t0[b][from + 2 * v] = sum[b][v];
}

static inline __attribute__((always_inline)) void
rows_times_x(const int count, const int m, const int n, double *row, const int step, const int stride, double (*xt)[32])
{
	double	 t0[ROWS][32] __attribute__((aligned(16)));

	for (int from = 0; from < n; from += COLUMNS)
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
	double		 xt[32][32] __attribute__((aligned(16))) = { { 0.0 } };

	for (int p = 0; p < n; p++)
		for (int s = 0; s < m; s++)
			xt[s][p] = x[s + p * ld];
	for (int r = 0; r < planes; r++) {
		double	*plane = a + r * *ia3;
		int	 q = 0;

		for (; q <= rows - ROWS; q += ROWS)
			rows_times_x(ROWS, m, n, plane + q * *ia2, step, *ia2, xt);
		for (; q < rows; q++)
			rows_times_x(1, m, n, plane + q * *ia2, step, *ia2, xt);
	}
	return 0;
}
