/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: other processes.  The template's memory is read. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_process_vm_readv, 1, y, 1, y, 1, 0);
	return y[0] = n;
}
