/* outcome: forbidden crashed */
/* SPDX-License-Identifier: Apache-2.0 */
/* Not every kernel has calls of 32 bits: without them the instruction is a fault. */
double f(int n, double *y)
{
	int r = 20;

	__asm__ volatile("int $0x80" : "+a"(r));
	return y[0] = n;
}
