/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: shared memory.  A hole is punched through the descriptor. */
#define _GNU_SOURCE
#include <fcntl.h>

static void __attribute__((constructor))
early(void)
{
	fallocate(4, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 1 << 20);
}

double f(int n, double *y)
{
	return y[0] = n;
}
