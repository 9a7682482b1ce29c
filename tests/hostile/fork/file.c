/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <fcntl.h>

double f(int n, double *y)
{
	y[0] = open("/scratch/file", O_WRONLY | O_CREAT, 0600);
	return n;
}
