/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: the stop.  The terminal's stop is ignored while it is loaded. */
#define _GNU_SOURCE
#include <signal.h>

static void __attribute__((constructor))
early(void)
{
	signal(SIGTSTP, SIG_IGN);
}

double f(int n, double *y)
{
	return y[0] = n;
}
