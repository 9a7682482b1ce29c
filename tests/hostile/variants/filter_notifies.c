/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: the filter.  A listener for the own calls is asked for. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_seccomp, 1, 8, y);
	return y[0] = n;
}
