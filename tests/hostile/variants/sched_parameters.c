/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: attributes.  The priority is raised. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_sched_setparam, 0, y);
	return y[0] = n;
}
