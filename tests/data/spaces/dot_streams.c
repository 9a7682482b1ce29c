/* SPDX-License-Identifier: Apache-2.0 */
/* The dot product with UNROLL sums; lines of both vectors are asked for AHEAD doubles early, kept as HOW says. */
double
dotprod(const int N, const double *X, const double *Y)
{
	double	 sum[UNROLL] = { 0.0 }, dot = 0.0;
	int	 i = 0;

	for (; i <= N - UNROLL; i += UNROLL) {
#if AHEAD > 0
		for (int u = 0; u < UNROLL; u += 8) {
			__builtin_prefetch(X + i + u + AHEAD, 0, HOW);
			__builtin_prefetch(Y + i + u + AHEAD, 0, HOW);
		}
#endif
		for (int u = 0; u < UNROLL; u++)
			sum[u] += X[i + u] * Y[i + u];
	}
	for (; i < N; i++)
		dot += X[i] * Y[i];
	for (int u = 0; u < UNROLL; u++)
		dot += sum[u];
	return dot;
}
