/* SPDX-License-Identifier: Apache-2.0 */
void
spmv(int n, const int *start, const int *column, const double *value, const double *x, double *y)
{
	for (int i = 0; i < n; i++) {
		double	sum = 0;

		for (int k = start[i]; k < start[i + 1]; k++)
			sum += value[k] * x[column[k]];
		y[i] = sum;
	}
}
