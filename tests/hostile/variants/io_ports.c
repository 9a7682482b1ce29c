/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: memory.  Ports of devices are asked for, where a machine has them. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

#if defined(SYS_iopl)
#define NR	SYS_iopl
#else
#define NR	SYS_add_key
#endif

double f(int n, double *y)
{
	syscall(NR, 3, 0, 0);
	return y[0] = n;
}
