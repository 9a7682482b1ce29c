/* outcome: run_timeout */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: the stop.  The process stops itself, as only its supervisor should. */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_tgkill, getpid(), gettid(), SIGSTOP);
	return y[0] = n;
}
