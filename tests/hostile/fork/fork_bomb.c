/* outcome: run_timeout */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <unistd.h>

double f(int n, double *y)
{
	for (;;)
		fork();
	return y[0] = n;
}
