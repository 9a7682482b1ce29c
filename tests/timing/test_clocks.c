/* SPDX-License-Identifier: Apache-2.0 */
/* What is measured of the host's clocks, held against the kernel's. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "proto/base/clock.h"
#include "proto/driver/driver.h"
#include "worker/plan/tick.h"
#include "worker/runner/sample/rt.h"

enum { SPAN_MS = 200 };

/* The rate of the cycle clock over a longer time than tick_measure takes. */
static double
rate_over_span(void)
{
	const struct timespec	span = { 0, SPAN_MS * 1000000 };
	uint64_t		ticks, ns;

#if defined(__x86_64__) || defined(__aarch64__)
	ticks = rt_cycle_start();
	ns = clock_ns(CLOCK_MONOTONIC_RAW);
	nanosleep(&span, NULL);
	return tick_rate(ticks, ns, rt_cycle_start(), clock_ns(CLOCK_MONOTONIC_RAW));
#else
	(void)span, (void)ticks, (void)ns;
	return 0;
#endif
}

static void
test_clocks_P21_W22_the_measured_rate_is_that_of_the_counter(void **state)
{
	double	measured, again, over_span;

	(void)state;
	if (!driver_has_cycle_clock())
		skip();
	measured = tick_measure(CLK_CYCLE).hz;
	again = tick_measure(CLK_CYCLE).hz;
	over_span = rate_over_span();
	print_message("%.0f Hz, again %.0f Hz, over %d ms %.0f Hz\n", measured, again, SPAN_MS,
	    over_span);
	assert_true(fabs(measured / over_span - 1) < 1e-4);
	assert_true(fabs(measured / again - 1) < 1e-4);
}

static void
test_clocks_P26_W18_the_cycle_clock_tells_less_than_100_ns_apart(void **state)
{
	struct tick	t;

	(void)state;
	if (!driver_has_cycle_clock())
		skip();
	t = tick_measure(CLK_CYCLE);
	print_message("resolution %.1f ns\n", t.resolution_ns);
	assert_true(t.resolution_ns > 0 && t.resolution_ns < 100);
}

/* A reading of the CPU clock is a system call, those of the others are not. */
static void
test_clocks_W21_reading_a_clock_takes_less_than_its_kind_may(void **state)
{
	static const double	most_ns[] = { [CLK_WALL] = 500, [CLK_CPU] = 5000,
	    [CLK_CYCLE] = 200 };
	const enum clock_kind	kinds[] = { CLK_WALL, CLK_CPU, CLK_CYCLE };

	(void)state;
	for (size_t i = 0; i < (driver_has_cycle_clock() ? 3u : 2u); i++) {
		struct tick	t = tick_measure(kinds[i]);

		print_message("%s: a reading takes %.1f ns\n", tick_counter(kinds[i]),
		    t.overhead_ns);
		assert_true(t.overhead_ns > 1 && t.overhead_ns < most_ns[kinds[i]]);
	}
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_clocks_P21_W22_the_measured_rate_is_that_of_the_counter),
		cmocka_unit_test(test_clocks_P26_W18_the_cycle_clock_tells_less_than_100_ns_apart),
		cmocka_unit_test(test_clocks_W21_reading_a_clock_takes_less_than_its_kind_may),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
