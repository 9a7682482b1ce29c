/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: later signals.  Signals are read from a descriptor. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_signalfd4, -1, y, 8, 0);
	return y[0] = n;
}
