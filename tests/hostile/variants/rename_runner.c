/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <stdio.h>

double f(int n, double *y)
{
	rename("/assay-runner", "/gone");
	return y[0] = n;
}
