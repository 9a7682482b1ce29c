/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <signal.h>
#include <unistd.h>
#include <sys/syscall.h>

double f(int n, double *y)
{
	syscall(SYS_tgkill, 2, 2, SIGKILL);
	return y[0] = n;
}
