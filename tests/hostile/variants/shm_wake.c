/* outcome: ok crashed run_timeout forbidden wrong_answer load_failed */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: shared memory.  All that waits on one of its words is woken. */
#include "shm.h"

static void __attribute__((constructor))
early(void)
{
	map_all();
	for (long i = 0; i < bytes && i < 65536; i += 4)
		syscall(SYS_futex, shm + i, FUTEX_WAKE, 1000, NULL, NULL, 0);
}

double f(int n, double *y)
{
	return y[0] = n;
}
