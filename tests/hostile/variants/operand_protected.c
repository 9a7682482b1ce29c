/* outcome: crashed */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: memory.  The page of an operand can no longer be touched. */
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>

double f(int n, double *y)
{
	mprotect((void *)((uintptr_t)y & -(uintptr_t)4096), 4096, PROT_NONE);
	return y[0] = n;
}
