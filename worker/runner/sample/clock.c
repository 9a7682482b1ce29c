/* SPDX-License-Identifier: Apache-2.0 */
#include <time.h>

#include "proto/base/clock.h"
#include "worker/runner/sample/rt.h"

rt_u64
rt_wall_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

rt_u64
rt_cpu_ns(void)
{
	return clock_cpu_ns();
}
