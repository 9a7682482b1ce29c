/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: namespaces.  Another's is entered. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_setns, 4, 0);
	return y[0] = n;
}
