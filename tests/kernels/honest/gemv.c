/* SPDX-License-Identifier: Apache-2.0 */
/* y += A x, row by row */
void
gemv(int n, const double *a, const double *x, double *y)
{
	for (int i = 0; i < n; i++) {
		double	 sum = 0.0;

		for (int j = 0; j < n; j++)
			sum += a[i * n + j] * x[j];
		y[i] += sum;
	}
}
