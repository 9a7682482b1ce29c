/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: descriptors.  Work of a ring that another has made is begun. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_io_uring_enter, 4, 1, 0, 0, 0, 0);
	return y[0] = n;
}
