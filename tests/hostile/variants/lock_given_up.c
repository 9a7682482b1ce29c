/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: the signature.  The lock that names the process is given up. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>

static void __attribute__((constructor))
early(void)
{
	struct flock	lock = { .l_type = F_UNLCK, .l_whence = SEEK_SET, .l_start = 0 };

	fcntl(4, F_SETLK, &lock);
}

double f(int n, double *y)
{
	return y[0] = n;
}
