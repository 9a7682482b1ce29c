/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A child of the runner's, and not of its own. */
double f(int n, double *y)
{
	y[0] = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
	return n;
}
