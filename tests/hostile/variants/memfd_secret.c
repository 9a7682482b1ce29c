/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: memory.  Memory that the kernel itself does not map is asked for. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_memfd_secret, 0);
	return y[0] = n;
}
