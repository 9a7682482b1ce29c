/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/reading.h"
#include "worker/quiet/gate.h"

static const struct gate	fresh = { .resolution_ticks = 26 };

/* Without a pace. */
static void
see_alone(struct gate *g, uint32_t i, uint32_t before, uint32_t after)
{
	gate_see(g, i, &READING(before, after, 0, 0));
}

static bool
is_quiet_alone(const struct gate *g, uint32_t before, uint32_t after)
{
	return gate_is_quiet(g, &READING(before, after, 0, 0));
}

static bool
is_quiet(const struct gate *g, uint32_t canary, uint32_t pace)
{
	return gate_is_quiet(g, &READING(canary, canary, pace, pace));
}

static void
test_gate_both_sides_of_a_sample_count(void **state)
{
	struct gate	g = fresh;

	(void)state;
	see_alone(&g, 0, 8000, 12000);
	see_alone(&g, 0, 0, 9000);		/* 0 is no reading */
	assert_int_equal(gate_base_ticks(&g), 8000);
	assert_int_equal(g.readings, 3);
	assert_true(is_quiet_alone(&g, 8000, 8480));
	assert_false(is_quiet_alone(&g, 8000, 8481));
	assert_false(is_quiet_alone(&g, 8481, 8000));
	assert_false(is_quiet_alone(&g, 0, 8000));
	assert_float_equal(gate_ratio(&g, &READING(8000, 8800, 0, 0)), 1.05, 1e-12);
	assert_float_equal(gate_ratio(&g, &READING(8000, 0, 0, 0)), 0, 0);
}

static void
test_gate_a_clock_with_coarse_steps_cannot_tell_six_percent(void **state)
{
	struct gate	g = { .resolution_ticks = 1 };

	(void)state;
	assert_false(is_quiet_alone(&g, 1, 1));
	see_alone(&g, 0, 49, 49);
	assert_true(gate_is_coarse(&g));
	see_alone(&g, 0, 50, 49);
	assert_false(gate_is_coarse(&g));
	assert_int_equal(gate_base_ticks(&g), 50);		/* 49 is no reading, whoever says so */
	assert_float_equal(gate_pace(&g, &READING(50, 50, 24, 24)), 0, 0);
}

/* As many orders of one sample, each so long after the last. */
static void
see_orders(struct gate *g, unsigned n, uint32_t canary, uint32_t pace, uint64_t *now_ns,
    uint64_t step_ns)
{
	for (unsigned i = 0; i < n; i++) {
		gate_order(g, *now_ns += step_ns);
		gate_see(g, 0, &READING(canary + i % 5, canary + i % 7, pace, pace));
	}
}

static void
test_gate_a_slower_clock_is_quiet_and_a_neighbour_is_not_whatever_the_clock(void **state)
{
	struct gate	g = fresh;
	uint64_t	now = GATE_LONG_NS;

	(void)state;
	see_orders(&g, 100, 7700, 1660, &now, GATE_SLICE_NS);
	assert_true(is_quiet(&g, 7750, 1664));
	assert_true(is_quiet(&g, 9970, 2150));		/* wide vectors lower the clock: both are
							 * slower by as much */
	assert_false(is_quiet(&g, 9970, 1660));		/* a neighbour */
	assert_false(is_quiet(&g, 16480, 1945));	/* with wide vectors */
	assert_true(is_quiet(&g, 7000, 1660));		/* quieter than was known */
	/* the clock changed in between */
	assert_false(gate_is_quiet(&g, &READING(7700, 9020, 1660, 1945)));
}

static void
test_gate_quiet_is_remembered_for_a_quarter_of_an_hour_in_which_a_neighbour_stays(void **state)
{
	struct gate	g = fresh;
	uint64_t	now = GATE_LONG_NS;

	(void)state;
	see_orders(&g, 40, 7700, 1660, &now, GATE_SLICE_NS);
	see_orders(&g, 450, 14000, 1660, &now, GATE_LONG_NS);
	assert_false(is_quiet(&g, 14000, 1660));
	assert_true(is_quiet(&g, 7700, 1660));
	see_orders(&g, 4 * ROLLING_MOST, 14000, 1660, &now, GATE_LONG_NS);	/* it was never quiet: this is another machine */
	assert_true(is_quiet(&g, 14000, 1660));
}

static void
test_gate_a_lie_is_forgotten(void **state)
{
	struct gate	g = fresh;
	uint64_t	now = GATE_LONG_NS;

	(void)state;
	see_orders(&g, 100, 7700, 1660, &now, GATE_LONG_NS);
	see_orders(&g, 60, 2000, 1660, &now, GATE_SLICE_NS);
	assert_false(is_quiet(&g, 7700, 1660));
	see_orders(&g, 2 * ROLLING_MOST, 7700, 1660, &now, GATE_LONG_NS);
	assert_true(is_quiet(&g, 7700, 1660));
}

static void
test_gate_an_order_with_many_samples_is_remembered_by_one(void **state)
{
	struct gate	g = fresh;
	uint64_t	now = GATE_LONG_NS;

	(void)state;
	see_orders(&g, 2 * ROLLING_MOST, 14000, 1660, &now, GATE_LONG_NS);
	gate_order(&g, now += GATE_SLICE_NS);
	for (uint32_t i = 0; i < 512; i++)
		gate_see(&g, i, &READING(7700, 7700, 1660, 1660));
	assert_true(is_quiet(&g, 14000, 1660));		/* a forged order is not half of what is
							 * known */
	gate_order(&g, now + GATE_SLICE_NS / 2);
	gate_see(&g, 0, &READING(7700, 7700, 1660, 1660));
	assert_true(is_quiet(&g, 14000, 1660));		/* nor are many short ones */
}

static void
test_gate_the_clock_at_rest_is_the_least_of_the_last_second_relative_to_the_best(void **state)
{
	struct gate	g = fresh;
	uint64_t	now = 77 * GATE_REST_NS;

	(void)state;
	assert_float_equal(gate_clock(&g), 0, 0);
	gate_rest(&g, 0, now);				/* no reading */
	assert_float_equal(gate_clock(&g), 0, 0);
	for (unsigned i = 0; i < 100; i++)
		gate_rest(&g, 1660 + i % 20, now += GATE_REST_NS / 100);
	assert_float_equal(gate_clock(&g), 1, 0);	/* within noise */
	gate_rest(&g, 1945, now += GATE_REST_NS / 100);	/* after wide vectors of the job before */
	assert_float_equal(gate_clock(&g), 1, 0);
	gate_rest(&g, 1945, now += 2 * GATE_REST_NS);	/* others were long ago: a neighbour's */
	assert_float_equal(gate_clock(&g), 1945.0 / 1660, 0.002);
	assert_float_equal(gate_pace(&g, &READING(9000, 9000, 1660, 1826)), 1.05, 0.002);
	gate_rest(&g, 1660, now += GATE_REST_NS / 100);
	assert_float_equal(gate_clock(&g), 1, 0);
}

static void
test_gate_the_canary_in_quiet_is_told_in_ticks_of_the_best_clock(void **state)
{
	struct gate	g = fresh;

	(void)state;
	gate_rest(&g, 1660, 1);
	gate_order(&g, GATE_LONG_NS);
	gate_see(&g, 0, &READING(9020, 9020, 1945, 1945));
	assert_in_range(gate_base_ticks(&g), 7695, 7700);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_gate_both_sides_of_a_sample_count),
		cmocka_unit_test(test_gate_a_clock_with_coarse_steps_cannot_tell_six_percent),
		cmocka_unit_test(test_gate_a_slower_clock_is_quiet_and_a_neighbour_is_not_whatever_the_clock),
		cmocka_unit_test(test_gate_quiet_is_remembered_for_a_quarter_of_an_hour_in_which_a_neighbour_stays),
		cmocka_unit_test(test_gate_a_lie_is_forgotten),
		cmocka_unit_test(test_gate_an_order_with_many_samples_is_remembered_by_one),
		cmocka_unit_test(test_gate_the_clock_at_rest_is_the_least_of_the_last_second_relative_to_the_best),
		cmocka_unit_test(test_gate_the_canary_in_quiet_is_told_in_ticks_of_the_best_clock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
