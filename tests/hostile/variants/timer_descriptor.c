/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: later signals.  A timer is a descriptor. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_timerfd_create, 1, 0);
	return y[0] = n;
}
