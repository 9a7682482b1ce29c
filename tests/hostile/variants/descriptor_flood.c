/* outcome: ok */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: limits.  Descriptors are opened until there are no more. */
#define _GNU_SOURCE
#include <fcntl.h>

static void __attribute__((constructor))
early(void)
{
	while (open(".", O_RDONLY) >= 0)
		continue;
}

double f(int n, double *y)
{
	return y[0] = n;
}
