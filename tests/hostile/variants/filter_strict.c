/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: the filter.  Strict mode by the newer call. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_seccomp, 0, 0, 0);
	return y[0] = n;
}
