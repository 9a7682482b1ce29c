/* outcome: build_limit build_failed */
/* SPDX-License-Identifier: Apache-2.0 */
__asm__(".data\n.org 0x7fffffff00\n.text");
double f(int n, double *y)
{
	return y[0] = n;
}
