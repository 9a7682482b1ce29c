/* SPDX-License-Identifier: Apache-2.0 */
/* How many elements lie between two bounds, by two branches that nothing foresees. */
long
count_if(int n, const double *x, double low, double high)
{
	long	 count = 0;

	for (int i = 0; i < n; i++)
		if (x[i] > low && x[i] < high)
			count++;
	return count;
}
