/* outcome: build_limit build_timeout build_failed */
/* SPDX-License-Identifier: Apache-2.0 */
__asm__(".macro m\nm\nm\n.endm\nm");
double f(int n, double *y)
{
	return y[0] = n;
}
