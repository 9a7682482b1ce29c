/* SPDX-License-Identifier: Apache-2.0 */
/* Bound by memory: of the weights, which are the same for all calls, one element a line is read. */
double
f(int n, const double *w, const double *x)
{
	double	s[4] = { 0 };

	for (int i = 0; i + 4 <= n; i += 4)
		for (int k = 0; k < 4; k++)
			s[k] += w[8 * (i + k)] * x[i + k];
	return (s[0] + s[1]) + (s[2] + s[3]);
}
