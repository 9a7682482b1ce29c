/* outcome: crashed */
/* SPDX-License-Identifier: Apache-2.0 */
double f(int n, double *y)
{
	y[0] = *(volatile int *)8;
	return y[0] = n;
}
