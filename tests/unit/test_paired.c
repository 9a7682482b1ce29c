/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/dice.h"
#include "worker/stop/paired.h"
#include "worker/stop/signed_rank.h"

enum { TRIALS = 1000 };

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

/* Noise of a host: of each sample, of each process for as long as it lives. */
struct noise {
	double	within, between;
	double	ill;			/* share of processes that are a quarter slower */
};

static double
process_of(const struct noise *h)
{
	const double	fate = exp(h->between * dice_normal(&seed));

	return dice_uniform(&seed) < h->ill ? 1.25 * fate : fate;
}

static void
take_group(const struct noise *h, double ratio, unsigned process, unsigned each,
    struct paired_ratio *r)
{
	const double	a = 100 * process_of(h), b = 100 * ratio * process_of(h);

	for (unsigned i = 0; i < each; i++)
		r[i] = (struct paired_ratio){ noisy_time(b, h->within) / noisy_time(a, h->within),
		    process };
}

/* A sequential comparison as the supervisor runs it. */
static struct paired
compare(const struct contest *rule, double ratio, const struct noise *h)
{
	const unsigned		each = paired_group(rule->max_pairs, 0);
	const unsigned		most = rule->max_pairs / each;
	struct paired_ratio	r[SPEC_PAIRS];
	struct paired		p = { .verdict = VERDICT_UNDECIDED };
	unsigned		groups = 0;

	for (unsigned look = 0; look < most && p.verdict == VERDICT_UNDECIDED;) {
		look = paired_next_look(look, most);
		for (; groups < look; groups++)
			take_group(h, ratio, groups, each, r + (size_t)groups * each);
		assert_int_equal(paired_look(rule, paired_looks(most), r, (size_t)groups * each,
		    look == most, &p), ST_OK);
	}
	assert_int_equal(p.groups, groups);
	return p;
}

struct count {
	unsigned	by[VERDICT_N];
};

static struct count
count(const struct contest *rule, double ratio, const struct noise *h)
{
	struct count	c = { { 0 } };

	for (unsigned i = 0; i < TRIALS; i++)
		c.by[compare(rule, ratio, h).verdict]++;
	return c;
}

static unsigned
count_wrong(const struct contest *rule, const struct noise *h)
{
	const struct count	c = count(rule, 1, h);

	return c.by[VERDICT_FASTER] + c.by[VERDICT_SLOWER];
}

static const struct contest	usual = { .error = 0.05, .resolution = 0.01,
    .max_pairs = SPEC_PAIRS };
static const struct contest	keen = { .error = 0.05, .resolution = 0, .max_pairs = 101 };

/* both directions in sum are 5 % at most; four standard deviations of slack */
#define MOST_WRONG	((unsigned)(TRIALS * 0.05 + 4 * sqrt(TRIALS * 0.05 * 0.95)))

static void
test_W63_an_equal_pair_is_called_different_no_more_often_than_stated(void **state)
{
	static const double	spreads[] = { 0.002, 0.01, 0.05 };

	(void)state;
	seed = 42;
	for (size_t i = 0; i < 3; i++) {
		const struct noise	h = { .within = spreads[i] };

		assert_in_range(count_wrong(&keen, &h), 1, MOST_WRONG);
		assert_true(count_wrong(&usual, &h) <= MOST_WRONG);
	}
}

/* More samples of the same two processes would make such differences certain. */
static void
test_W63_what_differs_between_processes_makes_no_more_errors_than_stated(void **state)
{
	static const struct noise	hosts[] = { { 0.002, 0.003, 0 }, { 0.002, 0.01, 0 },
	    { 0.01, 0.03, 0 }, { 0.001, 0.001, 0.15 }, { 0.001, 0, 0.5 } };

	(void)state;
	seed = 44;
	for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++) {
		assert_in_range(count_wrong(&keen, &hosts[i]), 1, MOST_WRONG);
		assert_true(count_wrong(&usual, &hosts[i]) <= MOST_WRONG);
	}
}

static void
test_W63_a_planted_gap_of_one_percent_is_found(void **state)
{
	static const struct {
		struct noise	 host;
		double		 ratio, share;	/* found of it, at least */
	} gaps[] = {
		{ { .within = 0.005 }, 0.99, 0.95 },
		{ { .within = 0.005 }, 1.01, 0.95 },
		{ { .within = 0.02 }, 0.97, 0.95 },
		{ { 0.005, 0.01, 0.05 }, 0.99, 0.8 },
		{ { 0.005, 0.01, 0.05 }, 1.02, 0.95 },
	};

	(void)state;
	seed = 43;
	for (size_t i = 0; i < sizeof gaps / sizeof gaps[0]; i++) {
		const bool		faster = gaps[i].ratio < 1;
		const struct count	c = count(&usual, gaps[i].ratio, &gaps[i].host);

		assert_true(c.by[faster ? VERDICT_FASTER : VERDICT_SLOWER] >=
		    TRIALS * gaps[i].share);
		assert_int_equal(c.by[faster ? VERDICT_SLOWER : VERDICT_FASTER], 0);
	}
}

static void
test_W63_both_spreads_are_those_of_pairs_and_of_processes(void **state)
{
	static const struct noise	h = { .within = 0.002, .between = 0.02 };
	static const struct contest	long_one = { .error = 1e-6, .resolution = 0,
	    .max_pairs = SPEC_PAIRS };
	struct paired			p;

	(void)state;
	seed = 45;
	p = compare(&long_one, 1, &h);
	assert_int_equal(p.pairs, SPEC_PAIRS);
	assert_int_equal(p.groups, SPEC_PAIRS / PAIRED_GROUP);
	assert_true(p.within > 0.001 && p.within < 0.01);
	assert_true(p.between > 0.02 && p.between < 0.08);
}

/* n groups of one pair each. */
static struct paired
look(const struct contest *rule, const double *ratio, size_t n, bool last)
{
	struct paired_ratio	r[64];
	struct paired		p;

	for (size_t i = 0; i < n; i++)
		r[i] = (struct paired_ratio){ ratio[i], (unsigned)i };
	assert_int_equal(paired_look(rule, 4, r, n, last, &p), ST_OK);
	return p;
}

static void
test_W64_a_narrow_interval_around_one_ends_the_comparison_as_equal(void **state)
{
	double		r[31];
	struct paired	p;

	(void)state;
	for (size_t i = 0; i < 31; i++)
		r[i] = i % 2 != 0 ? 1.001 : 1 / 1.001;
	p = look(&usual, r, 31, false);
	assert_int_equal(p.verdict, VERDICT_INDISTINGUISHABLE);
	assert_true(p.has_interval && p.low <= 1 && p.high >= 1);
	p = look(&usual, r, 5, false);
	assert_int_equal(p.verdict, VERDICT_UNDECIDED);
	assert_false(p.has_interval);
	p = look(&usual, r, 5, true);
	assert_int_equal(p.verdict, VERDICT_INDISTINGUISHABLE);
	assert_true(isnan(p.within));
}

/* A difference that is certain, but less than half of the resolution, and one of more. */
static void
test_W64_a_difference_below_half_the_resolution_counts_as_equal(void **state)
{
	double		r[31];
	struct paired	p;

	(void)state;
	for (size_t i = 0; i < 31; i++)
		r[i] = 0.995 + 0.0001 * (double)i;
	p = look(&usual, r, 31, false);
	assert_true(p.high < 1);
	assert_int_equal(p.verdict, VERDICT_INDISTINGUISHABLE);
	for (size_t i = 0; i < 31; i++)
		r[i] -= 0.003;
	assert_int_equal(look(&usual, r, 31, false).verdict, VERDICT_FASTER);
}

static void
test_paired_looks_are_those_that_are_documented(void **state)
{
	(void)state;
	assert_int_equal(paired_looks(10), 1);
	assert_int_equal(paired_looks(25), 2);
	assert_int_equal(paired_looks(100), 4);
	assert_int_equal(paired_looks(1001), 8);
	assert_int_equal(paired_next_look(0, 11), 11);
	assert_int_equal(paired_next_look(0, 100), 10);
	assert_int_equal(paired_next_look(10, 25), 25);
	assert_int_equal(paired_next_look(13, 100), 20);
	assert_int_equal(paired_next_look(40, 100), 100);
	assert_int_equal(paired_next_look(100, 100), 100);
}

static void
test_paired_groups_are_smaller_where_few_pairs_are_allowed_or_long(void **state)
{
	(void)state;
	assert_int_equal(paired_group(SPEC_MIN_PAIRS, 0), 1);
	assert_int_equal(paired_group(31, 0), 3);
	assert_int_equal(paired_group(SPEC_PAIRS, 0), PAIRED_GROUP);
	assert_int_equal(paired_group(SPEC_PAIRS, 10000000), 2);
	assert_int_equal(paired_group(SPEC_MAX_PAIRS, 1000000000), 1);
}

/* Critical values of the signed-rank statistic at 5 % in two tails, as printed in tables. */
static void
test_signed_rank_has_the_ranks_of_the_tables(void **state)
{
	static const struct {
		size_t	n, critical;
	} table[] = { { 6, 0 }, { 8, 3 }, { 10, 8 }, { 15, 25 }, { 20, 52 }, { 30, 137 },
	    { 50, 434 } };

	(void)state;
	assert_int_equal(signed_rank_of(5, 0.05), 0);
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
		assert_int_equal(signed_rank_of(table[i].n, 0.05), table[i].critical + 1);
	assert_in_range(signed_rank_of(60, 0.05), 645, 649);
	assert_in_range(signed_rank_of(100, 1e-6), 1, signed_rank_of(100, 1e-5) - 1);
}

static void
test_signed_rank_takes_the_middle_of_all_means_of_two(void **state)
{
	static const double	x[] = { 1, 2, 3, 4, 5, 6, 1000 };
	struct signed_rank	m;

	(void)state;
	assert_true(signed_rank(x, 6, 0.05, &m));
	assert_true(m.has_interval && m.middle == 3.5 && m.low == 1 && m.high == 6);
	assert_true(signed_rank(x, 7, 0.01, &m));
	assert_false(m.has_interval);
	assert_true(m.low == 1 && m.high == 1000 && m.middle < 6);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_W63_an_equal_pair_is_called_different_no_more_often_than_stated),
		cmocka_unit_test(
		    test_W63_what_differs_between_processes_makes_no_more_errors_than_stated),
		cmocka_unit_test(test_W63_a_planted_gap_of_one_percent_is_found),
		cmocka_unit_test(test_W63_both_spreads_are_those_of_pairs_and_of_processes),
		cmocka_unit_test(test_W64_a_narrow_interval_around_one_ends_the_comparison_as_equal),
		cmocka_unit_test(test_W64_a_difference_below_half_the_resolution_counts_as_equal),
		cmocka_unit_test(test_paired_looks_are_those_that_are_documented),
		cmocka_unit_test(test_paired_groups_are_smaller_where_few_pairs_are_allowed_or_long),
		cmocka_unit_test(test_signed_rank_has_the_ranks_of_the_tables),
		cmocka_unit_test(test_signed_rank_takes_the_middle_of_all_means_of_two),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
