/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: descriptors.  All opening of files is watched. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_fanotify_init, 0, 0);
	return y[0] = n;
}
