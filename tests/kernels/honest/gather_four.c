/* SPDX-License-Identifier: Apache-2.0 */
/* The sum of indexed elements in four sums, so that their loads overlap. */
double
gather(int n, const int *at, const double *x)
{
	double	 sum[4] = { 0.0 };
	int	 i = 0;

	for (; i <= n - 4; i += 4)
		for (int u = 0; u < 4; u++)
			sum[u] += x[at[i + u]];
	for (; i < n; i++)
		sum[0] += x[at[i]];
	return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}
