/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "worker/evidence/cold.h"

/* What a Xeon of 2019 reads, in ticks. */
static const struct runner_sentinel	xeon = { .hot = 84, .near = 550, .far = 900 };

static struct cold
judged(const struct runner_sentinel *s)
{
	struct cold	c = { 0 };

	cold_judge_by(&c, s);
	return c;
}

static void
see(struct cold *c, unsigned n, uint32_t ticks)
{
	for (unsigned i = 0; i < n; i++)
		cold_see(c, ticks);
}

static void
test_cold_memory_is_told_from_the_last_cache_where_both_are_known(void **state)
{
	struct cold	c = judged(&xeon);

	(void)state;
	assert_null(c.off);
	assert_true(c.limit_ticks > 650 && c.limit_ticks < 750);
	see(&c, 7, 1000);
	assert_false(cold_was_warm(&c));
	assert_int_equal(c.read, 7);
	assert_int_equal(c.warm, 0);
}

static void
test_cold_lines_that_are_in_a_cache_before_most_samples_were_not_cold(void **state)
{
	struct cold	c = judged(&xeon);

	(void)state;
	see(&c, 4, 560);
	see(&c, 3, 1000);
	assert_true(cold_was_warm(&c));
	assert_int_equal(c.warm, 4);
	see(&c, 1, 1000);			/* half of them only */
	assert_false(cold_was_warm(&c));
}

static void
test_cold_two_samples_prove_nothing(void **state)
{
	struct cold	c = judged(&xeon);

	(void)state;
	see(&c, 2, 90);
	assert_false(cold_was_warm(&c));
}

static void
test_cold_a_last_cache_as_slow_as_memory_leaves_the_inner_ones_to_be_told(void **state)
{
	const struct runner_sentinel	slow = { .hot = 100, .near = 900, .far = 910 },
	    none = { .hot = 100, .near = 400 };
	struct cold			c = judged(&slow);

	(void)state;
	assert_null(c.off);
	assert_true(c.limit_ticks > 290 && c.limit_ticks < 310);
	c = judged(&none);		/* no instruction flushes */
	assert_null(c.off);
	assert_true(c.limit_ticks > 190 && c.limit_ticks < 210);
}

static void
test_cold_a_clock_too_coarse_to_tell_says_so_and_accuses_nobody(void **state)
{
	const struct runner_sentinel	coarse = { .hot = 1000, .near = 1000, .far = 1000 }, unseen = { 0 };
	struct cold			c = judged(&coarse);

	(void)state;
	assert_string_equal(c.off, "off: the clock does not separate memory from cache");
	see(&c, 31, 1);
	assert_false(cold_was_warm(&c));
	assert_int_equal(c.read, 0);
	c = judged(&unseen);
	assert_non_null(c.off);
}

static void
test_cold_W33_sets_that_stood_still_are_noticed(void **state)
{
	struct cold	c = { .sets_touched = 1 };

	(void)state;
	assert_true(cold_sets_stood(&c, 5000, 5000));	/* a published generator's rotation */
	assert_false(cold_sets_stood(&c, 5000, 1));
	c.sets_touched = 900;
	assert_false(cold_sets_stood(&c, 1000, 90000));
	assert_false(cold_sets_stood(&c, 90000, 1000));
	c.sets_touched = 0;				/* nobody looked */
	assert_false(cold_sets_stood(&c, 5000, 5000));
}

/* Of n lines, all in one proof. */
static bool
came_back(const struct runner_sentinel *known, uint32_t found, uint32_t n)
{
	struct cold	c = judged(known);

	cold_prove(&c, n, found);
	return cold_came_back(&c);
}

static void
test_cold_lines_that_calls_brought_back_are_counted_against_chance(void **state)
{
	(void)state;
	assert_false(came_back(&xeon, 0, 0));
	assert_false(came_back(&xeon, 4, 4));		/* too few to say */
	assert_true(came_back(&xeon, 8, 8));
	assert_false(came_back(&xeon, 9, 32));
	assert_true(came_back(&xeon, 16, 32));
	assert_false(came_back(&xeon, 50, 300));
	assert_true(came_back(&xeon, 60, 300));
	assert_true(came_back(&xeon, UINT32_MAX, 8));
}

static void
test_cold_without_a_sentinel_nothing_is_said_of_lines_that_came_back(void **state)
{
	static const struct runner_sentinel	coarse = { .hot = 900, .near = 900, .far = 900 };

	(void)state;
	assert_false(came_back(&coarse, 300, 300));
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_cold_memory_is_told_from_the_last_cache_where_both_are_known),
		cmocka_unit_test(test_cold_lines_that_are_in_a_cache_before_most_samples_were_not_cold),
		cmocka_unit_test(test_cold_two_samples_prove_nothing),
		cmocka_unit_test(test_cold_a_last_cache_as_slow_as_memory_leaves_the_inner_ones_to_be_told),
		cmocka_unit_test(test_cold_a_clock_too_coarse_to_tell_says_so_and_accuses_nobody),
		cmocka_unit_test(
		    test_cold_lines_that_calls_brought_back_are_counted_against_chance),
		cmocka_unit_test(
		    test_cold_without_a_sentinel_nothing_is_said_of_lines_that_came_back),
		cmocka_unit_test(test_cold_W33_sets_that_stood_still_are_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
