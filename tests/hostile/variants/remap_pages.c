/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: memory.  Pages of a mapping change places. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

double f(int n, double *y)
{
	syscall(SYS_remap_file_pages, (long)f & -4096, 4096, 0, 0, 0);
	return y[0] = n;
}
