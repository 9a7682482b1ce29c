/* outcome: crashed */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <unistd.h>

static void __attribute__((constructor))
early(void)
{
	_exit(0);
}

double f(int n, double *y)
{
	return y[0] = n;
}
