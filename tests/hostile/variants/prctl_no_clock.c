/* outcome: forbidden; with sanitizers: crashed ok */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: attributes.  From now on reading the counter is a fault. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_prctl, 26, 2, 0, 0, 0);
	return y[0] = n;
}
