/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/reading.h"
#include "worker/runner/sample/canary.h"
#include "worker/taken/pace.h"

/*
 * Of a routine that takes 100 cycles: whose clock was how slow beside each sample, in hundredths of
 * the best.
 */
enum { N = 7, BEST = 1660 };

static struct gate		gate;
static struct plan		plan;
static struct take_sample	sample[N];
static struct take		take;

static void
begin(uint32_t rest_percent, const unsigned *percent)
{
	gate = (struct gate){ .resolution_ticks = 26 };
	for (unsigned i = 0; i < 100; i++)
		gate_rest(&gate, BEST, 1);
	gate_rest(&gate, BEST * rest_percent / 100, 100 * GATE_REST_NS);
	plan = (struct plan){ .method = &plan_warm };
	take = (struct take){ .sample = sample, .samples = N };
	for (unsigned i = 0; i < N; i++) {
		uint32_t	pace = BEST * percent[i] / 100, canary = 7700 * percent[i] / 100;

		sample[i] = (struct take_sample){ .ns = percent[i],
		    .raw = READING(canary, canary, pace, pace) };
	}
	gate_order(&gate, GATE_LONG_NS);
	gate_see(&gate, 0, &READING(7700, 7700, BEST, BEST));
}

static void
normalised_is(double ns)
{
	pace_normalise(&take, &gate, &plan);
	for (unsigned i = 0; i < N; i++)
		assert_float_equal(sample[i].ns / sample[i].slowness, ns, 0.2);
}

static void
test_pace_what_the_routine_does_to_the_clock_is_a_part_of_its_time(void **state)
{
	static const unsigned	wide[N] = { 115, 115, 116, 115, 115, 115, 115 };

	(void)state;
	begin(100, wide);
	normalised_is(115);
	assert_float_equal(take.clock, 1, 0.001);
	assert_float_equal(take.own_clock, 1.15, 0.001);
}

static void
test_pace_what_a_neighbour_does_to_the_clock_for_moments_is_not(void **state)
{
	static const unsigned	moments[N] = { 115, 115, 115, 100, 115, 114, 115 };

	(void)state;
	begin(100, moments);
	normalised_is(100);
}

static void
test_pace_a_step_that_the_clock_is_lower_before_the_routine_runs_is_not(void **state)
{
	static const unsigned	step[N] = { 104, 104, 104, 104, 104, 104, 104 },
	    wide[N] = { 120, 120, 120, 120, 120, 120, 120 };

	(void)state;
	begin(104, step);
	normalised_is(100);
	begin(104, wide);		/* both */
	normalised_is(120 / 1.04);
}

static void
test_pace_a_clock_that_is_much_lower_may_be_so_by_either_and_is_in_doubt(void **state)
{
	static const unsigned	slow[N] = { 115, 115, 115, 115, 115, 115, 115 };

	(void)state;
	begin(115, slow);
	normalised_is(115);
	assert_true(pace_is_in_doubt(&take, &plan));
	plan.flushes = true;
	assert_false(pace_is_in_doubt(&take, &plan));
	begin(104, slow);
	normalised_is(115 / 1.04);
	assert_false(pace_is_in_doubt(&take, &plan));
}

static void
test_pace_a_rest_that_was_slower_than_the_samples_is_over(void **state)
{
	static const unsigned	fast[N] = { 100, 100, 100, 100, 100, 100, 100 };

	(void)state;
	begin(115, fast);
	normalised_is(100);
	assert_false(pace_is_in_doubt(&take, &plan));
	begin(104, fast);
	normalised_is(100);
}

static void
test_pace_operands_from_memory_do_not_follow_the_cores_clock(void **state)
{
	static const unsigned	slow[N] = { 115, 115, 115, 115, 115, 115, 115 };

	(void)state;
	begin(115, slow);
	plan.flushes = true;
	pace_normalise(&take, &gate, &plan);
	for (unsigned i = 0; i < N; i++)
		assert_true(sample[i].slowness == 1);
	assert_float_equal(take.clock, 1.15, 0.001);
}

static void
test_pace_where_it_is_not_known_the_canary_stands_for_it(void **state)
{
	static const unsigned	percent[N] = { 100, 103, 100, 101, 100, 100, 100 };

	(void)state;
	begin(100, percent);
	gate = (struct gate){ .resolution_ticks = 26 };
	for (unsigned i = 0; i < N; i++)
		sample[i].raw.pace_before = sample[i].raw.pace_after = 0;
	gate_order(&gate, GATE_LONG_NS);
	gate_see(&gate, 0, &READING(7700, 7700, 0, 0));
	normalised_is(100);
	assert_float_equal(take.clock, 0, 0);
}

static void
test_pace_shows_the_cores_clock_less_the_time_of_reading_it(void **state)
{
	static const unsigned	percent[N] = { 100, 103, 100, 101, 100, 100, 100 };
	const struct tick	tick = { .hz = 2e9, .overhead_ns = 10 };

	(void)state;
	begin(100, percent);
	assert_float_equal(pace_ghz(&take, &gate, &tick), RT_PACE_CYCLES / (BEST / 2.0 - 10), 1e-6);
	sample[3].raw.pace_before = sample[3].raw.pace_after = 0;
	assert_float_equal(pace_ghz(&take, &gate, &tick), 0, 0);
	take.samples = 0;
	assert_float_equal(pace_ghz(&take, &gate, &tick), 0, 0);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_pace_what_the_routine_does_to_the_clock_is_a_part_of_its_time),
		cmocka_unit_test(test_pace_what_a_neighbour_does_to_the_clock_for_moments_is_not),
		cmocka_unit_test(test_pace_a_step_that_the_clock_is_lower_before_the_routine_runs_is_not),
		cmocka_unit_test(test_pace_a_clock_that_is_much_lower_may_be_so_by_either_and_is_in_doubt),
		cmocka_unit_test(test_pace_a_rest_that_was_slower_than_the_samples_is_over),
		cmocka_unit_test(test_pace_operands_from_memory_do_not_follow_the_cores_clock),
		cmocka_unit_test(test_pace_shows_the_cores_clock_less_the_time_of_reading_it),
		cmocka_unit_test(test_pace_where_it_is_not_known_the_canary_stands_for_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
