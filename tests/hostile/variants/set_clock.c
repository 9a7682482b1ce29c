/* outcome: forbidden */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <time.h>

double f(int n, double *y)
{
	struct timespec t = { 0, 0 };

	clock_settime(CLOCK_REALTIME, &t);
	return y[0] = n;
}
