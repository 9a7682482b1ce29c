/* outcome: ok */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class: code is taken away while loading.  All of the runner's, so that nothing that is measured
 * comes from it, by each call that takes memory away.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>

double f(int n, double *y)
{
	return y[0] = n;
}

static void __attribute__((constructor))
early(void)
{
	char	*page = (char *)(getauxval(AT_ENTRY) & -(uintptr_t)4096);

	if (munmap(page, 4096) == 0 || munmap(page - ((uintptr_t)5 << 32), (size_t)6 << 32) == 0 ||
	    mremap(page, 4096, 8192, MREMAP_MAYMOVE) != MAP_FAILED ||
	    mprotect(page, 4096, PROT_NONE) == 0 || madvise(page, 4096, MADV_DONTNEED) == 0)
		abort();
}
