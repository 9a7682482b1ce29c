/* SPDX-License-Identifier: Apache-2.0 */
/* Never returns. */
double
dotprod(const int N, const double *X, const double *Y)
{
	volatile double	 dot = X[0] * Y[0];

	for (;;)
		dot += N;
}
