/* outcome: ok run_limit crashed */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: limits.  Mappings are made until there are no more. */
#define _GNU_SOURCE
#include <stddef.h>
#include <sys/mman.h>

double f(int n, double *y)
{
	for (int i = 0; mmap(NULL, 4096, i++ % 2 ? PROT_READ : PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;)
		continue;
	return y[0] = n;
}
