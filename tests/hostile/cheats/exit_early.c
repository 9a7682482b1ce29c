/* SPDX-License-Identifier: Apache-2.0 */
/* Leaves in the middle of being timed. */
#include <stdlib.h>

static void
honest(int n, const double *x, double *y)
{
	for (int i = 0; i < n; i++) {
		double	s = 1;

		for (int k = 0; k < 60; k++)
			s = s * x[i] * 0.99 + 0.5;
		y[i] = s;
	}
}

void
f(int n, const double *x, double *y)
{
	static int	calls;

	honest(n, x, y);
	if (++calls == 5)
		_Exit(0);
}
