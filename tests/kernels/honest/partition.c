/* SPDX-License-Identifier: Apache-2.0 */
/* The elements below a pivot first, the others behind them; both keep their order. */
int
partition(int n, double pivot, const double *x, double *y)
{
	int	 below = 0, to;

	for (int i = 0; i < n; i++)
		if (x[i] < pivot)
			y[below++] = x[i];
	to = below;
	for (int i = 0; i < n; i++)
		if (!(x[i] < pivot))
			y[to++] = x[i];
	return below;
}
