/* SPDX-License-Identifier: Apache-2.0 */
/* Crashes: writes where it may not. */
double
dotprod(const int N, const double *X, const double *Y)
{
	volatile double	*nowhere = (volatile double *)8;

	*nowhere = X[0] * Y[0];
	return N;
}
