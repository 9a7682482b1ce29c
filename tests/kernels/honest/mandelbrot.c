/* SPDX-License-Identifier: Apache-2.0 */
/* The turns until each point is known to be outside: the time depends on the points. */
enum { MOST = 100 };

void
mandelbrot(int n, const double *re, const double *im, int *turns)
{
	for (int i = 0; i < n; i++) {
		double	 x = 0.0, y = 0.0;
		int	 t = 0;

		for (; t < MOST && x * x + y * y <= 4.0; t++) {
			double	 next = x * x - y * y + re[i];

			y = 2.0 * x * y + im[i];
			x = next;
		}
		turns[i] = t;
	}
}
