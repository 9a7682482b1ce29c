/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: shared memory.  A file is copied into it by the kernel. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

static void __attribute__((constructor))
early(void)
{
	copy_file_range(open("driver.so", O_RDONLY), NULL, 4, NULL, 4096, 0);
}

double f(int n, double *y)
{
	return y[0] = n;
}
