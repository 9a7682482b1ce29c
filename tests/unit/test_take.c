/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/fake_runner.h"

static void
test_take_P37_a_20_ns_routine_gets_its_right_time_from_a_coarse_clock(void **state)
{
	static const struct tick	coarse = { .clock = CLK_WALL, .hz = 1e9,
					    .resolution_ns = 1e6 };
	struct fake			f = { .call_ticks = 20, .empty_ticks = 2,
	    .region_ticks = 30, .coarse = 1000000 };
	struct take			k;
	double				mean = 0;

	(void)state;
	clock_now = &coarse;
	assert_int_equal(take_for(&k, &f, SPEC("warm", ""), 100 * (uint64_t)SECOND), ST_OK);
	clock_now = &tick;
	assert_int_equal(k.samples, 7);
	for (size_t i = 0; i < k.samples; i++)
		mean += k.sample[i].ns / (double)k.samples;
	assert_true(mean > 19.8 && mean < 20.2);
	assert_int_equal(k.sample[0].raw.ticks % 1000000, 0);
	assert_true(k.sample[0].raw.ticks >= 100 * 1000000);
	take_release(&k);
}

/* A call of 2.75 steps of the clock: each region sees 2 of them or 3, none the truth. */
static void
test_take_W32_one_call_a_region_below_the_clocks_resolution_is_junk_and_many_are_not(void **state)
{
	static const struct tick	coarse = { .clock = CLK_WALL, .hz = 1e9,
					    .resolution_ns = 1000 };
	struct fake			f = { .call_ticks = 2750, .coarse = 1000 }, many = f,
	    below = { .call_ticks = 27, .coarse = 1000 };
	struct take			k;

	(void)state;
	clock_now = &coarse;
	assert_int_equal(take_for(&k, &f, SPEC("warm", ", 'timing': {'samples': 50, 'calls': 1}"),
	    10 * (uint64_t)SECOND), ST_OK);
	for (size_t i = 0; i < k.samples; i++)
		assert_true(k.sample[i].ns == 2000 || k.sample[i].ns == 3000);
	take_release(&k);
	assert_int_equal(take_for(&k, &below, SPEC("warm", ", 'timing': {'calls': 1}"),
	    10 * (uint64_t)SECOND), ST_OK);
	assert_true(k.within_noise);			/* and the result says so */
	take_release(&k);
	assert_int_equal(take_for(&k, &many, SPEC("warm", ""), 10 * (uint64_t)SECOND), ST_OK);
	assert_true(plan.run.calls > 30);
	for (size_t i = 0; i < k.samples; i++)
		assert_true(k.sample[i].ns > 2720 && k.sample[i].ns < 2780);
	take_release(&k);
	clock_now = &tick;
}

static void
test_take_P37_a_20_ns_routine_is_called_until_a_region_is_long(void **state)
{
	struct fake	f = { .call_ticks = 20, .empty_ticks = 2, .region_ticks = 30 };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f, SPEC("warm", ""), 10 * (uint64_t)SECOND), ST_OK);
	assert_int_equal(k.samples, 7);
	for (size_t i = 0; i < k.samples; i++)
		assert_true(k.sample[i].ns > 19.99 && k.sample[i].ns < 20.01);
	assert_true(k.sample[0].raw.ticks >= 20000 && k.sample[0].raw.ticks <= 100000);
	assert_int_equal(k.overhead_ticks, 30 + 2);		/* calls overlap: of one, and the
								 * region's own */
	assert_int_equal(k.empty_ticks, 30 + 2 * plan.run.calls);
	assert_false(k.within_noise);
	assert_int_equal(k.rejected, 0);
	take_release(&k);
}

static void
test_take_calls_between_fences_cost_what_an_empty_one_costs(void **state)
{
	struct fake	f = { .call_ticks = 102, .empty_ticks = 2, .region_ticks = 30 };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f,
	    SPEC("cold", ", 'timing': {'flush': {'method': 'MultiCallFlushLRU'}}"),
	    10 * (uint64_t)SECOND), ST_OK);
	assert_ptr_equal(plan.method, &plan_multi);
	assert_int_equal(k.overhead_ticks, 30 + 2 * plan.run.calls);
	assert_true(k.sample[0].ns > 99.99 && k.sample[0].ns < 100.01);
	take_release(&k);
}

/* The first calls of each order fall to their level; warm samples do not see them. */
static void
test_take_X4_warm_samples_begin_after_the_calls_that_were_slower(void **state)
{
	struct fake	f = { .call_ticks = 5000, .region_ticks = 30, .falling = 6 }, cold = f;
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f, SPEC("warm", ""), 10 * (uint64_t)SECOND), ST_OK);
	assert_int_equal(k.warm_calls, 6);
	assert_int_equal(f.last.warm_calls, 6);
	for (size_t i = 0; i < k.samples; i++)
		assert_true(k.sample[i].ns == 5000);
	take_release(&k);
	assert_int_equal(take_for(&k, &cold, SPEC("cold", ""), 10 * (uint64_t)SECOND), ST_OK);
	assert_true(k.warm_calls == 6 && k.warm_ns == 5000);
	assert_int_equal(plan.run.warm_calls, 1);
	take_release(&k);
}

static void
test_take_X18_the_fences_of_serialised_calls_are_subtracted_with_empty_calls(void **state)
{
	struct fake	f = { .call_ticks = 110, .empty_ticks = 10, .region_ticks = 30 };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f, SPEC("warm", ", 'timing': {'serialised': true}"),
	    10 * (uint64_t)SECOND), ST_OK);
	assert_true(plan_has_fences(&plan) && plan.run.calls > 1);
	assert_int_equal(k.overhead_ticks, 30 + 10 * plan.run.calls);
	assert_true(k.sample[0].ns > 99.99 && k.sample[0].ns < 100.01);
	take_release(&k);
}

/* A region of one call takes 57 ticks of a clock with steps of 26: the clock shows 52 or 78. */
static void
test_take_L31_an_empty_routine_is_0_or_one_step_of_the_clock(void **state)
{
	static const struct tick	steps = { .clock = CLK_CYCLE, .hz = 1e9,
					    .resolution_ns = 26 };
	struct fake			one = { .call_ticks = 2, .empty_ticks = 2,
	    .region_ticks = 55, .coarse = 26 }, fenced = one;
	unsigned			zeros = 0;
	struct take			k;

	(void)state;
	clock_now = &steps;
	assert_int_equal(take_for(&k, &one, SPEC("warm", ", 'timing': {'samples': 50, 'calls': 1}"),
	    10 * (uint64_t)SECOND), ST_OK);
	for (size_t i = 0; i < k.samples; i++) {
		assert_true(k.sample[i].ns == 0 || k.sample[i].ns == 26);
		zeros += k.sample[i].ns == 0;
	}
	assert_true(zeros > k.samples / 2 && zeros < k.samples && k.within_noise);
	take_release(&k);
	assert_int_equal(take_for(&k, &fenced,
	    SPEC("warm", ", 'timing': {'samples': 50, 'serialised': true}"),
	    10 * (uint64_t)SECOND), ST_OK);
	assert_true(plan.run.calls > 100);
	for (size_t i = 0; i < k.samples; i++)
		assert_true(k.sample[i].ns * plan.run.calls <= 26.001);
	take_release(&k);
	clock_now = &tick;
}

static void
test_take_what_a_regions_ends_add_is_measured_and_bounds_the_bias(void **state)
{
	struct fake	f = { .call_ticks = 100, .empty_ticks = 2, .region_ticks = 30,
			    .drain = 55 };
	struct fake	longer = f;
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f, SPEC("warm", ", 'timing': {'calls': 10}"),
	    10 * (uint64_t)SECOND), ST_OK);
	assert_true(k.has_edge);
	assert_int_equal(k.edge_ticks, 55 - 2);			/* less the one empty call that is
								 * subtracted */
	assert_int_equal(k.region_ticks, 30 + 10 * 100 + 55);
	assert_true(k.sample[0].ns > 105 && k.sample[0].ns < 106);
	take_release(&k);
	longer.call_ticks = 20000;
	assert_int_equal(take_for(&k, &longer, SPEC("warm", ""), 10 * (uint64_t)SECOND), ST_OK);
	assert_false(k.has_edge);
	take_release(&k);
}

static void
test_take_the_difference_of_two_regions_has_nothing_of_their_ends(void **state)
{
	struct fake	f = { .call_ticks = 100, .empty_ticks = 2, .region_ticks = 30,
			    .drain = 55 };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f,
	    SPEC("warm", ", 'timing': {'calls': 10, 'difference': true}"), 10 * (uint64_t)SECOND),
	    ST_OK);
	assert_int_equal(k.samples, 7);
	for (size_t i = 0; i < k.samples; i++) {
		assert_int_equal(k.sample[i].raw.ticks, 10 * 100);
		assert_true(k.sample[i].ns == 100);
	}
	assert_int_equal(k.subtracted_ticks, 0);
	assert_int_equal(f.last.calls, 20);
	take_release(&k);
}

static void
test_take_what_disturbs_either_region_disturbs_their_difference(void **state)
{
	struct fake	f = { .call_ticks = 5000, .disturb_every = 5 };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f,
	    SPEC("warm", ", 'timing': {'samples': 20, 'difference': true}"), 10 * (uint64_t)SECOND),
	    ST_OK);
	assert_int_equal(k.samples, 20);
	assert_true(k.disturbed >= 8 && k.disturbed <= 18);	/* two of five */
	for (size_t i = 0; i < k.samples; i++)
		assert_true(k.sample[i].ns == 5000);
	take_release(&k);
	f = (struct fake){ .call_ticks = 5000, .migrate_every = 5 };
	assert_int_equal(take_for(&k, &f,
	    SPEC("warm", ", 'timing': {'samples': 20, 'difference': true}"), 10 * (uint64_t)SECOND),
	    ST_OK);
	assert_true(k.disturbed >= 8 && k.disturbed <= 18);
	take_release(&k);
}

static void
test_take_a_routine_that_costs_no_more_than_calling_it_is_within_noise(void **state)
{
	struct fake	f = { .call_ticks = 3, .empty_ticks = 2, .region_ticks = 30 };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f, SPEC("warm", ""), 10 * (uint64_t)SECOND), ST_OK);
	assert_true(k.within_noise);
	take_release(&k);
}

static void
test_take_W15_disturbed_samples_are_rejected_and_taken_again(void **state)
{
	struct fake	f = { .call_ticks = 50000, .disturb_every = 3 };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f, SPEC("warm", ", 'timing': {'samples': 20}"),
	    10 * (uint64_t)SECOND), ST_OK);
	assert_int_equal(k.samples, 20);
	assert_true(k.rejected >= 9 && k.rejected <= 11);
	assert_int_equal(k.taken, k.samples + k.rejected);
	assert_int_equal(k.switches, k.rejected);
	for (size_t i = 0; i < k.samples; i++) {
		assert_false(k.sample[i].disturbed);
		assert_true(k.sample[i].ns == 50000);
	}
	take_release(&k);
}

static void
test_take_W17_noise_without_end_ends_with_what_there_is(void **state)
{
	struct fake	f = { .call_ticks = 50000, .disturb_every = 1 };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f, SPEC("warm", ""), 100 * (uint64_t)SECOND), ST_OK);
	assert_true(take_is_noisy(&k));
	assert_int_equal(k.samples, 7);
	assert_true(k.taken >= 7 && k.taken <= 7 * (1 + TAKE_TIMES) + TAKE_EXTRA);
	assert_int_equal(k.rejected, k.taken);
	assert_int_equal(k.kept_unfit, 7);
	for (size_t i = 0; i < k.samples; i++)
		assert_true(k.sample[i].disturbed);
	take_release(&k);
}

static void
test_take_rejected_samples_may_not_take_longer_than_their_budget(void **state)
{
	struct fake	f = { .call_ticks = 900000000, .disturb_every = 1 };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f, SPEC("warm", ""), 1000 * (uint64_t)SECOND), ST_OK);
	assert_true(k.taken <= 4);
	assert_true(k.samples > 0);
	take_release(&k);
}

static void
test_take_page_faults_that_every_sample_has_are_the_routines_own(void **state)
{
	struct fake	f = { .call_ticks = 50000, .own_faults = 3, .fault_every = 4 };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f, SPEC("warm", ""), 10 * (uint64_t)SECOND), ST_OK);
	assert_int_equal(k.own_faults, 3);
	assert_int_equal(k.samples, 7);
	assert_true(k.rejected >= 1);
	for (size_t i = 0; i < k.samples; i++)
		assert_int_equal(k.sample[i].raw.faults, 3);
	take_release(&k);
}

static void
test_take_mark_finds_the_fewest_faults_even_if_they_come_last(void **state)
{
	struct take_sample	s[3] = { { .raw.faults = 2 },
	    { .raw.faults = 2, .raw.switches = 1 }, { .raw.faults = 1 } };
	uint32_t		own;

	(void)state;
	assert_int_equal(take_mark(s, 3, &own), 1);
	assert_int_equal(own, 1);
	assert_true(s[0].disturbed && s[1].disturbed && !s[2].disturbed);
	assert_int_equal(take_mark(s, 0, &own), 0);
}

static void
test_take_samples_that_moved_to_another_cpu_are_taken_again(void **state)
{
	struct fake	f = { .call_ticks = 50000, .migrate_every = 4 };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f, SPEC("warm", ", 'timing': {'samples': 20}"),
	    10 * (uint64_t)SECOND), ST_OK);
	assert_int_equal(k.samples, 20);
	assert_true(k.migrations >= 6 && k.migrations <= 8);
	assert_int_equal(k.rejected, k.migrations);
	for (size_t i = 0; i < k.samples; i++)
		assert_int_equal(k.sample[i].raw.migrations, 0);
	take_release(&k);
}

static void
test_take_the_wall_limit_shortens_sampling_and_says_so(void **state)
{
	struct fake	f = { .call_ticks = 500000000 };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f,
	    SPEC("cold", ", 'timing': {'flush': {'method': 'OneCallFlushX86'}}"),
	    5 * (uint64_t)SECOND), ST_OK);
	assert_true(k.cut_short);
	assert_true(k.samples >= 4 && k.samples < 10);
	assert_true(f.clock.now_ns <= 1000 + 5 * (uint64_t)SECOND);
	take_release(&k);
}

static void
test_take_one_sample_is_taken_however_short_the_limit(void **state)
{
	struct fake	f = { .call_ticks = 500000000 };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f, SPEC("warm", ""), 100), ST_OK);
	assert_int_equal(k.samples, 1);
	take_release(&k);
}

static void
test_take_orders_are_short_and_pause_below_the_kernels_throttle(void **state)
{
	struct fake	f = { .call_ticks = 9000000, .realtime = true };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f, SPEC("warm", ", 'timing': {'samples': 200}"),
	    100 * (uint64_t)SECOND), ST_OK);
	assert_int_equal(k.samples, 200);
	assert_true(f.most_samples <= 5);
	assert_true(f.most_fifo < 400000000);
	assert_true(f.paused_ns >= 9000000 * (uint64_t)200 / 10);
	assert_true(k.realtime);
	take_release(&k);
}

static void
test_take_loading_other_processes_is_as_good_as_a_pause(void **state)
{
	struct fake	f = { .call_ticks = 9000000, .realtime = true, .renewal_ns = 30000000 };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f,
	    SPEC("warm", ", 'timing': {'samples': 20, 'processes': 20}"), 100 * (uint64_t)SECOND),
	    ST_OK);
	assert_int_equal(k.processes, 20);
	assert_true(f.paused_ns < 9000000);	/* before the samples alone */
	take_release(&k);
}

static void
test_take_processes_that_agree_are_six_and_others_are_eleven(void **state)
{
	static const struct {
		uint64_t	apart;
		unsigned	processes;
	} cases[] = { { 0, 6 }, { 2, 6 }, { 100, 11 } };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct fake	f = { .call_ticks = 1000, .renewal_ns = 1000000,
				    .renewal_ticks = cases[i].apart };
		struct take	k;

		assert_int_equal(take_for(&k, &f, SPEC("warm", ""), 100 * (uint64_t)SECOND), ST_OK);
		assert_int_equal(k.processes, cases[i].processes);
		assert_int_equal(k.samples, 3 * cases[i].processes);
		assert_string_equal(k.ended_by, "samples");
		take_release(&k);
	}
}

static void
test_take_what_takes_seconds_is_never_real_time(void **state)
{
	struct fake	f = { .call_ticks = 2000000000, .realtime = true };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f, SPEC("warm", ""), 100 * (uint64_t)SECOND), ST_OK);
	assert_int_equal(f.realtime_orders, 0);
	assert_false(k.realtime);
	take_release(&k);
}

static void
test_take_inout_operands_are_restored_before_every_call_that_is_long_enough(void **state)
{
	struct fake	longer = { .call_ticks = 1200 }, shorter = { .call_ticks = 100 };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &longer, INOUT("warm"), 10 * (uint64_t)SECOND), ST_OK);
	assert_int_equal(plan.run.calls, 1);
	assert_int_equal(plan.run.restore, RUNNER_RESTORE);
	take_release(&k);
	assert_int_equal(take_for(&k, &shorter, INOUT("warm"), 10 * (uint64_t)SECOND), ST_OK);
	assert_true(plan.run.calls > 100);
	take_release(&k);
}

static void
test_take_P38_a_short_cold_call_turns_auto_into_many_calls_and_a_long_one_does_not(void **state)
{
	struct fake	longer = { .call_ticks = 5000 }, shorter = { .call_ticks = 100 };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &longer, SPEC("cold", ""), 10 * (uint64_t)SECOND), ST_OK);
	assert_ptr_equal(plan.method, &plan_one_x86);
	assert_int_equal(plan.run.calls, 1);
	assert_int_equal(k.samples, 31);
	take_release(&k);
	assert_int_equal(take_for(&k, &shorter, SPEC("cold", ""), 10 * (uint64_t)SECOND), ST_OK);
	assert_ptr_equal(plan.method, &plan_multi);
	assert_true(shorter.most_calls >= 200 && shorter.most_calls <= plan.sets);
	assert_int_equal(k.samples, 31);
	take_release(&k);
}

static void
test_take_a_cold_time_comes_with_a_warm_one(void **state)
{
	struct fake	f = { .call_ticks = 5000, .region_ticks = 40 };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f, SPEC("cold", ""), 10 * (uint64_t)SECOND), ST_OK);
	assert_true(k.warm_ns == 5000);
	assert_int_equal(f.last.place[0], RUNNER_WARM);
	assert_int_equal(f.last.flush, RUNNER_FLUSH_NONE);
	assert_int_equal(plan.run.place[0], RUNNER_COLD);
	take_release(&k);
}

#define SENTINEL	.sentinel = { .hot = 84, .near = 550, .far = 900 }
#define FLUSHED(method)	SPEC("cold", ", 'timing': {'flush': {'method': '" method "'}}")

static void
test_take_W1_a_cold_time_that_was_not_cold_is_our_fault_and_no_number(void **state)
{
	struct fake	f = { .call_ticks = 40000, SENTINEL, .sentinel_ticks = 500 };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f, FLUSHED("OneCallFlushX86"), 10 * (uint64_t)SECOND),
	    ST_INTERNAL);
	assert_int_equal(k.cold.warm, 31);
	take_release(&k);

	f = (struct fake){ .call_ticks = 40000, SENTINEL, .sentinel_ticks = 1000 };
	assert_int_equal(take_for(&k, &f, FLUSHED("OneCallFlushX86"), 10 * (uint64_t)SECOND),
	    ST_OK);
	assert_int_equal(k.cold.read, 31);
	assert_int_equal(k.cold.sets_touched, 1);
	take_release(&k);
}

/* Of 31 samples with eight lines each a tenth may be chance, and much more is not. */
static void
test_take_X9_cold_code_that_was_in_a_cache_is_our_fault_and_no_number(void **state)
{
	struct fake	f = { .call_ticks = 40000, SENTINEL, .code_proved = 8, .code_found = 4 };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f, SPEC("warm", ", 'code': 'cold'"),
	    10 * (uint64_t)SECOND), ST_INTERNAL);
	take_release(&k);
	f = (struct fake){ .call_ticks = 40000, SENTINEL, .code_proved = 8 };
	assert_int_equal(take_for(&k, &f, SPEC("warm", ", 'code': 'cold'"),
	    10 * (uint64_t)SECOND), ST_OK);
	assert_true(k.code.proved == 31 * 8 && k.code.found == 0 && k.warm_ns == 40000);
	assert_int_equal(f.last.cold_code, 0);
	assert_int_equal(plan.run.cold_code, 1);
	take_release(&k);
}

static void
test_take_W29_a_partial_flush_may_leave_lines_in_a_cache(void **state)
{
	struct fake	f = { .call_ticks = 40000, SENTINEL, .sentinel_ticks = 100 };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f, SPEC("cold", ", 'timing': {'flush': {'bytes': 4096}}"),
	    10 * (uint64_t)SECOND), ST_OK);
	assert_int_equal(k.cold.warm, 31);
	take_release(&k);
}

static void
test_take_W33_calls_that_always_met_the_same_set_are_our_fault(void **state)
{
	struct fake	f = { .call_ticks = 40000, SENTINEL, .sentinel_ticks = 1000,
			    .sets_seen = 1 };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f, FLUSHED("MultiCallFlushLRU"), 10 * (uint64_t)SECOND),
	    ST_INTERNAL);
	take_release(&k);
	f = (struct fake){ .call_ticks = 40000, SENTINEL, .sentinel_ticks = 1000, .sets_seen = 31 };
	assert_int_equal(take_for(&k, &f, FLUSHED("MultiCallFlushLRU"), 10 * (uint64_t)SECOND),
	    ST_OK);
	assert_int_equal(k.cold.sets_touched, 31);
	take_release(&k);
}

/* Whatever order fails, the failure comes back and nothing is leaked. */
static void
test_take_a_failing_order_ends_it_at_any_point(void **state)
{
	(void)state;
	for (unsigned at = 1;; at++) {
		struct fake	f = { .call_ticks = 100, .fail_at = at, .fail = ST_CRASHED };
		struct take	k;
		enum status	st = take_for(&k, &f, SPEC("cold", ""), 10 * (uint64_t)SECOND);

		take_release(&k);
		if (st == ST_OK) {
			assert_true(at > 6);
			return;
		}
		assert_int_equal(st, ST_CRASHED);
		assert_int_equal(f.orders, at);
	}
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		WITH_NEW_GATE(
		    test_take_P37_a_20_ns_routine_gets_its_right_time_from_a_coarse_clock),
		WITH_NEW_GATE(
	    test_take_W32_one_call_a_region_below_the_clocks_resolution_is_junk_and_many_are_not),
		WITH_NEW_GATE(test_take_P37_a_20_ns_routine_is_called_until_a_region_is_long),
		WITH_NEW_GATE(test_take_calls_between_fences_cost_what_an_empty_one_costs),
		cmocka_unit_test(test_take_X4_warm_samples_begin_after_the_calls_that_were_slower),
		cmocka_unit_test(
		    test_take_X18_the_fences_of_serialised_calls_are_subtracted_with_empty_calls),
		WITH_NEW_GATE(test_take_L31_an_empty_routine_is_0_or_one_step_of_the_clock),
		WITH_NEW_GATE(test_take_what_a_regions_ends_add_is_measured_and_bounds_the_bias),
		WITH_NEW_GATE(test_take_the_difference_of_two_regions_has_nothing_of_their_ends),
		WITH_NEW_GATE(test_take_what_disturbs_either_region_disturbs_their_difference),
		WITH_NEW_GATE(
		    test_take_a_routine_that_costs_no_more_than_calling_it_is_within_noise),
		WITH_NEW_GATE(test_take_W15_disturbed_samples_are_rejected_and_taken_again),
		WITH_NEW_GATE(test_take_W17_noise_without_end_ends_with_what_there_is),
		WITH_NEW_GATE(test_take_rejected_samples_may_not_take_longer_than_their_budget),
		WITH_NEW_GATE(test_take_page_faults_that_every_sample_has_are_the_routines_own),
		WITH_NEW_GATE(test_take_mark_finds_the_fewest_faults_even_if_they_come_last),
		WITH_NEW_GATE(test_take_samples_that_moved_to_another_cpu_are_taken_again),
		WITH_NEW_GATE(test_take_the_wall_limit_shortens_sampling_and_says_so),
		WITH_NEW_GATE(test_take_one_sample_is_taken_however_short_the_limit),
		WITH_NEW_GATE(test_take_orders_are_short_and_pause_below_the_kernels_throttle),
		WITH_NEW_GATE(test_take_loading_other_processes_is_as_good_as_a_pause),
		WITH_NEW_GATE(test_take_processes_that_agree_are_six_and_others_are_eleven),
		WITH_NEW_GATE(test_take_what_takes_seconds_is_never_real_time),
		WITH_NEW_GATE(
		    test_take_inout_operands_are_restored_before_every_call_that_is_long_enough),
		WITH_NEW_GATE(
	    test_take_P38_a_short_cold_call_turns_auto_into_many_calls_and_a_long_one_does_not),
		WITH_NEW_GATE(test_take_a_cold_time_comes_with_a_warm_one),
		WITH_NEW_GATE(
		    test_take_W1_a_cold_time_that_was_not_cold_is_our_fault_and_no_number),
		cmocka_unit_test(
		    test_take_X9_cold_code_that_was_in_a_cache_is_our_fault_and_no_number),
		WITH_NEW_GATE(test_take_W29_a_partial_flush_may_leave_lines_in_a_cache),
		WITH_NEW_GATE(test_take_W33_calls_that_always_met_the_same_set_are_our_fault),
		WITH_NEW_GATE(test_take_a_failing_order_ends_it_at_any_point),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
