/* outcome: ok crashed wrong_answer */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: memory.  The page of an operand is given back. */
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>

double f(int n, double *y)
{
	madvise((void *)((uintptr_t)y & -(uintptr_t)4096), 4096, MADV_DONTNEED);
	return y[0] = n;
}
