/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_PROTO_BASE_CLOCK_H
#define ASSAY_PROTO_BASE_CLOCK_H

#include <stdint.h>
#include <sys/resource.h>
#include <time.h>

/*
 * Nanoseconds of one of the kernel's clocks.  Inline: the runner waits with it, and its timers read
 * it.
 */
static inline uint64_t
clock_ns(clockid_t clock)
{
	struct timespec	t;

	(void)clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/*
 * CPU time of this process, of all its threads, and of its children that are over and waited for.
 * The latter in microseconds.
 */
static inline uint64_t
clock_cpu_ns(void)
{
	struct rusage	u;
	uint64_t	us;

	if (getrusage(RUSAGE_CHILDREN, &u) != 0)
		return clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	us = (uint64_t)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000u +
	    (uint64_t)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
	return clock_ns(CLOCK_PROCESS_CPUTIME_ID) + us * 1000u;
}

/* CLOCK_MONOTONIC: what limits and intervals are measured with. */
static inline uint64_t
clock_now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

static inline int64_t
clock_now_ms(void)
{
	return (int64_t)(clock_now_ns() / 1000000u);
}

/* As above, in seconds. */
static inline double
clock_now_s(void)
{
	return (double)clock_now_ns() / 1e9;
}

/* The wall clock, seconds since the epoch: what jobs and results are stamped with. */
static inline double
clock_wall_s(void)
{
	return (double)clock_ns(CLOCK_REALTIME) / 1e9;
}

#endif
