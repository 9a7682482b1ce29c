/* SPDX-License-Identifier: Apache-2.0 */
/* One step of the heat equation on N x N points: each inner one moves towards the mean of its four neighbours. */
void
stencil(const int N, const double rate, const double *in, double *out)
{
	for (int i = 1; i < N - 1; i++) {
		const double	*up = in + (long)(i - 1) * N, *row = up + N, *down = row + N;
		double		*to = out + (long)i * N;

		for (int j = 1; j < N - 1; j++)
			to[j] = row[j] + rate * (up[j] + down[j] + row[j - 1] + row[j + 1] - 4.0 * row[j]);
	}
}
