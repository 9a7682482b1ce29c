/* outcome: run_timeout */
/* SPDX-License-Identifier: Apache-2.0 */
/* Class: the stop.  It sleeps while it is loaded. */
#define _GNU_SOURCE
#include <unistd.h>

static void __attribute__((constructor))
early(void)
{
	for (;;)
		sleep(1000);
}

double f(int n, double *y)
{
	return y[0] = n;
}
