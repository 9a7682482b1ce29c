/* SPDX-License-Identifier: Apache-2.0 */
/* y = A x, where A has k entries in each row, and an operand of indices their columns. */
void
spmv(int n, int k, const int *column, const double *entry, const double *x, double *y)
{
	for (int i = 0; i < n; i++) {
		double	 sum = 0.0;

		for (int j = i * k; j < (i + 1) * k; j++)
			sum += entry[j] * x[column[j]];
		y[i] = sum;
	}
}
