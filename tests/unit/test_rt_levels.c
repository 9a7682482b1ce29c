/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "worker/runner/method/levels.h"

enum { FIRST = 8 << 20, MOST = 32 << 20 };

static struct rt_timer	timer;

/* As in a child that was just forked. */
static int
set_up(void **state)
{
	(void)state;
	timer = (struct rt_timer){ .setup.out_of_l2 = FIRST,
	    .levels = { .out_of_l2 = FIRST, .most = MOST } };
	return 0;
}

static struct runner_levels
left_by_another(uint64_t out_of_l2)
{
	struct runner_levels	l = { .out_of_l2 = out_of_l2 };

	l.l3.chain[20] = 7;
	return l;
}

static void
test_rt_levels_what_one_process_has_measured_the_next_inherits(void **state)
{
	const struct runner_levels	from = left_by_another(2 * FIRST);
	struct runner_levels		to = { 0 };

	(void)state;
	rt_levels_inherit(&timer, &from);
	assert_true(timer.levels.are_known);
	assert_int_equal(timer.levels.out_of_l2, 2 * FIRST);
	assert_int_equal(timer.levels.known[RUNNER_L3].chain[20], 7);
	rt_levels_leave(&timer, &to);
	assert_memory_equal(&from, &to, sizeof to);
}

static void
test_rt_levels_a_process_that_has_not_measured_leaves_nothing(void **state)
{
	struct runner_levels	to = { 0 };

	(void)state;
	rt_levels_leave(&timer, &to);
	assert_int_equal(to.out_of_l2, 0);
	rt_levels_inherit(&timer, &to);
	assert_false(timer.levels.are_known);
	assert_int_equal(timer.levels.out_of_l2, FIRST);
}

/* A child's memory is written by its variant, too. */
static void
test_rt_levels_sizes_that_none_can_have_measured_are_not_inherited(void **state)
{
	static const uint64_t	out_of_l2[] = { 1, FIRST - 1, (uint64_t)MOST + 1, UINT64_MAX };

	(void)state;
	for (size_t i = 0; i < sizeof out_of_l2 / sizeof out_of_l2[0]; i++) {
		const struct runner_levels	from = left_by_another(out_of_l2[i]);

		rt_levels_inherit(&timer, &from);
		assert_false(timer.levels.are_known);
		assert_int_equal(timer.levels.out_of_l2, FIRST);
	}
}

static void
test_rt_levels_a_measurement_that_is_made_anew_begins_where_the_first_did(void **state)
{
	const struct runner_levels	from = left_by_another(2 * FIRST);
	struct runner_levels		to = { 0 };

	(void)state;
	rt_levels_inherit(&timer, &from);
	rt_levels_forget(&timer);
	assert_int_equal(timer.levels.out_of_l2, FIRST);
	rt_levels_leave(&timer, &to);
	assert_int_equal(to.out_of_l2, 0);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test_setup(
		    test_rt_levels_what_one_process_has_measured_the_next_inherits, set_up),
		cmocka_unit_test_setup(
		    test_rt_levels_a_process_that_has_not_measured_leaves_nothing, set_up),
		cmocka_unit_test_setup(
		    test_rt_levels_sizes_that_none_can_have_measured_are_not_inherited, set_up),
		cmocka_unit_test_setup(
		    test_rt_levels_a_measurement_that_is_made_anew_begins_where_the_first_did, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
