/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: descriptors.  All are closed, or only those that matter. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_close_range, 3, ~0U, 0);
	return y[0] = n;
}
