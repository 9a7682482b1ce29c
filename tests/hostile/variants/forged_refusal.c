/* outcome: forbidden crashed */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: the stop.  It sends itself the signal of a refused call. */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_tgkill, getpid(), gettid(), SIGSYS);
	return y[0] = n;
}
