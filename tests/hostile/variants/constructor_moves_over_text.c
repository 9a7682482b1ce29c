/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: code is replaced while loading.  Pages of its own file are moved over the runner's. */
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>

double f(int n, double *y)
{
	return y[0] = n;
}

static void __attribute__((constructor))
early(void)
{
	void	*page = (void *)(getauxval(AT_ENTRY) & -(uintptr_t)4096);

	if (mremap(page, 4096, 8192, MREMAP_MAYMOVE) != MAP_FAILED)
		return;
	mremap((void *)((uintptr_t)f & -(uintptr_t)4096), 4096, 4096,
	    MREMAP_MAYMOVE | MREMAP_FIXED, page);
}
