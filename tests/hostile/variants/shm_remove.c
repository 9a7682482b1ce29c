/* outcome: ok crashed run_timeout forbidden wrong_answer load_failed */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: shared memory.  A hole is made where all of it was. */
#define _GNU_SOURCE
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

static void __attribute__((constructor))
early(void)
{
	const long	bytes = lseek(4, 0, SEEK_END);
	char		*shm = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);

	if (shm != MAP_FAILED)
		madvise(shm, bytes, MADV_REMOVE);
}

double f(int n, double *y)
{
	return y[0] = n;
}
