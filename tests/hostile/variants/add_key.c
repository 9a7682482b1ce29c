/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: keys.  A key is added to the session's ring. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_add_key, "user", "left", "x", 1, -3);
	return y[0] = n;
}
