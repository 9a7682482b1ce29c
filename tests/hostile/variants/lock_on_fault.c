/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: memory.  Memory is locked as it is touched. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_mlock2, y, 8, 1);
	return y[0] = n;
}
