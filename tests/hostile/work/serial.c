/* SPDX-License-Identifier: Apache-2.0 */
/* Bound by latency: each step waits for the one before, and most of the core idles. */
double
f(int n, const double *x)
{
	double	s = 1;

	for (int i = 0; i < n; i++)
		s = s * x[i] * 0.99 + 0.5;
	return s;
}
