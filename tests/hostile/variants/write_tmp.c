/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <stdio.h>

double f(int n, double *y)
{
	y[0] = fopen("/tmp/assay-left", "w") != 0;
	return n;
}
