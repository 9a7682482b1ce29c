/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "worker/gate.h"

static const struct gate	fresh = { .resolution_ticks = 26 };

static void
test_gate_the_base_is_the_least_ever_seen_and_both_sides_count(void **state)
{
	struct gate	g = fresh;

	(void)state;
	gate_see(&g, (struct gate_reading){ 8000, 12000 });
	gate_see(&g, (struct gate_reading){ 0, 9000 });		/* 0 is no reading */
	assert_int_equal(g.base_ticks, 8000);
	assert_true(gate_is_quiet(&g, (struct gate_reading){ 8000, 8480 }));
	assert_false(gate_is_quiet(&g, (struct gate_reading){ 8000, 8481 }));
	assert_false(gate_is_quiet(&g, (struct gate_reading){ 8481, 8000 }));
	assert_false(gate_is_quiet(&g, (struct gate_reading){ 0, 8000 }));
	assert_float_equal(gate_ratio(&g, (struct gate_reading){ 8000, 8800 }), 1.05, 1e-12);
	assert_float_equal(gate_ratio(&g, (struct gate_reading){ 8000, 0 }), 0, 0);
}

static void
test_gate_a_clock_with_coarse_steps_cannot_tell_six_percent(void **state)
{
	struct gate	g = { .resolution_ticks = 1 };

	(void)state;
	assert_true(gate_is_quiet(&g, (struct gate_reading){ 1, 1 }) == false);
	gate_see(&g, (struct gate_reading){ 49, 49 });
	assert_true(gate_is_coarse(&g));
	g = fresh;
	gate_see(&g, (struct gate_reading){ 8000, 8000 });
	assert_false(gate_is_coarse(&g));
}

static void
test_gate_a_base_that_nothing_comes_near_is_learnt_anew(void **state)
{
	struct gate	g = fresh;

	(void)state;
	gate_see(&g, (struct gate_reading){ 100, 8000 });		/* a lie, or a clock that was faster once */
	gate_end(&g, false);
	for (unsigned job = 2; job <= GATE_BARREN; job++) {
		assert_int_equal(g.base_ticks, 100);
		gate_see(&g, (struct gate_reading){ 8000, 8100 });
		gate_end(&g, false);
	}
	assert_int_equal(g.base_ticks, 8000);
	assert_true(gate_is_quiet(&g, (struct gate_reading){ 8000, 8100 }));
}

static void
test_gate_it_is_patient_until_it_waits_in_vain(void **state)
{
	struct gate	g = fresh;

	(void)state;
	gate_see(&g, (struct gate_reading){ 8000, 8000 });
	assert_int_equal(gate_patience(&g, 6400), 6400);
	gate_end(&g, false);
	assert_int_equal(gate_patience(&g, 6400), 1600);
	for (unsigned job = 0; job < 10; job++)
		gate_end(&g, false);
	assert_int_equal(gate_patience(&g, 6400), 100);
	gate_end(&g, true);
	assert_int_equal(gate_patience(&g, 6400), 6400);
	assert_int_equal(g.base_ticks, 8000);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_gate_the_base_is_the_least_ever_seen_and_both_sides_count),
		cmocka_unit_test(test_gate_a_clock_with_coarse_steps_cannot_tell_six_percent),
		cmocka_unit_test(test_gate_a_base_that_nothing_comes_near_is_learnt_anew),
		cmocka_unit_test(test_gate_it_is_patient_until_it_waits_in_vain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
