/* SPDX-License-Identifier: Apache-2.0 */
/* Samples that are taken beside a neighbour: the canary, and what the gate does about it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/support/fake_runner.h"
#include "tests/support/reading.h"

static void
test_take_a_neighbour_is_waited_for_and_no_sample_taken_beside_it_counts(void **state)
{
	struct fake	f = { .call_ticks = 20000, .loud_from = 300000, .loud_to = 30000000 };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f, SPEC("warm", ", 'timing': {'samples': 40}"),
	    10 * (uint64_t)SECOND), ST_OK);
	assert_null(k.canary_off);
	assert_false(take_is_noisy(&k));
	assert_int_equal(k.samples, 40);
	assert_true(k.loud > 10);
	assert_int_equal(k.rejected, k.loud);
	assert_true(f.paused_ns > 0);
	for (size_t i = 0; i < k.samples; i++) {
		assert_true(k.sample[i].ns == 20000);
		assert_true(k.sample[i].canary_ratio == 1);
	}
	take_release(&k);
}

static void
test_take_a_worker_that_was_told_what_quiet_is_rejects_its_very_first_sample(void **state)
{
	static const struct gate_quiet	told = { .canary = { 8000, 500 } };
	struct fake			f = { .call_ticks = 20000, .loud_from = 0,
					    .loud_to = UINT32_MAX };
	struct take			k;

	(void)state;
	gate_begin(&gate, &told);
	assert_int_equal(take_for(&k, &f, SPEC("warm", ", 'timing': {'gate': true}"),
	    10 * (uint64_t)SECOND), ST_OK);
	assert_true(take_is_noisy(&k));
	assert_int_equal(k.loud, k.taken);
	for (size_t i = 0; i < k.samples; i++)
		assert_true(k.sample[i].loud && k.sample[i].canary_ratio == 1.25);
	take_release(&k);
}

/* From the start there is a neighbour, who never leaves; the base is known from before. */
static void
take_beside_a_neighbour(struct take *k, struct fake *f, const char *timing)
{
	char	spec[512];

	*f = (struct fake){ .call_ticks = 20000, .loud_from = 200000, .loud_to = UINT32_MAX };
	(void)snprintf(spec, sizeof spec, SPEC("warm", ", 'timing': {'samples': 60%s}"), timing);
	gate_see(&gate, 0, &READING(8000, 8000, 0, 0));
	assert_int_equal(take_for(k, f, spec, 10 * (uint64_t)SECOND), ST_OK);
	assert_int_equal(k->samples, 60);		/* never empty: the best there were */
	assert_true(k->kept_unfit > 40);
	assert_int_equal(k->rejected, k->loud);
	assert_true(k->rejected > k->taken * 2 / 3);
	for (size_t i = 0; i < k->samples; i++) {
		assert_int_equal(k->sample[i].loud, i >= 60 - k->kept_unfit);
		assert_true(k->sample[i].canary_ratio == (k->sample[i].loud ? 1.25 : 1));
	}
}

static void
test_take_a_neighbour_who_stays_switches_the_gate_off_and_the_quietest_are_kept(void **state)
{
	struct fake	f;
	struct take	k;

	(void)state;
	take_beside_a_neighbour(&k, &f, "");
	assert_non_null(k.canary_off);
	assert_false(take_is_noisy(&k));
	assert_true(k.waited_ns >= PATIENCE_PURSE_NS && k.waited_ns < 2 * PATIENCE_PURSE_NS);
	assert_int_equal(k.patience_ns, PATIENCE_PURSE_NS);
	take_release(&k);
}

static void
test_take_a_host_that_stays_loud_costs_an_evaluation_4_ms_at_most(void **state)
{
	struct fake	f;
	struct take	k;

	(void)state;
	for (unsigned job = 0; job < 12; job++) {
		take_beside_a_neighbour(&k, &f, "");
		take_release(&k);
		gate.patience.filled_ns = 0;			/* a day later: the purse is full */
	}
	assert_true(k.patience_ns < 4000000 && k.waited_ns < 10000000);
}

static void
test_take_W17_quiet_that_was_insisted_on_and_not_to_be_had_is_too_noisy_within_the_budget(void **state)
{
	struct fake	f;
	struct take	k;

	(void)state;
	for (unsigned job = 0; job < 8; job++) {	/* it does not get shorter */
		take_beside_a_neighbour(&k, &f, ", 'gate': true");
		assert_true(take_is_noisy(&k));
		assert_null(k.canary_off);
		assert_int_equal(k.patience_ns, SECOND);
		assert_true(k.waited_ns >= SECOND && f.clock.now_ns < 1200000000);
		take_release(&k);
	}
}

static void
test_take_a_budget_that_was_asked_for_is_waited_in_full_and_then_the_gate_is_off(void **state)
{
	struct fake	f;
	struct take	k;

	(void)state;
	for (unsigned job = 0; job < 8; job++) {
		take_beside_a_neighbour(&k, &f, ", 'budget_ms': 50");
		assert_non_null(k.canary_off);
		assert_false(take_is_noisy(&k));
		assert_true(k.waited_ns >= 50000000 && f.clock.now_ns < 100000000);
		take_release(&k);
	}
}

static void
test_take_processes_whose_samples_count_no_more_are_made_up_for_by_others(void **state)
{
	struct fake	f = { .call_ticks = 20000, .renewal_ns = 10000000, .less_from = 45000000 };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f,
	    SPEC("warm", ", 'timing': {'samples': 6, 'processes': 6}"), 10 * (uint64_t)SECOND),
	    ST_OK);
	assert_false(k.cut_short);
	assert_string_equal(k.ended_by, "samples");
	assert_null(k.canary_off);
	assert_int_equal(k.loud, k.processes - 6);
	assert_in_range(k.loud, 1, 5);
	assert_int_equal(k.samples, 6);
	for (size_t i = 0; i < k.samples; i++)
		assert_false(k.sample[i].loud);
	take_release(&k);
}

static void
test_take_without_a_gate_nothing_is_waited_for_and_the_readings_are_there(void **state)
{
	struct fake	f = { .call_ticks = 20000, .loud_from = 200000, .loud_to = UINT32_MAX };
	struct take	k;

	(void)state;
	gate_see(&gate, 0, &READING(8000, 8000, 0, 0));
	assert_int_equal(take_for(&k, &f, SPEC("warm", ", 'timing': {'gate': false}"),
	    10 * (uint64_t)SECOND), ST_OK);
	assert_non_null(k.canary_off);
	assert_int_equal(k.taken, 7);
	assert_int_equal(k.rejected, 0);
	assert_true(k.sample[6].canary_ratio == 1.25 && !k.sample[6].loud);
	assert_int_equal(f.paused_ns, 0);
	take_release(&k);
}

static void
test_take_few_undisturbed_samples_are_not_the_canarys_fault(void **state)
{
	struct fake	f = { .call_ticks = 20000, .disturb_every = 1 };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f, SPEC("warm", ", 'timing': {'gate': true}"),
	    10 * (uint64_t)SECOND), ST_OK);
	assert_null(k.canary_off);
	assert_false(k.gate_failed);
	assert_int_equal(k.rejected, k.taken);
	assert_int_equal(k.kept_unfit, 7);
	take_release(&k);
}

static void
test_take_a_third_in_quiet_is_enough_and_only_those_are_kept(void **state)
{
	struct fake	f = { .call_ticks = 20000, .loud_from = 950000, .loud_to = UINT32_MAX };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f,
	    SPEC("warm", ", 'timing': {'samples': 60, 'budget_ms': 20}"), 10 * (uint64_t)SECOND),
	    ST_OK);
	assert_true(k.clean >= 20 && k.clean < 60);
	assert_false(take_is_noisy(&k));
	assert_int_equal(k.samples, k.clean);
	assert_int_equal(k.kept_unfit, 0);
	for (size_t i = 0; i < k.samples; i++)
		assert_true(k.sample[i].ns == 20000);
	take_release(&k);
}

static void
test_take_a_moment_with_a_faster_clock_is_not_waited_for(void **state)
{
	struct fake	f = { .call_ticks = 20000, .canary = 9000, .pace = 1800 };
	struct take	k;

	(void)state;
	gate_see(&gate, 0, &READING(8000, 8000, 1600, 1600));
	for (unsigned job = 0; job < 3; job++) {
		assert_int_equal(take_for(&k, &f,
		    SPEC("warm", ", 'timing': {'samples': 31, 'budget_ms': 5}"),
		    10 * (uint64_t)SECOND), ST_OK);
		assert_int_equal(k.samples, 31);
		assert_null(k.canary_off);
		assert_int_equal(k.loud, 0);
		take_release(&k);
	}
}

static void
test_take_a_coarse_clock_switches_the_canary_off(void **state)
{
	struct fake	f = { .call_ticks = 20000 };
	struct take	k;

	(void)state;
	gate.resolution_ticks = 1000;
	assert_int_equal(take_for(&k, &f, SPEC("warm", ""), 10 * (uint64_t)SECOND), ST_OK);
	assert_non_null(k.canary_off);
	assert_int_equal(k.samples, 7);
	assert_true(k.sample[0].canary_ratio == 0);
	take_release(&k);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		WITH_NEW_GATE(test_take_a_neighbour_is_waited_for_and_no_sample_taken_beside_it_counts),
		WITH_NEW_GATE(test_take_a_worker_that_was_told_what_quiet_is_rejects_its_very_first_sample),
		WITH_NEW_GATE(test_take_a_neighbour_who_stays_switches_the_gate_off_and_the_quietest_are_kept),
		WITH_NEW_GATE(test_take_a_host_that_stays_loud_costs_an_evaluation_4_ms_at_most),
		WITH_NEW_GATE(test_take_W17_quiet_that_was_insisted_on_and_not_to_be_had_is_too_noisy_within_the_budget),
		WITH_NEW_GATE(test_take_a_budget_that_was_asked_for_is_waited_in_full_and_then_the_gate_is_off),
		WITH_NEW_GATE(
		    test_take_processes_whose_samples_count_no_more_are_made_up_for_by_others),
		WITH_NEW_GATE(test_take_without_a_gate_nothing_is_waited_for_and_the_readings_are_there),
		WITH_NEW_GATE(test_take_few_undisturbed_samples_are_not_the_canarys_fault),
		WITH_NEW_GATE(test_take_a_third_in_quiet_is_enough_and_only_those_are_kept),
		WITH_NEW_GATE(test_take_a_moment_with_a_faster_clock_is_not_waited_for),
		WITH_NEW_GATE(test_take_a_coarse_clock_switches_the_canary_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
