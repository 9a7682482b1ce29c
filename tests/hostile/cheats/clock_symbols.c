/* SPDX-License-Identifier: Apache-2.0 */
/* Class: forged ticks.  Has every name that a clock might be asked by. */
#include <stdint.h>
#include <time.h>

#include "work.h"

uint64_t	rt_wall_ns(void);
uint64_t	rt_cpu_ns(void);
uint64_t	rt_canary(void);

int
clock_gettime(clockid_t which, struct timespec *t)
{
	(void)which;
	*t = (struct timespec){ 1, 1 };
	return 0;
}

uint64_t
rt_wall_ns(void)
{
	return 1;
}

uint64_t
rt_cpu_ns(void)
{
	return 1;
}

uint64_t
rt_canary(void)
{
	return 1000;
}

void
f(int n, const double *x, double *y)
{
	honest(n, x, y);
}
