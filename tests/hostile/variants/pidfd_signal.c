/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: other processes.  A descriptor carries a signal. */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_pidfd_send_signal, 4, SIGKILL, 0, 0);
	return y[0] = n;
}
