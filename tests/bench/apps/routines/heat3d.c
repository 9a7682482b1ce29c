/* SPDX-License-Identifier: Apache-2.0 */
void
heat3d(int n, double rate, const double *in, double *out)
{
	const long	row = n, plane = (long)n * n;

	for (long i = 1; i < n - 1; i++)
		for (long j = 1; j < n - 1; j++)
			for (long k = 1; k < n - 1; k++) {
				const double	*p = in + i * plane + j * row + k;

				out[p - in] = *p + rate * (p[-plane] + p[plane] + p[-row] + p[row] +
				    p[-1] + p[1] - 6 * *p);
			}
}
