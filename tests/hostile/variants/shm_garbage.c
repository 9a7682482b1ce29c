/* outcome: ok crashed run_timeout forbidden wrong_answer load_failed */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: shared memory.  All of it but the first pages is filled with ones. */
#include "shm.h"

static void __attribute__((constructor))
early(void)
{
	map_all();
	if (bytes > 65536)
		memset(shm + 65536, 0xff, bytes - 65536);
}

double f(int n, double *y)
{
	return y[0] = n;
}
