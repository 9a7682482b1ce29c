/* SPDX-License-Identifier: Apache-2.0 */
/* Does not compile: a word that is no type. */
duoble
dotprod(const int N, const double *X, const double *Y)
{
	return N * X[0] * Y[0];
}
