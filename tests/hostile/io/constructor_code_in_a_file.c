/* outcome: ok */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static int	mapped;

static __attribute__((constructor)) void
begin(void)
{
	static const char	code[4096] = { (char)0xc3 };
	int			fd = open("/scratch/code", O_RDWR | O_CREAT, 0700);

	mapped = fd < 0 || write(fd, code, sizeof code) != sizeof code ||
	    mmap(NULL, sizeof code, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) != MAP_FAILED;
}

double f(int n, double *y)
{
	return y[0] = mapped ? -1 : n;
}
