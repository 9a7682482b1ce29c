/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: memory.  Which pages of the driver are in memory is asked for. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_mincore, (long)f & -4096, 4096, y);
	return y[0] = n;
}
