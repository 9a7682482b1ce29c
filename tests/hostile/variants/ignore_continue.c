/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: the stop.  The signal to continue is ignored. */
#define _GNU_SOURCE
#include <signal.h>

double f(int n, double *y)
{
	signal(SIGCONT, SIG_IGN);
	return y[0] = n;
}
