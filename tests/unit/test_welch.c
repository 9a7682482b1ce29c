/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/runs/welch.h"

#define COUNT(x)	(sizeof (x) / sizeof (x)[0])

static void
assert_near(double want, double got, double share)
{
	if (!(fabs(want - got) <= share * fabs(want)))
		fail_msg("%.17g, but %.17g", want, got);
}

/* Printed tables of Student's distribution, both tails; with 1 and 2 degrees it is elementary. */
static void
test_welch_quantiles_are_those_of_the_tables(void **state)
{
	static const struct {
		double	tails, freedom, t;
	} table[] = {
		{ 0.05, 1, 12.7062 }, { 0.01, 5, 4.0321 }, { 0.05, 10, 2.22814 },
		{ 0.001, 10, 4.5869 }, { 0.002, 30, 3.3852 }, { 0.1, 120, 1.65765 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(table); i++)
		assert_near(table[i].t, welch_quantile(table[i].tails, table[i].freedom), 2e-5);
	for (double t = 1e-3; t < 1e9; t *= 7) {
		assert_near(2 / M_PI * atan2(1, t), welch_tails(t, 1), 1e-12);
		assert_near(t < 1e3 ? 1 - t / sqrt(2 + t * t) : 1 / (t * t), welch_tails(t, 2),
		    t < 10 ? 1e-12 : 1e-5);
	}
}

static void
test_welch_quantile_and_tails_undo_each_other(void **state)
{
	(void)state;
	for (double freedom = 1.5; freedom < 1e5; freedom *= 3.7)
		for (double tails = 0.9; tails > 1e-12; tails /= 11)
			assert_near(tails, welch_tails(welch_quantile(tails, freedom), freedom),
			    1e-9);
}

/* Groups of equal variances and sizes: Student's own test, by hand. */
static void
test_welch_two_groups_by_hand(void **state)
{
	const double		a[] = { 1, 2, 3, 4, 5 }, b[] = { 3, 4, 5, 6, 7 };
	const struct welch	w = welch_compare(a, 5, b, 5, 0.05);

	(void)state;
	assert_near(2, w.difference, 1e-15);
	assert_near(8, w.freedom, 1e-12);
	assert_near(2.306004 * 1, w.half, 1e-6);
}

static void
test_welch_a_group_that_does_not_vary_leaves_the_freedom_of_the_other(void **state)
{
	const double		a[] = { 4, 4, 4, 4 }, b[] = { 1, 2, 3 };
	const struct welch	w = welch_compare(a, 4, b, 3, 0.05);
	const struct welch	none = welch_compare(a, 4, a, 3, 0.05);

	(void)state;
	assert_near(2, w.freedom, 1e-12);
	assert_near(4.302653 / sqrt(3), w.half, 1e-6);
	assert_true(none.half == 0 && none.difference == 0);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_welch_quantiles_are_those_of_the_tables),
		cmocka_unit_test(test_welch_quantile_and_tails_undo_each_other),
		cmocka_unit_test(test_welch_two_groups_by_hand),
		cmocka_unit_test(
		    test_welch_a_group_that_does_not_vary_leaves_the_freedom_of_the_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
