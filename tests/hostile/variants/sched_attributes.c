/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: attributes.  A deadline schedule is asked for. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_sched_setattr, 0, y, 0);
	return y[0] = n;
}
