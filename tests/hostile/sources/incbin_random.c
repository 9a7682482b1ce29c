/* outcome: build_timeout build_limit build_failed */
/* SPDX-License-Identifier: Apache-2.0 */
__asm__(".incbin \"/dev/urandom\"");
double f(int n, double *y)
{
	return y[0] = n;
}
