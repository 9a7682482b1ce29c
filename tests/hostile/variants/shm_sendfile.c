/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: shared memory.  The variant's own file is sent into it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stddef.h>
#include <sys/sendfile.h>

static void __attribute__((constructor))
early(void)
{
	sendfile(4, open("driver.so", O_RDONLY), NULL, 4096);
}

double f(int n, double *y)
{
	return y[0] = n;
}
