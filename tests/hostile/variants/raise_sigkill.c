/* outcome: run_limit */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <signal.h>
#include <unistd.h>
#include <sys/syscall.h>

double f(int n, double *y)
{
	syscall(SYS_tgkill, getpid(), gettid(), SIGKILL);
	return y[0] = n;
}
