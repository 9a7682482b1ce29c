/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <sys/mman.h>

double f(int n, double *y)
{
	y[0] = memfd_create("x", 0);
	return n;
}
