/* SPDX-License-Identifier: Apache-2.0 */
/* Bound by memory: both operands are read, and the answer is the returned value. */
double
f(int n, const double *x, const double *y)
{
	typedef double	two __attribute__((vector_size(16), aligned(8)));
	two		s[4] = { { 0 } };
	double		rest = 0;

	for (int i = 0; i + 8 <= n; i += 8)
		for (int k = 0; k < 4; k++)
			s[k] += *(const two *)&x[i + 2 * k] * *(const two *)&y[i + 2 * k];
	for (int i = n / 8 * 8; i < n; i++)
		rest += x[i] * y[i];
	s[0] = (s[0] + s[1]) + (s[2] + s[3]);
	return s[0][0] + s[0][1] + rest;
}
