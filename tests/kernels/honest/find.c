/* SPDX-License-Identifier: Apache-2.0 */
/* The place of the first element above a bound, or n: the time depends on the data. */
int
find(int n, const double *x, double bound)
{
	for (int i = 0; i < n; i++)
		if (x[i] > bound)
			return i;
	return n;
}
