/* SPDX-License-Identifier: Apache-2.0 */
/* The number of elements between two bounds, by two branches that are hard to predict. */
long
count_if(int n, const double *x, double low, double high)
{
	long	 count = 0;

	for (int i = 0; i < n; i++)
		if (x[i] > low && x[i] < high)
			count++;
	return count;
}
