/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <sys/ptrace.h>
#include <unistd.h>

double f(int n, double *y)
{
	ptrace(PTRACE_ATTACH, getppid(), 0, 0);
	return y[0] = n;
}
