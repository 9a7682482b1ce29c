/* SPDX-License-Identifier: Apache-2.0 */
/* The dot product by a team, each thread with a sum of its own.  Needs -fopenmp. */
double
dot(int n, const double *x, const double *y)
{
	double	 sum = 0.0;

#pragma omp parallel for reduction(+:sum)
	for (int i = 0; i < n; i++)
		sum += x[i] * y[i];
	return sum;
}
