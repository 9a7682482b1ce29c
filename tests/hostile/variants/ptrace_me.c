/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: other processes.  The template becomes the tracer. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_ptrace, 0, 0, 0, 0);
	return y[0] = n;
}
