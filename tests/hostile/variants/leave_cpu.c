/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <sched.h>

double f(int n, double *y)
{
	cpu_set_t all;

	CPU_ZERO(&all);
	CPU_SET(0, &all);
	sched_setaffinity(0, sizeof all, &all);
	return y[0] = n;
}
