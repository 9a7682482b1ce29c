/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "proto/base/monotone.h"

static void
test_monotone_what_rises_stays(void **state)
{
	double	y[] = { 1, 2, 2, 5 };

	(void)state;
	monotone_fit(y, NULL, 4);
	assert_true(y[0] == 1 && y[1] == 2 && y[2] == 2 && y[3] == 5);
	monotone_fit(y, NULL, 0);
	assert_true(y[0] == 1);
}

static void
test_monotone_what_falls_is_pooled_by_weight(void **state)
{
	double	y[] = { 1, 4, 2, 3, 10, 4 };
	double	weight[] = { 1, 1, 1, 1, 1, 2 };

	(void)state;
	monotone_fit(y, weight, 6);
	assert_true(y[0] == 1);
	assert_float_equal(y[1], 3, 1e-12);
	assert_float_equal(y[3], 3, 1e-12);
	assert_float_equal(y[4], 6, 1e-12);
	assert_float_equal(y[5], 6, 1e-12);
}

static void
test_monotone_largest_problem_that_falls_all_the_way_is_one_mean(void **state)
{
	double	y[MONOTONE_MAX];

	(void)state;
	for (int i = 0; i < MONOTONE_MAX; i++)
		y[i] = MONOTONE_MAX - i;
	monotone_fit(y, NULL, MONOTONE_MAX);
	assert_float_equal(y[0], (MONOTONE_MAX + 1) / 2.0, 1e-9);
	assert_float_equal(y[MONOTONE_MAX - 1], (MONOTONE_MAX + 1) / 2.0, 1e-9);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_monotone_what_rises_stays),
		cmocka_unit_test(test_monotone_what_falls_is_pooled_by_weight),
		cmocka_unit_test(test_monotone_largest_problem_that_falls_all_the_way_is_one_mean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
