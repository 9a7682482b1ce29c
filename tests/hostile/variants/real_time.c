/* outcome: ok */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <sched.h>

double f(int n, double *y)
{
	struct sched_param p = { .sched_priority = 50 };

	if (sched_setscheduler(0, SCHED_FIFO, &p) == 0)
		return y[0] = -1;
	return y[0] = n;
}
