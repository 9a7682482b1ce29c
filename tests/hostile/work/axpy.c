/* SPDX-License-Identifier: Apache-2.0 */
/* Bound by memory: one operand is read, the other is read and written. */
void
f(int n, double a, const double *x, double *y)
{
	for (int i = 0; i < n; i++)
		y[i] += a * x[i];
}
