/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "worker/chain/join.h"

static void
test_join_of_both_is_that_of_the_worse_with_its_own_pace(void **state)
{
	struct runner_sample		a = { .ticks = 5, .faults = 1, .switches = 2,
					    .canary_before = 8000, .pace_before = 1700,
					    .canary_after = 7800, .pace_after = 1700,
					    .memory_canary = 20, .sentinel = 9 };
	const struct runner_sample	b = { .ticks = 7, .faults = 3, .migrations = 1,
					    .canary_before = 9000, .pace_before = 2000,
					    .canary_after = 9000, .pace_after = 1700,
					    .memory_canary = 30, .sentinel = 4 };

	(void)state;
	join_samples(&a, &b);
	assert_int_equal(a.ticks, 5);
	assert_int_equal(a.sentinel, 9);
	assert_int_equal(a.faults, 4);
	assert_int_equal(a.switches, 2);
	assert_int_equal(a.migrations, 1);
	assert_int_equal(a.canary_before, 8000);	/* 9000 beside a slower clock is less
							 * crowded */
	assert_int_equal(a.pace_before, 1700);
	assert_int_equal(a.canary_after, 9000);
	assert_int_equal(a.memory_canary, 30);
}

static void
test_join_without_a_pace_is_that_of_the_slower_canary(void **state)
{
	struct runner_sample		a = { .canary_before = 8000, .pace_before = 1700,
					    .canary_after = 8000 };
	const struct runner_sample	b = { .canary_before = 8100, .canary_after = 7900,
					    .pace_after = 1700 };

	(void)state;
	join_samples(&a, &b);
	assert_int_equal(a.canary_before, 8100);
	assert_int_equal(a.pace_before, 0);
	assert_int_equal(a.canary_after, 8000);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_join_of_both_is_that_of_the_worse_with_its_own_pace),
		cmocka_unit_test(test_join_without_a_pace_is_that_of_the_slower_canary),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
