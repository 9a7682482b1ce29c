/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemon/judge/stats.h"
#include "proto/base/rank.h"

static void
test_stats_of_a_known_list(void **state)
{
	double		x[] = { 5, 1, 4, 2, 3 };
	struct stats	s;

	(void)state;
	stats_of(x, 5, &s);
	assert_float_equal(s.min, 1, 0);
	assert_float_equal(s.max, 5, 0);
	assert_float_equal(s.median, 3, 0);
	assert_float_equal(s.mean, 3, 1e-12);
	assert_float_equal(s.stddev, 1.5811388300841898, 1e-12);
	assert_float_equal(s.cv, 0.5270462766947299, 1e-12);
	assert_float_equal(s.p90, 5, 0);
	assert_false(s.has_ci95);
}

static void
test_stats_of_one_sample_has_no_spread(void **state)
{
	double		x[] = { 7 };
	struct stats	s;

	(void)state;
	stats_of(x, 1, &s);
	assert_float_equal(s.median, 7, 0);
	assert_float_equal(s.p90, 7, 0);
	assert_float_equal(s.stddev, 0, 0);
}

/* Ranks from the tables of the sign test: Conover, Practical Nonparametric Statistics, for 95 %. */
static void
test_stats_median_rank_agrees_with_the_published_table(void **state)
{
	(void)state;
	assert_int_equal(rank_median(5, 0.05), 0);
	assert_int_equal(rank_median(6, 0.05), 1);
	assert_int_equal(rank_median(7, 0.05), 1);
	assert_int_equal(rank_median(9, 0.05), 2);
	assert_int_equal(rank_median(15, 0.05), 4);
	assert_int_equal(rank_median(20, 0.05), 6);
	assert_int_equal(rank_median(31, 0.05), 10);
	assert_int_equal(rank_median(101, 0.05), 41);
	assert_in_range(rank_median(10000, 0.05), 4900, 4910);
}

static void
test_W15_the_minimum_ignores_planted_outliers(void **state)
{
	double		x[] = { 100, 101, 5000, 100.5, 9000, 102, 100.2 };
	struct stats	s;

	(void)state;
	stats_of(x, 7, &s);
	assert_float_equal(s.min, 100, 0);
}

static void
test_W16_the_median_ignores_outliers_on_both_sides(void **state)
{
	double		x[] = { 100, 101, 1, 100.5, 9000, 102, 100.2 };
	struct stats	s;

	(void)state;
	stats_of(x, 7, &s);
	assert_float_equal(s.median, 100.5, 0);
}

static void
test_stats_outliers_are_far_beyond_the_quartiles(void **state)
{
	static const double	x[] = { 10, 100, 101, 102, 103, 104, 105, 106, 107, 112, 118 };

	(void)state;			/* quartiles 101.5 and 106.5: from 94 to 114 is fine */
	assert_int_equal(stats_outliers(x, 11), 2);
	assert_int_equal(stats_outliers(x + 1, 8), 0);
	assert_int_equal(stats_outliers(x, 1), 0);
}

static void
test_stats_drift_is_the_rise_from_first_to_last(void **state)
{
	static const double	up[] = { 90, 95, 100, 105, 110 };
	static const double	flat[] = { 5, 5, 5 };
	static const double	two[] = { 1, 9 };
	static const double	down[] = { 110, 105, 100, 95, 90 };

	(void)state;
	assert_float_equal(stats_drift(up, 5), 0.2, 1e-12);
	assert_float_equal(stats_drift(down, 5), -0.2, 1e-12);
	assert_float_equal(stats_drift(flat, 3), 0, 0);
	assert_float_equal(stats_drift(two, 2), 0, 0);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_stats_of_a_known_list),
		cmocka_unit_test(test_stats_of_one_sample_has_no_spread),
		cmocka_unit_test(test_stats_median_rank_agrees_with_the_published_table),
		cmocka_unit_test(test_W15_the_minimum_ignores_planted_outliers),
		cmocka_unit_test(test_stats_outliers_are_far_beyond_the_quartiles),
		cmocka_unit_test(test_stats_drift_is_the_rise_from_first_to_last),
		cmocka_unit_test(test_W16_the_median_ignores_outliers_on_both_sides),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
