/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: attributes.  The disk is wanted first. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_ioprio_set, 1, 0, 0x2000);
	return y[0] = n;
}
