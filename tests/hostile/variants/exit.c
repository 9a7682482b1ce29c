/* outcome: crashed; with sanitizers: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <stdlib.h>

double f(int n, double *y)
{
	y[0] = n;
	exit(0);
}
