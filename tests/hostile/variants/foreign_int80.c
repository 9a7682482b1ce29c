/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
double f(int n, double *y)
{
	int r = 20;

	__asm__ volatile("int $0x80" : "+a"(r));
	return y[0] = n;
}
