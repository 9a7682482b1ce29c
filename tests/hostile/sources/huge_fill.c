/* outcome: build_limit build_failed */
/* SPDX-License-Identifier: Apache-2.0 */
__asm__(".data\n.fill 0x7fffffff\n.text");
double f(int n, double *y)
{
	return y[0] = n;
}
