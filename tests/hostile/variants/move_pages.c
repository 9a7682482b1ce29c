/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: other processes.  Their memory changes its node. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_migrate_pages, 1, 8, y, y);
	return y[0] = n;
}
