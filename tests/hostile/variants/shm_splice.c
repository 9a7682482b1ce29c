/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: shared memory.  Zeros are spliced into it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stddef.h>

static void __attribute__((constructor))
early(void)
{
	splice(open("/dev/zero", O_RDONLY), NULL, 4, NULL, 4096, 0);
}

double f(int n, double *y)
{
	return y[0] = n;
}
