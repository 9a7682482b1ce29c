/* SPDX-License-Identifier: Apache-2.0 */
#include <time.h>

#include "worker/runner/sample/rt.h"

static rt_u64
now_ns(clockid_t clock)
{
	struct timespec	t;

	clock_gettime(clock, &t);
	return (rt_u64)t.tv_sec * 1000000000u + (rt_u64)t.tv_nsec;
}

rt_u64
rt_wall_ns(void)
{
	return now_ns(CLOCK_MONOTONIC);
}

rt_u64
rt_cpu_ns(void)
{
	return now_ns(CLOCK_THREAD_CPUTIME_ID);
}
