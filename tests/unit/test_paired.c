/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/dice.h"
#include "worker/take/paired.h"

enum { TRIALS = 2000 };

static uint64_t	seed;

/*
 * A time of about 100 with relative spread, and now and then a disturbance that at most doubles it.
 */
static double
noisy_time(double mean, double spread)
{
	double	t = mean * (1 + spread * dice_normal(&seed));

	return dice_uniform(&seed) < 0.05 ? t * (1 + dice_uniform(&seed)) : t;
}

/* A sequential comparison as the supervisor runs it. */
static enum verdict
compare(const struct contest *rule, double ratio, double spread)
{
	double		r[SPEC_PAIRS], sorted[SPEC_PAIRS];
	struct paired	p = { .verdict = VERDICT_UNDECIDED };
	unsigned	n = 0;

	for (unsigned look = 0; look < rule->max_pairs && p.verdict == VERDICT_UNDECIDED;) {
		look = paired_next_look(look, rule->max_pairs);
		for (; n < look; n++)
			r[n] = noisy_time(100 * ratio, spread) / noisy_time(100, spread);
		memcpy(sorted, r, sizeof r);
		paired_look(rule, sorted, n, look == rule->max_pairs, &p);
	}
	return p.verdict;
}

static unsigned
count(const struct contest *rule, double ratio, double spread, enum verdict want)
{
	unsigned	n = 0;

	for (unsigned i = 0; i < TRIALS; i++)
		n += compare(rule, ratio, spread) == want;
	return n;
}

static const struct contest	usual = { .error = 0.05, .resolution = 0.01,
    .max_pairs = SPEC_PAIRS };

static void
test_W63_an_equal_pair_is_called_different_no_more_often_than_stated(void **state)
{
	static const double		spreads[] = { 0.002, 0.01, 0.05 };
	static const struct contest	keen = { .error = 0.05, .resolution = 0,
					    .max_pairs = SPEC_PAIRS };

	(void)state;
	seed = 42;
	for (size_t i = 0; i < 3; i++) {
		unsigned	wrong = count(&keen, 1, spreads[i], VERDICT_FASTER) +
				    count(&keen, 1, spreads[i], VERDICT_SLOWER);

		/*
		 * two runs of TRIALS, each 5 % at most in sum of both directions; four standard
		 * deviations of slack
		 */
		assert_true(wrong <= (unsigned)(TRIALS * 0.05 + 4 * sqrt(TRIALS * 0.05 * 0.95)));
		assert_true(wrong > 0);
		wrong = count(&usual, 1, spreads[i], VERDICT_FASTER) + count(&usual, 1, spreads[i],
		    VERDICT_SLOWER);
		assert_true(wrong <= (unsigned)(TRIALS * 0.05 + 4 * sqrt(TRIALS * 0.05 * 0.95)));
	}
}

static void
test_W63_a_planted_gap_of_one_percent_is_found(void **state)
{
	(void)state;
	seed = 43;
	assert_true(count(&usual, 0.99, 0.005, VERDICT_FASTER) >= TRIALS * 0.95);
	assert_int_equal(count(&usual, 0.99, 0.005, VERDICT_SLOWER), 0);
	assert_true(count(&usual, 1.01, 0.005, VERDICT_SLOWER) >= TRIALS * 0.95);
	assert_true(count(&usual, 0.97, 0.02, VERDICT_FASTER) >= TRIALS * 0.95);
}

static void
test_W64_a_narrow_interval_around_one_ends_the_comparison_as_equal(void **state)
{
	double		r[31];
	struct paired	p;

	(void)state;
	for (size_t i = 0; i < 31; i++)
		r[i] = i % 2 != 0 ? 1.001 : 0.999;
	paired_look(&usual, r, 31, false, &p);
	assert_int_equal(p.verdict, VERDICT_INDISTINGUISHABLE);
	assert_true(p.has_interval && p.low <= 1 && p.high >= 1);
	paired_look(&usual, r, 5, false, &p);
	assert_int_equal(p.verdict, VERDICT_UNDECIDED);
	assert_false(p.has_interval);
	paired_look(&usual, r, 5, true, &p);
	assert_int_equal(p.verdict, VERDICT_INDISTINGUISHABLE);
}

/* A difference that is certain but smaller than what was asked for. */
static void
test_W64_a_difference_below_the_resolution_counts_as_equal(void **state)
{
	double		r[31];
	struct paired	p;

	(void)state;
	for (size_t i = 0; i < 31; i++)
		r[i] = 0.995 + 0.0001 * (double)i;
	paired_look(&usual, r, 31, false, &p);
	assert_true(p.high < 1);
	assert_int_equal(p.verdict, VERDICT_INDISTINGUISHABLE);
}

static void
test_paired_looks_are_those_that_are_documented(void **state)
{
	(void)state;
	assert_int_equal(paired_looks(101), 4);
	assert_int_equal(paired_looks(11), 1);
	assert_int_equal(paired_looks(40), 3);
	assert_int_equal(paired_looks(1000), 5);
	assert_int_equal(paired_next_look(0, 11), 11);
	assert_int_equal(paired_next_look(0, 101), 11);
	assert_int_equal(paired_next_look(11, 20), 20);
	assert_int_equal(paired_next_look(61, 101), 101);
	assert_int_equal(paired_next_look(101, 1000), 1000);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_W63_an_equal_pair_is_called_different_no_more_often_than_stated),
		cmocka_unit_test(test_W63_a_planted_gap_of_one_percent_is_found),
		cmocka_unit_test(test_W64_a_narrow_interval_around_one_ends_the_comparison_as_equal),
		cmocka_unit_test(test_W64_a_difference_below_the_resolution_counts_as_equal),
		cmocka_unit_test(test_paired_looks_are_those_that_are_documented),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
