/* outcome: crashed */
/* SPDX-License-Identifier: Apache-2.0 */
static double __attribute__((noinline))
dive(double a)
{
	volatile double here[512];

	here[0] = a;
	return dive(here[0] + 1) + here[0];
}

double f(int n, double *y)
{
	return y[0] = dive(n);
}
