/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <sys/mman.h>

double f(int n, double *y)
{
	mprotect((void *)((long)f & -4096), 4096, PROT_READ | PROT_WRITE | PROT_EXEC);
	return y[0] = n;
}
