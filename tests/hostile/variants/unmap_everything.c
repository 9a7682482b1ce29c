/* outcome: ok */
/* SPDX-License-Identifier: Apache-2.0 */
/* Both calls fail: the program of a filter lies at the bottom, code and operands above it. */
#define _GNU_SOURCE
#include <sys/mman.h>

double f(int n, double *y)
{
	if (munmap((void *)4096, 0x7ffffff00000) == 0)
		return y[0] = n;
	munmap((void *)0x200000, 0x7fffffd00000);
	return y[0] = n;
}
