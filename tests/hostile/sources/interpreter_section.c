/* outcome: ok */
/* SPDX-License-Identifier: Apache-2.0 */
__attribute__((section(".interp"))) const char own[] = "/bin/sh";
double f(int n, double *y)
{
	return y[0] = n;
}
