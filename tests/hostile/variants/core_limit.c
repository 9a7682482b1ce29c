/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: limits.  Files of any size are asked for. */
#define _GNU_SOURCE
#include <sys/resource.h>

static void __attribute__((constructor))
early(void)
{
	struct rlimit	all = { RLIM_INFINITY, RLIM_INFINITY };

	setrlimit(RLIMIT_CORE, &all);
}

double f(int n, double *y)
{
	return y[0] = n;
}
