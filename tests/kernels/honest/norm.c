/* SPDX-License-Identifier: Apache-2.0 */
/* The sum of squares of floats, added up as doubles. */
float
norm(int n, const float *x)
{
	double	 sum = 0.0;

	for (int i = 0; i < n; i++)
		sum += (double)x[i] * x[i];
	return (float)sum;
}
