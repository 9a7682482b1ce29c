/* SPDX-License-Identifier: Apache-2.0 */
/* A chain of divisions, each of which needs the one before. */
double
divide(int n, const double *x)
{
	double	 r = 1.0;

	for (int i = 0; i < n; i++)
		r = x[i] / (1.0 + r);
	return r;
}
