/* outcome: build_failed */
/* SPDX-License-Identifier: Apache-2.0 */
int g(void) __attribute__((alias("g")));
double f(int n, double *y)
{
	return y[0] = n;
}
