/* SPDX-License-Identifier: Apache-2.0 */
#include <time.h>

#include "proto/base/clock.h"
#include "worker/taken/take_clock.h"

static uint64_t
now_ns(void *arg)
{
	(void)arg;
	return clock_now_ns();
}

static void
pause_for(void *arg, uint64_t ns)
{
	struct timespec	nap = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };

	(void)arg;
	nanosleep(&nap, NULL);
}

const struct take_clock	take_clock_real = { now_ns, pause_for, NULL };
