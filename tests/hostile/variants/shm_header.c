/* outcome: ok crashed run_timeout forbidden wrong_answer load_failed */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: shared memory.  The header, with magic number, sizes and places, is garbage. */
#include "shm.h"

static void __attribute__((constructor))
early(void)
{
	map_all();
	if (shm != NULL)
		memset(shm, 0x5a, 4096);
}

double f(int n, double *y)
{
	return y[0] = n;
}
