/* SPDX-License-Identifier: Apache-2.0 */
/* A polynomial of degree 15 at each x, by Horner's rule. */
enum { DEGREE = 15 };

void
polynomial(int n, const double *x, const double *factor, double *y)
{
	for (int i = 0; i < n; i++) {
		double	 p = factor[DEGREE];

		for (int d = DEGREE - 1; d >= 0; d--)
			p = p * x[i] + factor[d];
		y[i] = p;
	}
}
