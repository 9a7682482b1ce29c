/* outcome: run_timeout forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: the stop.  The process stops itself while it is loaded. */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static void __attribute__((constructor))
early(void)
{
	syscall(SYS_tgkill, getpid(), gettid(), SIGSTOP);
}

double f(int n, double *y)
{
	return y[0] = n;
}
