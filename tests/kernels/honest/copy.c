/* SPDX-License-Identifier: Apache-2.0 */
/* A copy as the compiler makes it of a loop. */
void
copy(int n, const double *x, double *y)
{
	for (int i = 0; i < n; i++)
		y[i] = x[i];
}
