/* SPDX-License-Identifier: Apache-2.0 */
/* The dot product with one sum: each addition waits for the one before. */
double
dot(int n, const double *x, const double *y)
{
	double	 sum = 0.0;

	for (int i = 0; i < n; i++)
		sum += x[i] * y[i];
	return sum;
}
