/* SPDX-License-Identifier: Apache-2.0 */
/* What a core has learnt by heart: the judgment, and the orders that lead to it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "worker/take/learned.h"

static struct learned
judge(size_t n, double novel, double known, double spread)
{
	double	a[LEARNED_SAMPLES], b[LEARNED_SAMPLES];

	for (size_t i = 0; i < n; i++) {
		const double	off = spread * ((double)(i * 7 % n) / (double)(n - 1) - 0.5);

		a[i] = novel * (1 + off);
		b[i] = known * (1 - off);
	}
	return learned_judge(a, n, b, n);
}

static void
test_learned_is_the_ratio_of_medians_within_its_interval(void **state)
{
	const struct learned	l = judge(16, 1500, 1000, 0.02);

	(void)state;
	assert_true(l.is_known);
	assert_true(l.ratio > 1.49 && l.ratio < 1.51);
	assert_true(l.low < l.ratio && l.ratio < l.high);
	assert_true(learned_matters(&l));
}

static void
test_learned_does_not_matter_within_noise_or_below_three_percent(void **state)
{
	const struct learned	small = judge(16, 1020, 1000, 0.001);
	const struct learned	noisy = judge(16, 1200, 1000, 0.6);
	const struct learned	shorter = judge(16, 700, 1000, 0.01);
	const struct learned	enough = judge(16, 1050, 1000, 0.02);

	(void)state;
	assert_false(learned_matters(&small));
	assert_false(learned_matters(&noisy));
	assert_false(learned_matters(&shorter));
	assert_true(learned_matters(&enough));
}

static void
test_learned_is_harmless_where_half_of_what_matters_is_not_reached(void **state)
{
	const struct learned	none = judge(8, 1010, 1000, 0.1), some = judge(8, 1020, 1000, 0.001);
	const struct learned	unknown = { .is_known = false, .ratio = 1 };

	(void)state;
	assert_true(learned_is_harmless(&none));
	assert_false(learned_is_harmless(&some));
	assert_false(learned_is_harmless(&unknown));
}

static void
test_learned_one_slow_sample_of_either_kind_decides_nothing(void **state)
{
	double		novel[8] = { 10, 10, 10, 10, 10, 10, 10, 900 };
	double		known[8] = { 10, 10, 10, 10, 10, 10, 10, 10 };
	struct learned	l = learned_judge(novel, 8, known, 8);

	(void)state;
	assert_true(l.is_known && l.ratio == 1);
	assert_false(learned_matters(&l));
}

static void
test_learned_too_few_samples_or_no_time_say_nothing(void **state)
{
	double			few[5] = { 5, 5, 5, 5, 5 }, none[8] = { 0 }, some[8] = { 1, 1, 1, 1,
				    1, 1, 1, 1 };
	const struct learned	by_few = learned_judge(few, 5, some, 8);
	const struct learned	of_nothing = learned_judge(some, 8, none, 8);

	(void)state;
	assert_false(by_few.is_known);
	assert_false(of_nothing.is_known);
	assert_false(learned_matters(&by_few));
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_learned_is_the_ratio_of_medians_within_its_interval),
		cmocka_unit_test(test_learned_does_not_matter_within_noise_or_below_three_percent),
		cmocka_unit_test(test_learned_is_harmless_where_half_of_what_matters_is_not_reached),
		cmocka_unit_test(test_learned_one_slow_sample_of_either_kind_decides_nothing),
		cmocka_unit_test(test_learned_too_few_samples_or_no_time_say_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
