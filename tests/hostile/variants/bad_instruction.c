/* outcome: crashed */
/* SPDX-License-Identifier: Apache-2.0 */
double f(int n, double *y)
{
	__asm__ volatile("ud2");
	return y[0] = n;
}
