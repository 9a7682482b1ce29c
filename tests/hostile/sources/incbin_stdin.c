/* outcome: ok build_failed */
/* SPDX-License-Identifier: Apache-2.0 */
__asm__(".section .rodata\n.incbin \"/dev/null\"\n.text");
double f(int n, double *y)
{
	return y[0] = n;
}
