/* SPDX-License-Identifier: Apache-2.0 */
/* y += alpha * x, as anybody writes it. */
void
axpy(const int N, const double alpha, const double *X, double *Y)
{
	for (int i = 0; i < N; i++)
		Y[i] += alpha * X[i];
}
