/* outcome: ok crashed */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: memory.  The page of an operand moves away. */
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>

double f(int n, double *y)
{
	mremap((void *)((uintptr_t)y & -(uintptr_t)4096), 4096, 8192, MREMAP_MAYMOVE);
	return y[0] = n;
}
