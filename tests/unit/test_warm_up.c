/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "worker/take/warm_up.h"

enum { STEP = 2, N = 16 };

static void
test_warm_up_X4_calls_at_one_level_were_warm_from_the_first(void **state)
{
	static const uint64_t	flat[N] = { 1000, 1010, 1002, 1000, 1030, 1001, 1000, 1002, 1000,
				    1005, 1000, 1000, 1020, 1000, 1000, 1000 };

	(void)state;
	assert_int_equal(warm_up_calls(flat, N, STEP), 0);
	assert_false(warm_up_still_falls(flat, N, STEP));
}

static void
test_warm_up_X4_the_calls_before_the_level_are_counted(void **state)
{
	static const uint64_t	lru[N] = { 5000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000,
				    1000, 1000, 1000, 1000, 1000, 1000, 1000 };
	static const uint64_t	random[N] = { 5000, 2600, 1800, 1400, 1200, 1100, 1050, 1020, 1000,
				    1000, 1000, 1000, 1000, 1000, 1000, 1000 };

	(void)state;
	assert_int_equal(warm_up_calls(lru, N, STEP), 1);
	assert_int_equal(warm_up_calls(random, N, STEP), 7);
	assert_false(warm_up_still_falls(random, N, STEP));
}

static void
test_warm_up_X4_calls_that_still_fall_need_more(void **state)
{
	uint64_t	falls[N];

	(void)state;
	for (unsigned i = 0; i < N; i++)
		falls[i] = 5000 - 200 * i;
	assert_true(warm_up_still_falls(falls, N, STEP));
	assert_in_range(warm_up_calls(falls, N, STEP), 1, N - 1);
}

/* An interruption in half of the later calls moves the level by nothing. */
static void
test_warm_up_X4_noise_and_the_clocks_steps_are_no_fall(void **state)
{
	static const uint64_t	noisy[N] = { 1000, 1000, 9000, 1000, 1000, 1000, 1000, 9000, 1000,
				    1000, 9000, 1000, 1000, 1000, 9000, 1000 };
	static const uint64_t	coarse[N] = { 20, 10, 20, 10, 10, 20, 10, 20, 10, 20, 10, 20, 10,
				    10, 10, 10 };

	(void)state;
	assert_int_equal(warm_up_calls(noisy, N, STEP), 0);
	assert_false(warm_up_still_falls(noisy, N, STEP));
	assert_int_equal(warm_up_calls(coarse, N, 10), 0);
	assert_false(warm_up_still_falls(coarse, N, 10));
}

static void
test_warm_up_X4_long_calls_are_few_and_the_longest_none(void **state)
{
	(void)state;
	assert_int_equal(warm_up_first(0), WARM_UP_FIRST);
	assert_int_equal(warm_up_first(1e6), 9);
	assert_int_equal(warm_up_first(5e6), WARM_UP_LEAST);
	assert_int_equal(warm_up_first(20e6), 0);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_warm_up_X4_calls_at_one_level_were_warm_from_the_first),
		cmocka_unit_test(test_warm_up_X4_the_calls_before_the_level_are_counted),
		cmocka_unit_test(test_warm_up_X4_calls_that_still_fall_need_more),
		cmocka_unit_test(test_warm_up_X4_noise_and_the_clocks_steps_are_no_fall),
		cmocka_unit_test(test_warm_up_X4_long_calls_are_few_and_the_longest_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
