/* SPDX-License-Identifier: Apache-2.0 */
/* Complex numbers times their partners, by real and imaginary parts. */
#include <complex.h>

void
rotate(int n, const double complex *x, double complex *y)
{
	const double	*a = (const double *)x;
	double		*b = (double *)y;

	for (int i = 0; i < 2 * n; i += 2) {
		double	 re = a[i] * b[i] - a[i + 1] * b[i + 1];

		b[i + 1] = a[i] * b[i + 1] + a[i + 1] * b[i];
		b[i] = re;
	}
}
