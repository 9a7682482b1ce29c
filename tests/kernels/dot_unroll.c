/* SPDX-License-Identifier: Apache-2.0 */
/* The dot product unrolled UNROLL times, each copy of the body with a sum of its own. */
#ifndef UNROLL
#error "UNROLL: how many copies of the body, 2, 4, 8 …"
#endif

double
dotprod(const int N, const double *X, const double *Y)
{
	double	 sum[UNROLL] = { 0.0 }, dot = 0.0;
	int	 i = 0;

	for (; i <= N - UNROLL; i += UNROLL)
		for (int u = 0; u < UNROLL; u++)
			sum[u] += X[i + u] * Y[i + u];
	for (; i < N; i++)
		dot += X[i] * Y[i];
	for (int u = 0; u < UNROLL; u++)
		dot += sum[u];
	return dot;
}
