/* outcome: crashed */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: the stop.  It returns from a signal that never came. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_rt_sigreturn);
	return y[0] = n;
}
