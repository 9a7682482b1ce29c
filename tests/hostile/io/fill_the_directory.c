/* outcome: ok */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>

enum { MIB = 1 << 20, MOST = 64 };
static char	block[MIB];

/* One more than it should be able to write is a wrong answer. */
double f(int n, double *y)
{
	int	fd = open("/scratch/large", O_WRONLY | O_CREAT, 0600), written = 0;

	while (fd >= 0 && written <= MOST && write(fd, block, MIB) == MIB)
		written++;
	y[0] = fd >= 0 && written > 0 && written <= MOST ? n : -1;
	return y[0];
}
