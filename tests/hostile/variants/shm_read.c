/* outcome: ok forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: shared memory.  All of it is read through the descriptor, which changes nothing. */
#define _GNU_SOURCE
#include <unistd.h>

static void __attribute__((constructor))
early(void)
{
	static char	some[65536];

	for (long at = 0; pread(4, some, sizeof some, at) == (long)sizeof some;)
		at += (long)sizeof some;
}

double f(int n, double *y)
{
	return y[0] = n;
}
