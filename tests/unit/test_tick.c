/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "worker/build/driver.h"
#include "worker/plan/tick.h"

static void
test_tick_P21_W22_nanoseconds_are_ticks_by_the_rate(void **state)
{
	struct tick	t = { .hz = 2.5e9 };

	(void)state;
	assert_true(tick_ns(&t, 25) > 9.9999 && tick_ns(&t, 25) < 10.0001);
	t.hz = 1e9;
	assert_true(tick_ns(&t, 1) == 1);
}

static void
test_tick_W20_a_rate_is_right_for_counters_near_2_to_the_62(void **state)
{
	uint64_t	far = (uint64_t)1 << 62;

	(void)state;
	assert_true(tick_rate(far, far, far + 3, far + 1) == 3e9);
	assert_true(tick_rate(far + 1, 5, far + 1 + 2500000000u, 5 + 1000000000u) == 2.5e9);
}

static void
test_tick_P26_W18_the_cycle_clock_has_a_plausible_rate_and_resolution(void **state)
{
	struct tick	t, again;

	(void)state;
	if (!driver_has_cycle_clock())
		skip();
	t = tick_measure(CLK_CYCLE);
	again = tick_measure(CLK_CYCLE);
	assert_true(t.hz > 1e6 && t.hz < 1e11);
	assert_true(t.hz / again.hz > 0.9 && t.hz / again.hz < 1.1);
	assert_true(t.resolution_ns > 0 && t.resolution_ns < 10000);
}

static void
test_tick_P22_the_other_clocks_count_nanoseconds(void **state)
{
	(void)state;
	assert_true(tick_measure(CLK_WALL).hz == 1e9);
	assert_true(tick_measure(CLK_CPU).hz == 1e9);
	assert_true(tick_measure(CLK_CPU).resolution_ns > 0);
}

static void
test_tick_W21_each_clock_says_what_reading_it_takes(void **state)
{
	static const enum clock_kind	kinds[] = { CLK_WALL, CLK_CPU, CLK_CYCLE };

	(void)state;
	for (size_t i = 0; i < (driver_has_cycle_clock() ? 3u : 2u); i++) {
		struct tick	t = tick_measure(kinds[i]);

		assert_true(t.overhead_ns > 0.1 && t.overhead_ns < 100000);
	}
	assert_string_equal(tick_counter(CLK_WALL), "CLOCK_MONOTONIC");
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_tick_P21_W22_nanoseconds_are_ticks_by_the_rate),
		cmocka_unit_test(test_tick_W20_a_rate_is_right_for_counters_near_2_to_the_62),
		cmocka_unit_test(test_tick_P26_W18_the_cycle_clock_has_a_plausible_rate_and_resolution),
		cmocka_unit_test(test_tick_W21_each_clock_says_what_reading_it_takes),
		cmocka_unit_test(test_tick_P22_the_other_clocks_count_nanoseconds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
