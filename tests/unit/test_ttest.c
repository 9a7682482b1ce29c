/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemon/ttest.h"

/* Student's sleep data (1908): unpaired t = -1.8608, p = 0.0792 with 18 df, Welch p = 0.0794 with 17.776 df. */
static void
test_W65_t_tests_give_the_published_values_of_students_sleep_data(void **state)
{
	static const double	a[] = { 0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0 };
	static const double	b[] = { 1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4 };
	struct ttest		equal = ttest_equal(a, 10, b, 10), unequal = ttest_unequal(a, 10, b, 10);

	(void)state;
	assert_float_equal(equal.t, -1.8608, 5e-5);
	assert_float_equal(equal.df, 18, 0);
	assert_float_equal(equal.p, 0.07919, 5e-6);
	assert_float_equal(unequal.df, 17.776, 5e-4);
	assert_float_equal(unequal.p, 0.07939, 5e-6);
	assert_true(isnan(ttest_equal(a, 1, b, 10).p));
}

static void
test_W63_no_spread_is_no_error(void **state)
{
	static const double	a[] = { 2, 2, 2 }, b[] = { 3, 3, 3 };

	(void)state;
	assert_float_equal(ttest_equal(a, 3, a, 3).p, 1, 0);
	assert_float_equal(ttest_unequal(a, 3, b, 3).p, 0, 0);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_W65_t_tests_give_the_published_values_of_students_sleep_data),
		cmocka_unit_test(test_W63_no_spread_is_no_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
