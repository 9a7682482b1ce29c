/* outcome: ok forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: shared memory.  A mapping of it is moved, grown and shrunk. */
#include "shm.h"

static void __attribute__((constructor))
early(void)
{
	map_all();
	shm = mremap(shm, bytes, 2 * bytes, MREMAP_MAYMOVE);
	if (shm != MAP_FAILED)
		mremap(shm, 2 * bytes, 4096, 0);
}

double f(int n, double *y)
{
	return y[0] = n;
}
