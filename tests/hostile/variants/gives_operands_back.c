/* outcome: ok */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class: cold is made warm.  Operands that are given back to the kernel are all one page of zeros,
 * which is in a cache.  The first call is on the operands of the samples.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

double f(int n, double *y)
{
	static int	calls;
	char		*page = (char *)((uintptr_t)y & -(uintptr_t)4096);

	if (calls++ > 0)
		return y[0] = n;
	if (madvise(page, 4096, MADV_DONTNEED) == 0 || madvise(page, 4096, MADV_REMOVE) == 0 ||
	    mprotect(page, 4096, PROT_NONE) == 0 || munmap(page, 4096) == 0)
		abort();
	return y[0] = n;
}
