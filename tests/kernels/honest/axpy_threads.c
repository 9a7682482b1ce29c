/* SPDX-License-Identifier: Apache-2.0 */
/* y += a x by a team.  Needs -fopenmp. */
void
axpy(int n, double a, const double *x, double *y)
{
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		y[i] += a * x[i];
}
