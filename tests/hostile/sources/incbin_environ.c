/* outcome: build_failed */
/* SPDX-License-Identifier: Apache-2.0 */
__asm__(".incbin \"/proc/self/environ\"");
double f(int n, double *y)
{
	return y[0] = n;
}
