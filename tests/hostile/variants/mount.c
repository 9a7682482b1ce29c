/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <sys/mount.h>

double f(int n, double *y)
{
	mount("x", "/usr", "tmpfs", 0, 0);
	return y[0] = n;
}
