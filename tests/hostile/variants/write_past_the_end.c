/* outcome: crashed */
/* SPDX-License-Identifier: Apache-2.0 */
double f(int n, double *y)
{
	for (long i = 0; i < 1 << 24; i++)
		y[i] = n;
	return n;
}
