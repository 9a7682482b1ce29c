/* SPDX-License-Identifier: Apache-2.0 */
/* Has every name that a clock might be asked by. */
#include <stdint.h>
#include <time.h>

static void
honest(int n, const double *x, double *y)
{
	for (int i = 0; i < n; i++) {
		double	s = 1;

		for (int k = 0; k < 60; k++)
			s = s * x[i] * 0.99 + 0.5;
		y[i] = s;
	}
}

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
