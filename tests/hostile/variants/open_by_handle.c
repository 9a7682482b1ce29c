/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: descriptors.  A file is opened by its number. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_open_by_handle_at, 4, y, 0);
	return y[0] = n;
}
