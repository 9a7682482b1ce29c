/* SPDX-License-Identifier: Apache-2.0 */
/* Each inner point becomes the mean of itself and its four neighbours. */
void
stencil(int n, const double *in, double *out)
{
	for (int i = 1; i < n - 1; i++)
		for (int j = 1; j < n - 1; j++) {
			const double	*p = in + i * n + j;

			out[i * n + j] = 0.2 * (p[0] + p[-n] + p[n] + p[-1] + p[1]);
		}
}
