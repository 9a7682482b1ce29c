/* outcome: crashed */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <sys/mman.h>

double f(int n, double *y)
{
	munmap((void *)4096, 0x7ffffff00000);
	return y[0] = n;
}
