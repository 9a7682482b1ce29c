/* SPDX-License-Identifier: Apache-2.0 */
/* The sum of squares of floats. */
float
norm(int n, const float *x)
{
	float	 sum[8] = { 0.0f }, all = 0.0f;
	int	 i = 0;

	for (; i <= n - 8; i += 8)
		for (int u = 0; u < 8; u++)
			sum[u] += x[i + u] * x[i + u];
	for (; i < n; i++)
		all += x[i] * x[i];
	for (int u = 0; u < 8; u++)
		all += sum[u];
	return all;
}
