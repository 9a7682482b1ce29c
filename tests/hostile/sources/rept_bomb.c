/* outcome: build_limit build_timeout */
/* SPDX-License-Identifier: Apache-2.0 */
__asm__(".data\n.rept 1000000000\n.quad 1\n.endr\n.text");
double f(int n, double *y)
{
	return y[0] = n;
}
