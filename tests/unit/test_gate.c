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
	assert_int_equal(g.readings, 3);
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
	gate_see(&g, (struct gate_reading){ 50, 49 });
	assert_false(gate_is_coarse(&g));
	assert_int_equal(g.base_ticks, 50);		/* 49 is no reading, whoever says so */
}

static void
test_gate_a_base_that_nothing_comes_near_is_learnt_anew(void **state)
{
	struct gate	g = fresh;

	(void)state;
	gate_see(&g, (struct gate_reading){ 2000, 8000 });		/* a lie, or a clock that was faster once */
	gate_end(&g, false, 0);
	for (unsigned job = 2; job <= GATE_BARREN; job++) {
		assert_int_equal(g.base_ticks, 2000);
		gate_see(&g, (struct gate_reading){ 8000, 8100 });
		gate_end(&g, false, 0);
	}
	assert_int_equal(g.base_ticks, 8000);
	assert_true(gate_is_quiet(&g, (struct gate_reading){ 8000, 8100 }));
}

enum { MS = 1000000 };

static void
test_gate_it_is_patient_until_it_waits_in_vain_and_again_when_quiet_returns(void **state)
{
	struct gate	g = fresh;
	uint64_t	now = 77 * (uint64_t)MS, patience = 0;

	(void)state;
	gate_see(&g, (struct gate_reading){ 8000, 8000 });
	assert_int_equal(gate_patience(&g, now), GATE_PURSE_NS);
	for (unsigned job = 0; job < 10; job++) {
		gate_end(&g, false, patience = gate_patience(&g, now));
		now += 3600000 * (uint64_t)MS;
	}
	assert_in_range(patience, 1 * MS, 4 * MS);
	for (unsigned job = 0; job < 10; job++)
		gate_end(&g, true, 0);
	assert_int_equal(gate_patience(&g, now), GATE_PURSE_NS);
	assert_int_equal(g.base_ticks, 8000);
}

static void
test_gate_waiting_takes_an_eighth_of_the_time_even_where_it_helps(void **state)
{
	struct gate	g = fresh;
	uint64_t	now = 77 * (uint64_t)MS, began = now, spent = 0;

	(void)state;
	gate_see(&g, (struct gate_reading){ 8000, 8000 });
	for (unsigned job = 0; job < 2000; job++) {
		uint64_t	patience = gate_patience(&g, now);

		gate_end(&g, true, patience);
		spent += patience;
		now += 2 * MS + patience;
	}
	assert_true(spent > (now - began) / 9);
	assert_true(spent <= GATE_PURSE_NS + (now - began) / GATE_SHARE);
}

static void
test_gate_what_was_asked_for_and_waited_costs_its_purse_nothing(void **state)
{
	struct gate	g = fresh;

	(void)state;
	(void)gate_patience(&g, 77 * MS);
	gate_end(&g, true, 0);
	assert_int_equal(gate_patience(&g, 77 * MS), GATE_PURSE_NS);
	gate_end(&g, true, UINT64_MAX);
	assert_int_equal(gate_patience(&g, 77 * MS), 0);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(test_gate_the_base_is_the_least_ever_seen_and_both_sides_count),
		cmocka_unit_test(test_gate_a_clock_with_coarse_steps_cannot_tell_six_percent),
		cmocka_unit_test(test_gate_a_base_that_nothing_comes_near_is_learnt_anew),
		cmocka_unit_test(test_gate_it_is_patient_until_it_waits_in_vain_and_again_when_quiet_returns),
		cmocka_unit_test(test_gate_waiting_takes_an_eighth_of_the_time_even_where_it_helps),
		cmocka_unit_test(test_gate_what_was_asked_for_and_waited_costs_its_purse_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
