/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "daemon/store/drift.h"

static struct drift_mark
mark(double ended, double ns, double half)
{
	return (struct drift_mark){ .at = { 1, ended }, .ns = ns, .half = half, .estimator = "median" };
}

/* The factors of a row of yardsticks, a second apart. */
static void
judge_row(struct drift_mark *m, const double *ns, size_t n, double half)
{
	for (size_t i = 0; i < n; i++) {
		m[i] = mark((double)i, ns[i], half);
		drift_judge(&m[i], &m[0], ns, i + 1);
	}
}

static void
test_D11_a_steady_drift_and_a_single_step_are_no_scatter_and_jumping_about_is(void **state)
{
	static const double	steady[] = { 100, 105, 110.25, 115.7625 }, step[] = { 100, 100, 110, 110 };
	static const double	jumps[] = { 100, 110, 100, 110 };

	(void)state;
	assert_true(drift_scatter(steady, 4) < 1e-6);
	assert_true(drift_scatter(step, 4) < 1e-6);
	assert_true(drift_scatter(jumps, 4) > log(1.1));
	assert_true(drift_scatter(jumps, 2) == 0);
}

static void
test_D11_a_drift_within_the_yardsticks_noise_is_none(void **state)
{
	static const double	within[] = { 100, 102 }, beyond[] = { 100, 104 }, jumps[] = { 100, 103, 100, 103 };
	struct drift_mark	m[4];

	(void)state;
	judge_row(m, within, 2, 0.02);
	assert_true(m[0].factor == 1 && m[1].factor == 1);
	judge_row(m, beyond, 2, 0.02);			/* 0.02 × sqrt(2) is less than ln 1.04 */
	assert_true(m[1].factor == 1.04);
	judge_row(m, within, 2, NAN);			/* too few samples: 1 % each */
	assert_true(m[1].factor == 1.02);
	judge_row(m, jumps, 4, 0);
	assert_true(m[3].factor == 1);
}

static enum correction
between(const struct drift_mark *a, const struct drift_mark *b, double ended, double *factor)
{
	const struct drift_moment	at = { 1, ended };

	return drift_between(a, b, &at, "median", factor);
}

static void
test_D11_a_factor_is_on_the_line_between_its_yardsticks_and_nothing_is_extrapolated(void **state)
{
	static const double	ns[] = { 100, 110 };
	struct drift_mark	m[2];
	double			f;

	(void)state;
	judge_row(m, ns, 2, 0);
	assert_int_equal(between(&m[0], &m[1], 0.25, &f), CORRECTION_CORRECTED);
	assert_true(fabs(f - 1.025) < 1e-12);
	assert_int_equal(between(&m[0], &m[1], 7, &f), CORRECTION_CORRECTED);	/* a clock that is off */
	assert_true(f == 1.1);
	assert_int_equal(between(&m[0], &m[1], -7, &f), CORRECTION_CORRECTED);
	assert_true(f == 1);
	assert_int_equal(between(NULL, &m[1], 0.25, &f), CORRECTION_BEFORE);
	assert_int_equal(between(&m[0], &m[0], 0, &f), CORRECTION_NOISE);
}

static void
test_D11_yardsticks_that_failed_or_disagree_wildly_correct_nothing(void **state)
{
	static const double		ns[] = { 100, 119, 145, NAN, 151 };
	struct drift_mark		m[5], other = mark(1, 105, 0);
	const struct drift_moment	reboot = { 2, 0.5 }, at = { 1, 0.5 };
	double				f;

	(void)state;
	judge_row(m, ns, 3, 0);
	assert_int_equal(between(&m[0], &m[1], 0.5, &f), CORRECTION_CORRECTED);
	assert_int_equal(between(&m[1], &m[2], 1.5, &f), CORRECTION_STEP);
	m[3] = mark(3, NAN, NAN);
	drift_judge(&m[3], &m[0], NULL, 0);
	m[4] = mark(4, 151, 0);
	drift_judge(&m[4], &m[0], &ns[4], 1);
	assert_int_equal(between(&m[2], &m[3], 2.5, &f), CORRECTION_FAILED);
	assert_int_equal(between(&m[2], &m[4], 2.5, &f), CORRECTION_FAR);
	assert_true(isnan(f));
	assert_int_equal(drift_between(&m[0], &m[1], &reboot, "median", &f), CORRECTION_REBOOT);
	assert_int_equal(drift_between(&m[0], &m[1], &at, "min", &f), CORRECTION_ESTIMATOR);
	(void)strcpy(other.estimator, "min");
	drift_judge(&other, &m[0], &ns[0], 1);
	assert_int_equal(between(&m[0], &other, 0.5, &f), CORRECTION_ESTIMATOR);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_D11_a_steady_drift_and_a_single_step_are_no_scatter_and_jumping_about_is),
		cmocka_unit_test(test_D11_a_drift_within_the_yardsticks_noise_is_none),
		cmocka_unit_test(test_D11_a_factor_is_on_the_line_between_its_yardsticks_and_nothing_is_extrapolated),
		cmocka_unit_test(test_D11_yardsticks_that_failed_or_disagree_wildly_correct_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
