/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemon/judge/ttest.h"

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

static void
assert_close(double got, double want)
{
	if (!(fabs(got - want) <= 1e-12 * want))
		fail_msg("%.17g instead of %.17g", got, want);
}

/* Of tables as every textbook has them, to the digits that they have: both tails together. */
static void
test_W65_tails_beyond_tabulated_quantiles_are_what_the_table_says(void **state)
{
	static const struct { double df, t, p; }	row[] = {
		{ 1, 12.706, 0.05 }, { 1, 63.657, 0.01 }, { 1, 636.619, 0.001 },
		{ 2, 4.303, 0.05 }, { 2, 9.925, 0.01 }, { 2, 31.599, 0.001 },
		{ 5, 0.727, 0.50 }, { 5, 2.571, 0.05 }, { 5, 4.032, 0.01 }, { 5, 6.869, 0.001 },
		{ 10, 0.700, 0.50 }, { 10, 2.228, 0.05 }, { 10, 3.169, 0.01 }, { 10, 4.587, 0.001 },
		{ 30, 0.683, 0.50 }, { 30, 2.042, 0.05 }, { 30, 2.750, 0.01 }, { 30, 3.646, 0.001 },
		{ 120, 0.677, 0.50 }, { 120, 1.980, 0.05 }, { 120, 2.617, 0.01 }, { 120, 3.373, 0.001 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		assert_true(ttest_tails(row[i].t - 0.0005, row[i].df) >= row[i].p);
		assert_true(ttest_tails(row[i].t + 0.0005, row[i].df) <= row[i].p);
	}
}

/* With few degrees of freedom the tails have a closed form: Abramowitz and Stegun 26.7.3 and 26.7.4. */
static void
test_W65_tails_are_those_of_the_closed_forms_however_far_out(void **state)
{
	(void)state;
	for (double t = 1e-8; t < 1e12; t *= 3) {
		double	s = hypot(t, sqrt(2));

		assert_close(ttest_tails(t, 1), 2 / acos(-1) * atan2(1, t));
		assert_close(ttest_tails(t, 2), 2 / s / (s + t));
	}
	assert_close(ttest_tails(2, 17.5), 0.06126676533918873);
	assert_close(ttest_tails(30, 100), 8.3803325586882922e-52);
	assert_close(ttest_tails(40, 30), 1.3726045194406403e-27);
}

static void
test_W65_tails_are_alike_on_both_sides_and_all_there_is_from_the_middle(void **state)
{
	(void)state;
	for (double df = 0.5; df < 1e6; df *= 7) {
		assert_float_equal(ttest_tails(0, df), 1, 0);
		assert_float_equal(ttest_tails(INFINITY, df), 0, 0);
		for (double t = 0.01; t < 100; t *= 2) {
			assert_true(ttest_tails(-t, df) == ttest_tails(t, df));
			assert_true(ttest_tails(t, df) > ttest_tails(2 * t, df) || ttest_tails(t, df) == 0);
		}
	}
	assert_float_equal(ttest_tails(1e300, 3), 0, 0);
	assert_true(isnan(ttest_tails(NAN, 3)));
}

/* The first term by which they differ: Abramowitz and Stegun 26.7.5. */
static void
test_W65_with_many_degrees_of_freedom_tails_are_the_normal_distributions(void **state)
{
	const double	df = 1e6;

	(void)state;
	for (double t = 0.125; t < 8; t *= 2) {
		double	normal = erfc(t / sqrt(2)), density = exp(-t * t / 2) / sqrt(2 * acos(-1));
		double	differ = 2 * density * (t * t * t + t) / (4 * df), got = ttest_tails(t, df);

		assert_true(fabs(got - normal) < 2e-3 * normal);
		assert_true(fabs(got - normal - differ) < 1e-7 * normal);
	}
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_W65_t_tests_give_the_published_values_of_students_sleep_data),
		cmocka_unit_test(test_W65_tails_beyond_tabulated_quantiles_are_what_the_table_says),
		cmocka_unit_test(test_W65_tails_are_those_of_the_closed_forms_however_far_out),
		cmocka_unit_test(test_W65_tails_are_alike_on_both_sides_and_all_there_is_from_the_middle),
		cmocka_unit_test(test_W65_with_many_degrees_of_freedom_tails_are_the_normal_distributions),
		cmocka_unit_test(test_W63_no_spread_is_no_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
