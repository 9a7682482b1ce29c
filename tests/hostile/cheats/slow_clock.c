/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class: forged clock.  The runner's calls of clock_gettime() lead here, to a clock that runs at
 * 0.6 of the real one's speed.  The supervisor has its own.
 */
#include "forge.h"

#include <time.h>

#include "work.h"

static int	(*clock_before)(clockid_t, struct timespec *);
static uint64_t	 began;

static uint64_t
ns_of(const struct timespec *t)
{
	return (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_nsec;
}

static int
slow(clockid_t which, struct timespec *t)
{
	uint64_t	now;

	if (clock_before(which, t) != 0 || which == CLOCK_PROCESS_CPUTIME_ID)
		return 0;
	now = ns_of(t);
	began = began == 0 ? now : began;
	now = began + (now - began) * 6 / 10;
	*t = (struct timespec){ (time_t)(now / 1000000000u), (long)(now % 1000000000u) };
	return 0;
}

static __attribute__((constructor)) void
begin(void)
{
	clock_before = (int (*)(clockid_t, struct timespec *))runner_calls("clock_gettime",
	    (void *)slow);
}

void
f(int n, const double *x, double *y)
{
	honest(n, x, y);
}
