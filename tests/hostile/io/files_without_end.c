/* outcome: ok */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

double f(int n, double *y)
{
	char	path[32];
	int	made = 0, fd = 0;

	for (int i = 0; i < 1000 && fd >= 0; i++) {
		snprintf(path, sizeof path, "/scratch/%d", i);
		if ((fd = open(path, O_WRONLY | O_CREAT, 0600)) >= 0)
			made++;
		close(fd);
	}
	return y[0] = made > 0 && made <= 64 ? n : -1;
}
