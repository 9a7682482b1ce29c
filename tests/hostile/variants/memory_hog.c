/* outcome: crashed run_timeout */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

double f(int n, double *y)
{
	for (;;)
		memset(malloc(64 << 20), 1, 64);
	return y[0] = n;
}
