/* SPDX-License-Identifier: Apache-2.0 */
/* The sum of elements that an operand of indices names. */
double
gather(int n, const int *at, const double *x)
{
	double	 sum = 0.0;

	for (int i = 0; i < n; i++)
		sum += x[at[i]];
	return sum;
}
