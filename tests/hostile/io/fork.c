/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <unistd.h>

double f(int n, double *y)
{
	y[0] = fork();
	return n;
}
