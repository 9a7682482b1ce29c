/* SPDX-License-Identifier: Apache-2.0 */
/* doitgen as one would write it down: each row of a times x.  sum is scratch of the caller's. */
void
doitgen(int n, double *a, const double *x, double *sum)
{
	for (int r = 0; r < n; r++)
		for (int q = 0; q < n; q++) {
			for (int p = 0; p < n; p++) {
				sum[p] = 0.0;
				for (int s = 0; s < n; s++)
					sum[p] += a[s + q * n + r * n * n] * x[s + p * n];
			}
			for (int p = 0; p < n; p++)
				a[p + q * n + r * n * n] = sum[p];
		}
}
