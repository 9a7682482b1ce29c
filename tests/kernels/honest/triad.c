/* SPDX-License-Identifier: Apache-2.0 */
/* z = x + a y */
void
triad(int n, double a, const double *x, const double *y, double *z)
{
	for (int i = 0; i < n; i++)
		z[i] = x[i] + a * y[i];
}
