/* outcome: build_limit build_failed */
/* SPDX-License-Identifier: Apache-2.0 */
__asm__(".p2align 40\n.byte 1");
double f(int n, double *y)
{
	return y[0] = n;
}
