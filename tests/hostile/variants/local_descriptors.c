/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: memory.  A segment of its own is made, where a machine has them. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

#if defined(SYS_modify_ldt)
#define NR	SYS_modify_ldt
#else
#define NR	SYS_add_key
#endif

double f(int n, double *y)
{
	syscall(NR, 1, y, 16);
	return y[0] = n;
}
