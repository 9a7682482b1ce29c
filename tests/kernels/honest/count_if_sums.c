/* SPDX-License-Identifier: Apache-2.0 */
/* The number of elements between two bounds, without a branch. */
long
count_if(int n, const double *x, double low, double high)
{
	long	 count = 0;

	for (int i = 0; i < n; i++)
		count += (x[i] > low) & (x[i] < high);
	return count;
}
