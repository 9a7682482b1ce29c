/* outcome: ok */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>

static void __attribute__((constructor))
early(void)
{
	if (open("/etc/shadow", O_RDONLY) >= 0 || open("/root/.bashrc", O_RDONLY) >= 0)
		abort();
}

double f(int n, double *y)
{
	return y[0] = n;
}
