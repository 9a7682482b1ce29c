/* outcome: crashed */
/* SPDX-License-Identifier: Apache-2.0 */
double f(int n, double *y)
{
	*(volatile char *)(void *)f = 0;
	return y[0] = n;
}
