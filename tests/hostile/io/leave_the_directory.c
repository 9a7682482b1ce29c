/* outcome: ok */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <fcntl.h>

static const char *const	places[] = {
	"/left", "/tmp/assay-left", "/work/left", "/usr/left", "/dev/left", "/dev/shm/left",
	"/etc/left", "/scratch/../left", "/proc/self/mem", "/work/driver.so", "left", "../left",
};

double f(int n, double *y)
{
	y[0] = n;
	for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++)
		if (open(places[i], O_WRONLY) >= 0 || open(places[i], O_WRONLY | O_CREAT, 0600) >= 0)
			y[0] = -1;
	return y[0];
}
