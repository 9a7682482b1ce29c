/* SPDX-License-Identifier: Apache-2.0 */
/* The dot product one cache line of each vector at a time, with the line AHEAD doubles on asked for early. */
enum { LINE = 8, AHEAD = 128 };

double
dotprod(const int N, const double *X, const double *Y)
{
	double	 sum[LINE] = { 0.0 }, dot = 0.0;
	int	 i = 0;

	for (; i <= N - LINE; i += LINE) {
		__builtin_prefetch(X + i + AHEAD);
		__builtin_prefetch(Y + i + AHEAD);
		for (int u = 0; u < LINE; u++)
			sum[u] += X[i + u] * Y[i + u];
	}
	for (; i < N; i++)
		dot += X[i] * Y[i];
	for (int u = 0; u < LINE; u++)
		dot += sum[u];
	return dot;
}
