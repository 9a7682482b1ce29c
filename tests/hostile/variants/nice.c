/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <sys/resource.h>

double f(int n, double *y)
{
	setpriority(PRIO_PROCESS, 0, -20);
	return y[0] = n;
}
