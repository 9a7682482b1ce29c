/* SPDX-License-Identifier: Apache-2.0 */
/* The sum of one element of each second cache line. */
double
strided(int n, const double *x)
{
	double	 even = 0.0, odd = 0.0;

	for (int i = 0; i <= n - 32; i += 32) {
		even += x[i];
		odd += x[i + 16];
	}
	return even + odd;
}
