/* outcome: ok forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: shared memory.  A mapping of it is moved, grown and shrunk. */
#define _GNU_SOURCE
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

static void __attribute__((constructor))
early(void)
{
	const long	bytes = lseek(4, 0, SEEK_END);
	char		*shm = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);

	if (shm == MAP_FAILED)
		return;
	shm = mremap(shm, bytes, 2 * bytes, MREMAP_MAYMOVE);
	if (shm != MAP_FAILED)
		mremap(shm, 2 * bytes, 4096, 0);
}

double f(int n, double *y)
{
	return y[0] = n;
}
