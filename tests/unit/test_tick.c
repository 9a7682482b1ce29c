/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "proto/driver/driver.h"
#include "worker/plan/tick.h"

static void
test_tick_P21_W22_nanoseconds_are_ticks_by_the_rate(void **state)
{
	struct tick	t = { .hz = 2.5e9 };

	(void)state;
	assert_float_equal(tick_ns(&t, 25), 10, 1e-9);
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
test_tick_P22_the_clocks_of_the_kernel_count_nanoseconds(void **state)
{
	(void)state;
	assert_true(tick_measure(CLK_WALL).hz == 1e9);
	assert_true(tick_measure(CLK_CPU).hz == 1e9);
}

/* How much that is, tests/timing/test_clocks.c judges. */
static void
test_tick_W21_each_clock_has_its_name_its_step_and_what_reading_it_takes(void **state)
{
	static const char *const	counters[] = { [CLK_WALL] = "CLOCK_MONOTONIC",
					    [CLK_CPU] = "CLOCK_PROCESS_CPUTIME_ID with children",
#if defined(__aarch64__)
					    [CLK_CYCLE] = "CNTVCT_EL0" };
#else
					    [CLK_CYCLE] = "TSC" };
#endif
	const enum clock_kind		kinds[] = { CLK_WALL, CLK_CPU, CLK_CYCLE };

	(void)state;
	for (size_t i = 0; i < (driver_has_cycle_clock() ? 3u : 2u); i++) {
		struct tick	t = tick_measure(kinds[i]);

		assert_int_equal(t.clock, kinds[i]);
		assert_true(t.resolution_ns > 0 && t.overhead_ns > 0);
		assert_string_equal(tick_counter(kinds[i]), counters[kinds[i]]);
	}
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_tick_P21_W22_nanoseconds_are_ticks_by_the_rate),
		cmocka_unit_test(test_tick_W20_a_rate_is_right_for_counters_near_2_to_the_62),
		cmocka_unit_test(test_tick_P22_the_clocks_of_the_kernel_count_nanoseconds),
		cmocka_unit_test(
		    test_tick_W21_each_clock_has_its_name_its_step_and_what_reading_it_takes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
