/* outcome: crashed */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: the stop.  Its only thread ends, but not the process. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_exit, 0);
	return y[0] = n;
}
