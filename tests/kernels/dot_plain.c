/* SPDX-License-Identifier: Apache-2.0 */
/* The dot product as anybody writes it: one sum, so each addition waits for the one before. */
double
dotprod(const int N, const double *X, const double *Y)
{
	double	 dot = 0.0;

	for (int i = 0; i < N; i++)
		dot += X[i] * Y[i];
	return dot;
}
