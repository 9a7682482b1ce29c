/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <sys/stat.h>

double f(int n, double *y)
{
	y[0] = mkdir("/scratch/deeper", 0700);
	return n;
}
