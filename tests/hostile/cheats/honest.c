/* SPDX-License-Identifier: Apache-2.0 */
/* No cheat: what the others are measured against. */
#define honest f
void
honest(int n, const double *x, double *y)
{
	for (int i = 0; i < n; i++) {
		double	s = 1;

		for (int k = 0; k < 60; k++)
			s = s * x[i] * 0.99 + 0.5;
		y[i] = s;
	}
}
