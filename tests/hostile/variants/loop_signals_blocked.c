/* outcome: run_timeout */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <signal.h>

double f(int n, double *y)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, 0);
	for (;;)
		;
}
