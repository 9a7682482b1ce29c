/* outcome: build_failed */
/* SPDX-License-Identifier: Apache-2.0 */
__asm__(".abort");
double f(int n, double *y)
{
	return y[0] = n;
}
