/* SPDX-License-Identifier: Apache-2.0 */
/* In the manner of OSKI: y += A * x, A in blocks of 2 x 3 by rows of blocks, which are unrolled. */
void
bcsr_2x3_matmult(int rows, const int *ptr, const int *ind, const double *val, const double *x,
    double *y)
{
	for (int I = 0; I < rows; I++, y += 2) {
		register double	 y0 = y[0], y1 = y[1];

		for (int k = ptr[I]; k < ptr[I + 1]; k++, val += 6) {
			const double	*xp = x + ind[k];
			register double	 x0 = xp[0], x1 = xp[1], x2 = xp[2];

			y0 += val[0] * x0;
			y1 += val[3] * x0;
			y0 += val[1] * x1;
			y1 += val[4] * x1;
			y0 += val[2] * x2;
			y1 += val[5] * x2;
		}
		y[0] = y0;
		y[1] = y1;
	}
}
