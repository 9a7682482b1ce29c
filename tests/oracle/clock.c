/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include <time.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "clock.h"

static uint64_t
read_clock(clockid_t id)
{
	struct timespec	t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t
wall_now(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

static uint64_t
cpu_now(void)
{
	return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

#if defined(__x86_64__)
/* The loads and stores before it are done, and nothing after it has begun. */
static uint64_t
tsc_now(void)
{
	uint64_t	t;

	_mm_mfence();
	_mm_lfence();
	t = __rdtsc();
	_mm_lfence();
	return t;
}

/* Against the wall clock, over 20 ms. */
static double
tsc_period_ns(void)
{
	const uint64_t	w0 = wall_now(), t0 = tsc_now();
	uint64_t	w1;

	while ((w1 = wall_now()) - w0 < 20000000)
		;
	return (double)(w1 - w0) / (double)(tsc_now() - t0);
}

static int
choose_tsc(struct clock_source *c)
{
	*c = (struct clock_source){ "tsc", tsc_now, tsc_period_ns() };
	return 0;
}
#else
static int
choose_tsc(struct clock_source *c)
{
	(void)c;
	return -1;
}
#endif

int
clock_choose(struct clock_source *c, const char *name)
{
	if (strcmp(name, "tsc") == 0)
		return choose_tsc(c);
	if (strcmp(name, "wall") == 0)
		*c = (struct clock_source){ "wall", wall_now, 1.0 };
	else if (strcmp(name, "cpu") == 0)
		*c = (struct clock_source){ "cpu", cpu_now, 1.0 };
	else
		return -1;
	return 0;
}
