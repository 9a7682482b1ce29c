/* SPDX-License-Identifier: Apache-2.0 */
/* Bound by latency of arithmetic: 360 000 operations in three chains of 16 kB. */
void
f(int n, const double *x, double *y)
{
	for (int i = 0; i < n; i++) {
		double	s = 1;

		for (int k = 0; k < 60; k++)
			s = s * x[i] * 0.99 + 0.5;
		y[i] = s;
	}
}
