/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: keys.  A key is asked for. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_request_key, "user", "left", 0, -3);
	return y[0] = n;
}
