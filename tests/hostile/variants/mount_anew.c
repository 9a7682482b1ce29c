/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: descriptors.  A file system is opened. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_fsopen, "tmpfs", 0);
	return y[0] = n;
}
