/* outcome: crashed */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: the stop.  A breakpoint without a debugger. */
#define _GNU_SOURCE
#include <signal.h>

double f(int n, double *y)
{
	raise(SIGTRAP);
	return y[0] = n;
}
