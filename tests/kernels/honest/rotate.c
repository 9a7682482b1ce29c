/* SPDX-License-Identifier: Apache-2.0 */
/* Complex numbers, each times its partner. */
#include <complex.h>

void
rotate(int n, const double complex *x, double complex *y)
{
	for (int i = 0; i < n; i++)
		y[i] *= x[i];
}
