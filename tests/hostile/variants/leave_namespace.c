/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: namespaces.  One of its own is made. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_unshare, 0x10000000);
	return y[0] = n;
}
