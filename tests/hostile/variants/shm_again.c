/* outcome: ok forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class: the signature.  A second descriptor of the same memory is opened and closed, and with it
 * goes every lock of the process.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

static void __attribute__((constructor))
early(void)
{
	static const char	*const names[] = { "/proc/self/fd/4", "/dev/fd/4" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		int	fd = open(names[i], O_RDONLY);

		if (fd >= 0)
			close(fd);
	}
}

double f(int n, double *y)
{
	return y[0] = n;
}
