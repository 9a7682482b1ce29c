/* outcome: ok crashed */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: memory.  The heap ends where it began. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_brk, (long)sbrk(0) - (1 << 20));
	return y[0] = n;
}
