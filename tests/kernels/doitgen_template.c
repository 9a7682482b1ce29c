/* SPDX-License-Identifier: Apache-2.0 */
/*
 * doitgen as a template: ROWS rows of a at once, each with a strip of WIDTH sums in registers, times x copied with its
 * rows turned to columns.  SIZE is known when it is compiled.
 */
#ifndef ROWS
#define ROWS	3
#endif
#ifndef WIDTH
#define WIDTH	32
#endif

static inline __attribute__((always_inline)) void
strip(const int rows, double *restrict a, double (*restrict xt)[WIDTH], double (*restrict out)[SIZE + WIDTH], int at)
{
	double	 sum[ROWS][WIDTH] = { 0 };

	for (int s = 0; s < SIZE; s++)
		for (int k = 0; k < rows; k++)
			for (int p = 0; p < WIDTH; p++)
				sum[k][p] += a[s + k * SIZE] * xt[s][p];
	for (int k = 0; k < rows; k++)
		for (int p = 0; p < WIDTH; p++)
			out[k][at + p] = sum[k][p];
}

static inline __attribute__((always_inline)) void
some_rows(const int rows, double *restrict a, double (*restrict xt)[SIZE][WIDTH])
{
	double	 out[ROWS][SIZE + WIDTH];

	for (int at = 0; at < SIZE; at += WIDTH)
		strip(rows, a, xt[at / WIDTH], out, at);
	for (int k = 0; k < rows; k++)
		for (int p = 0; p < SIZE; p++)
			a[p + k * SIZE] = out[k][p];
}

void
doitgen(int n, double *restrict a, const double *restrict x, double *restrict sum)
{
	static _Alignas(64) double	 xt[(SIZE + WIDTH - 1) / WIDTH][SIZE][WIDTH];
	int				 row = 0;

	for (int p = 0; p < SIZE; p++)
		for (int s = 0; s < SIZE; s++)
			xt[p / WIDTH][s][p % WIDTH] = x[s + p * SIZE];
	for (; row + ROWS <= SIZE * SIZE; row += ROWS)
		some_rows(ROWS, a + row * SIZE, xt);
	for (; row < SIZE * SIZE; row++)
		some_rows(1, a + row * SIZE, xt);
	for (int p = 0; p < SIZE; p++)
		sum[p] = a[p + (SIZE * SIZE - 1) * SIZE];
	(void)n;
}
