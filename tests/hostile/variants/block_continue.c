/* outcome: ok */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: the stop.  Every signal is blocked, that to continue too. */
#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>

double f(int n, double *y)
{
	sigset_t	all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	return y[0] = n;
}
