/* outcome: crashed */
/* SPDX-License-Identifier: Apache-2.0 */
double f(int n, double *y)
{
	volatile int zero = 0;

	return y[0] = n / zero;
}
