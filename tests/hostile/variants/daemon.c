/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <unistd.h>

double f(int n, double *y)
{
	if (fork() == 0) {
		setsid();
		if (fork() == 0)
			for (;;)
				sleep(1);
		_exit(0);
	}
	return y[0] = n;
}
