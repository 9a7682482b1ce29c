/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: other processes.  A descriptor of another is taken. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_pidfd_getfd, 4, 3, 0);
	return y[0] = n;
}
