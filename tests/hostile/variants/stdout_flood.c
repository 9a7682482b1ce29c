/* outcome: run_timeout */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <unistd.h>

double f(int n, double *y)
{
	for (;;)
		if (write(1, y, 8) < 0)
			return 1;
	return y[0] = n;
}
