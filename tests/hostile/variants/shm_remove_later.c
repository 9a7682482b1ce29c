/* outcome: ok crashed run_timeout forbidden wrong_answer load_failed */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: shared memory.  A hole is made where all of it was, when called. */
#include "shm.h"

static void __attribute__((constructor))
early(void)
{
	map_all();
}

double f(int n, double *y)
{
	madvise(shm, bytes, MADV_REMOVE);
	return y[0] = n;
}
