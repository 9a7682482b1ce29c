/* SPDX-License-Identifier: Apache-2.0 */
#include <time.h>

#include "proto/base/clock.h"
#include "worker/plan/tick.h"
#include "worker/runner/sample/rt.h"

/* between the two readings that make the rate: 1 part in a million */
#define BASE_NS		20000000
#define TRIES		64		/* of a reading; the shortest is believed */
#define PAIRS		2000
#define IN_A_ROW	100u		/* readings, for the time of one */

struct reading {
	uint64_t	ticks, ns;
};

static uint64_t
read_ticks(enum clock_kind clock)
{
	if (clock == CLK_CPU)
		return clock_cpu_ns();
#if defined(__x86_64__) || defined(__aarch64__)
	if (clock == CLK_CYCLE)
		return rt_cycle_start();
#endif
	return clock_ns(CLOCK_MONOTONIC);
}

static struct reading
read_both(enum clock_kind clock)
{
	struct reading	best = { 0, 0 };
	uint64_t	least = UINT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		uint64_t	before = read_ticks(clock);
		uint64_t	ns = clock_ns(CLOCK_MONOTONIC_RAW);
		uint64_t	after = read_ticks(clock);

		if (after - before < least) {
			least = after - before;
			best = (struct reading){ before + least / 2, ns };
		}
	}
	return best;
}

double
tick_rate(uint64_t ticks_from, uint64_t ns_from, uint64_t ticks_to, uint64_t ns_to)
{
	return (double)(ticks_to - ticks_from) * 1e9 / (double)(ns_to - ns_from);
}

static double
measure_rate(enum clock_kind clock)
{
	struct timespec	nap = { 0, BASE_NS };
	struct reading	from = read_both(clock), to;

	nanosleep(&nap, NULL);
	to = read_both(clock);
	return tick_rate(from.ticks, from.ns, to.ticks, to.ns);
}

static uint64_t
smallest_step(enum clock_kind clock)
{
	uint64_t	least = UINT64_MAX, last = read_ticks(clock);

	for (int i = 0; i < PAIRS || least == UINT64_MAX; i++) {
		uint64_t	next = read_ticks(clock);

		if (next != last && next - last < least)
			least = next - last;
		last = next;
	}
	return least;
}

/* Of many readings in a row, the fastest few. */
static uint64_t
reading_ticks(enum clock_kind clock, unsigned readings)
{
	uint64_t	least = UINT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		uint64_t	began = read_ticks(clock), last = began;

		for (unsigned n = 0; n < readings; n++)
			last = read_ticks(clock);
		if (last - began < least)
			least = last - began;
	}
	return least;
}

const char *
tick_counter(enum clock_kind clock)
{
	if (clock == CLK_CPU)
		return "CLOCK_PROCESS_CPUTIME_ID with children";
	if (clock != CLK_CYCLE)
		return "CLOCK_MONOTONIC";
#if defined(__aarch64__)
	return "CNTVCT_EL0";
#else
	return "TSC";
#endif
}

struct tick
tick_measure(enum clock_kind clock)
{
	struct tick	t = { .clock = clock, .hz = 1e9 };

	if (clock == CLK_CYCLE)
		t.hz = measure_rate(clock);
	t.resolution_ns = tick_ns(&t, smallest_step(clock));
	t.overhead_ns = tick_ns(&t, reading_ticks(clock, IN_A_ROW)) / IN_A_ROW;
	return t;
}

double
tick_ns(const struct tick *t, uint64_t ticks)
{
	return (double)ticks * (1e9 / t->hz);
}
