/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: later signals.  A timer of the clock is made. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_timer_create, 1, 0, y);
	return y[0] = n;
}
