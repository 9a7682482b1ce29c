/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: attributes.  The mask of new files is changed. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_umask, 0);
	return y[0] = n;
}
