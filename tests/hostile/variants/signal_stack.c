/* outcome: forbidden; with sanitizers: ok */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: later signals.  Signals get another stack. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_sigaltstack, y, 0);
	return y[0] = n;
}
