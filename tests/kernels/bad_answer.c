/* SPDX-License-Identifier: Apache-2.0 */
/* Returns quickly, and something else: it forgets the second half of the vectors. */
double
dotprod(const int N, const double *X, const double *Y)
{
	double	 dot = 0.0;

	for (int i = 0; i < N / 2; i++)
		dot += X[i] * Y[i];
	return dot;
}
