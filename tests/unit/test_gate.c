/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "worker/gate.h"

static const struct gate	fresh = { .resolution_ticks = 26 };

static void
test_gate_both_sides_of_a_sample_count(void **state)
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
see_often(struct gate *g, unsigned n, uint32_t ticks)
{
	for (unsigned i = 0; i < n; i++)
		gate_remember(g, (struct gate_reading){ ticks + i % 5, ticks + i % 7 });
}

static void
test_gate_a_job_may_have_a_slower_clock_of_its_own_but_not_a_neighbour(void **state)
{
	struct gate	g = fresh;

	(void)state;
	see_often(&g, 300, 7800);
	gate_begin(&g);
	for (unsigned i = 0; i < 30; i++)
		gate_see(&g, (struct gate_reading){ 8900, 8900 });	/* wide vectors */
	assert_int_equal(g.base_ticks, 8900);
	assert_true(gate_is_quiet(&g, (struct gate_reading){ 8900, 8950 }));
	gate_begin(&g);
	for (unsigned i = 0; i < 30; i++)
		gate_see(&g, (struct gate_reading){ 12000, 12000 });
	assert_in_range(g.base_ticks, 7800, 7810);
	assert_false(gate_is_quiet(&g, (struct gate_reading){ 12000, 12000 }));
}

static void
test_gate_a_faster_state_counts_once_it_lasts_for_a_tenth_of_the_time(void **state)
{
	struct gate	g = fresh;

	(void)state;
	see_often(&g, 450, 8880);
	see_often(&g, 20, 7706);		/* moments of a higher clock */
	assert_in_range(g.base_ticks, 8880, 8890);
	assert_true(gate_is_quiet(&g, (struct gate_reading){ 8900, 8880 }));
	assert_false(gate_is_quiet(&g, (struct gate_reading){ 7706, 7706 }));
	see_often(&g, 40, 7706);
	assert_in_range(g.base_ticks, 7706, 7716);
	assert_false(gate_is_quiet(&g, (struct gate_reading){ 8900, 8880 }));
}

static void
test_gate_a_long_disturbance_and_a_lie_are_forgotten(void **state)
{
	struct gate	g = fresh;

	(void)state;
	see_often(&g, 100, 2000);		/* a lie */
	see_often(&g, ROLLING_MOST / 2, 8000);
	assert_in_range(g.base_ticks, 8000, 8010);
	see_often(&g, ROLLING_MOST / 2 - 60, 12000);	/* a neighbour; quiet is still remembered */
	assert_in_range(g.base_ticks, 8000, 8010);
	see_often(&g, 60, 12000);			/* who stays */
	assert_in_range(g.base_ticks, 12000, 12010);
}

static void
test_gate_readings_are_remembered_by_time_however_many_an_order_has(void **state)
{
	struct gate	g = fresh;

	(void)state;
	gate_order(&g, 5 * (uint64_t)GATE_SLICE_NS);
	assert_true(gate_wants(&g, 0) && gate_wants(&g, 30));	/* the first of all */
	for (unsigned i = 0; i < GATE_FIRST; i++)
		gate_see(&g, (struct gate_reading){ 8000, 8000 });
	gate_order(&g, 6 * (uint64_t)GATE_SLICE_NS);
	assert_true(gate_wants(&g, 0));
	assert_false(gate_wants(&g, 1));
	gate_order(&g, 7 * (uint64_t)GATE_SLICE_NS - 1);
	assert_false(gate_wants(&g, 0));
	gate_order(&g, 7 * (uint64_t)GATE_SLICE_NS);
	assert_true(gate_wants(&g, 0));
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
		cmocka_unit_test(test_gate_both_sides_of_a_sample_count),
		cmocka_unit_test(test_gate_a_clock_with_coarse_steps_cannot_tell_six_percent),
		cmocka_unit_test(test_gate_a_faster_state_counts_once_it_lasts_for_a_tenth_of_the_time),
		cmocka_unit_test(test_gate_a_long_disturbance_and_a_lie_are_forgotten),
		cmocka_unit_test(test_gate_a_job_may_have_a_slower_clock_of_its_own_but_not_a_neighbour),
		cmocka_unit_test(test_gate_readings_are_remembered_by_time_however_many_an_order_has),
		cmocka_unit_test(test_gate_it_is_patient_until_it_waits_in_vain_and_again_when_quiet_returns),
		cmocka_unit_test(test_gate_waiting_takes_an_eighth_of_the_time_even_where_it_helps),
		cmocka_unit_test(test_gate_what_was_asked_for_and_waited_costs_its_purse_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
