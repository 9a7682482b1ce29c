/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <sys/stat.h>

double f(int n, double *y)
{
	mkdir("x", 0777);
	return y[0] = n;
}
