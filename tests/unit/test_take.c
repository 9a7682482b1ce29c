/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/support/driver.h"
#include "worker/take.h"

/*
 * A runner that is made of numbers: what a call takes, what calling takes, and which samples are disturbed.  Time is
 * what it says it is.
 */
struct fake {
	uint64_t	 now_ns;
	uint64_t	 call_ticks, empty_ticks, region_ticks;	/* 1 tick = 1 ns */
	uint32_t	 own_faults;
	unsigned	 disturb_every;		/* every n-th sample has a switch; 0: none */
	unsigned	 fault_every;		/* … a page fault beyond its own */
	unsigned	 migrate_every;		/* … a move to another CPU */
	uint32_t	 loud_from, loud_to;	/* by its time a neighbour is there: all takes half as long again */
	uint32_t	 canary;		/* ticks when it is quiet; 0: 8000 */
	uint32_t	 coarse;		/* ticks between two steps of its clock; 0: 1 */
	uint64_t	 drain;			/* ticks that a region of the routine takes longer, however many calls */
	bool		 realtime;
	struct runner_sentinel sentinel;	/* hot 0: not looked */
	uint32_t	 sentinel_ticks;
	uint64_t	 sets_seen;
	enum status	 fail;			/* what the fail_at-th order answers */
	unsigned	 fail_at;

	unsigned	 orders, samples, areas, most_samples, realtime_orders;
	uint64_t	 paused_ns, most_calls, fifo_since_pause, most_fifo;
	struct runner_run last;
};

static const struct slot	slot = { .cpu = 1, .l1_bytes = 48 << 10, .l2_bytes = 1 << 20, .l3_bytes = 32 << 20,
				    .line_bytes = 64 };
static const struct tick	tick = { .clock = CLK_CYCLE, .hz = 1e9, .resolution_ns = 10 };

static bool
is_due(unsigned every, unsigned n)
{
	return every != 0 && n % every == every - 1;
}

static void
one_sample(struct fake *f, const struct runner_run *run, struct runner_sample *s)
{
	uint64_t	call = run->kind == RUNNER_EMPTY ? f->empty_ticks : f->call_ticks;

	f->samples++;
	s->ticks = f->region_ticks + run->calls * call + (run->kind == RUNNER_EMPTY ? 0 : f->drain);
	if (f->coarse != 0)
		s->ticks = (f->now_ns + s->ticks) / f->coarse * f->coarse - f->now_ns / f->coarse * f->coarse;
	s->faults = f->own_faults + is_due(f->fault_every, f->samples);
	s->switches = is_due(f->disturb_every, f->samples);
	s->migrations = is_due(f->migrate_every, f->samples);
	if (s->switches)
		s->ticks += 1000000;
	s->canary_before = s->canary_after = f->canary != 0 ? f->canary : 8000;
	s->sentinel = f->sentinel_ticks;
	if (f->now_ns >= f->loud_from && f->now_ns < f->loud_to) {
		s->ticks += s->ticks / 2;
		s->canary_after += s->canary_after / 2;
	}
}

static enum status
fake_run(void *arg, const struct runner_run *run, struct bench_answer *a)
{
	struct fake	*f = arg;
	uint64_t	 began = f->now_ns;

	f->last = *run;
	f->most_samples = run->samples > f->most_samples ? run->samples : f->most_samples;
	f->most_calls = run->calls > f->most_calls ? run->calls : f->most_calls;
	f->realtime_orders += run->realtime;
	if (++f->orders == f->fail_at)
		return a->status = f->fail;
	a->samples = run->samples;
	for (uint32_t i = 0; i < run->samples; i++) {
		one_sample(f, run, &a->sample[i]);
		f->now_ns += a->sample[i].ticks + f->coarse / 7;	/* samples begin anywhere between two steps */
	}
	a->realtime = f->realtime && run->realtime;
	a->pinned = true;
	a->sentinel = f->sentinel;
	a->sets_seen = f->sets_seen;
	a->took_ns = f->now_ns - began;
	if (a->realtime)
		f->fifo_since_pause += a->took_ns;
	if (f->fifo_since_pause > f->most_fifo)
		f->most_fifo = f->fifo_since_pause;
	return a->status = ST_OK;
}

static enum status
fake_area(void *arg, const struct plan *p, struct bench_answer *a)
{
	struct fake	*f = arg;

	(void)p;
	f->areas++;
	return a->status = ST_OK;
}

static uint64_t
fake_now(void *arg)
{
	return ((struct fake *)arg)->now_ns;
}

static void
fake_pause(void *arg, uint64_t ns)
{
	struct fake	*f = arg;

	f->paused_ns += ns;
	f->now_ns += ns;
	f->fifo_since_pause = 0;
}

#define SPEC(context, more)	"{'routine': 'void f(int n, double *y)', 'args': {'n': 9, 'y': {'dims': [9], " \
	    "'access': 'out'}}," \
				"'context': '" context "' " more "}"
#define INOUT(context)		"{'routine': 'void f(int n, double *y)', 'args': {'n': 9, 'y': {'dims': [9]}}, " \
	    "'context': '" context "'}"

static struct plan	plan;
static struct gate	gate;
static const struct tick	*clock_now = &tick;

static int
forget_gate(void **state)
{
	(void)state;
	gate = (struct gate){ .resolution_ticks = 26 };
	return 0;
}

static enum status
take_for(struct take *k, struct fake *f, const char *spec, uint64_t limit_ns)
{
	static struct bench_answer	answer;
	struct take_runner		runner = { .run = fake_run, .area = fake_area, .now_ns = fake_now,
					    .pause = fake_pause, .arg = f, .gate = &gate };
	struct job			job;
	struct fault			why;
	enum status			st;

	k->sample = NULL;
	support_spec_job(&job, spec);
	assert_int_equal(plan_make(&plan, &job.spec, &slot, true, &why), ST_OK);
	f->now_ns = 1000;
	if (plan.is_open) {
		double	call_ns;

		if ((st = take_call(&plan, clock_now, &runner, &answer, &call_ns)) != ST_OK)
			goto done;
		plan_close(&plan, &job.spec, &slot, clock_now, call_ns);
	}
	st = take_samples(k, &plan, clock_now, &runner, 1000 + limit_ns, &answer);
done:
	job_release(&job);
	return st;
}

#define SECOND	1000000000u

static void
test_take_P37_a_20_ns_routine_gets_its_right_time_from_a_coarse_clock(void **state)
{
	static const struct tick	coarse = { .clock = CLK_WALL, .hz = 1e9, .resolution_ns = 1e6 };
	struct fake			f = { .call_ticks = 20, .empty_ticks = 2, .region_ticks = 30, .coarse = 1000000 };
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
	assert_int_equal(k.sample[0].ticks % 1000000, 0);
	assert_true(k.sample[0].ticks >= 100 * 1000000);
	take_release(&k);
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
	assert_true(k.sample[0].ticks >= 20000 && k.sample[0].ticks <= 100000);
	assert_int_equal(k.overhead_ticks, 30 + 2);		/* calls overlap: of one of them, and the region's own */
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
	assert_int_equal(take_for(&k, &f, SPEC("cold", ", 'timing': {'flush': {'method': 'MultiCallFlushLRU'}}"),
	    10 * (uint64_t)SECOND), ST_OK);
	assert_int_equal(plan.method, PLAN_MULTI);
	assert_int_equal(k.overhead_ticks, 30 + 2 * plan.run.calls);
	assert_true(k.sample[0].ns > 99.99 && k.sample[0].ns < 100.01);
	take_release(&k);
}

static void
test_take_what_a_regions_ends_add_is_measured_and_bounds_the_bias(void **state)
{
	struct fake	f = { .call_ticks = 100, .empty_ticks = 2, .region_ticks = 30, .drain = 55 }, longer = f;
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f, SPEC("warm", ", 'timing': {'calls': 10}"), 10 * (uint64_t)SECOND), ST_OK);
	assert_true(k.has_edge);
	assert_int_equal(k.edge_ticks, 55 - 2);			/* less the one empty call that is subtracted */
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
	struct fake	f = { .call_ticks = 100, .empty_ticks = 2, .region_ticks = 30, .drain = 55 };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f, SPEC("warm", ", 'timing': {'calls': 10, 'difference': true}"),
	    10 * (uint64_t)SECOND), ST_OK);
	assert_int_equal(k.samples, 7);
	for (size_t i = 0; i < k.samples; i++) {
		assert_int_equal(k.sample[i].ticks, 10 * 100);
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
	assert_int_equal(take_for(&k, &f, SPEC("warm", ", 'timing': {'samples': 20, 'difference': true}"),
	    10 * (uint64_t)SECOND), ST_OK);
	assert_int_equal(k.samples, 20);
	assert_true(k.disturbed >= 8 && k.disturbed <= 18);	/* two of five */
	for (size_t i = 0; i < k.samples; i++)
		assert_true(k.sample[i].ns == 5000);
	take_release(&k);
	f = (struct fake){ .call_ticks = 5000, .migrate_every = 5 };
	assert_int_equal(take_for(&k, &f, SPEC("warm", ", 'timing': {'samples': 20, 'difference': true}"),
	    10 * (uint64_t)SECOND), ST_OK);
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
	assert_int_equal(take_for(&k, &f, SPEC("warm", ", 'timing': {'samples': 20}"), 10 * (uint64_t)SECOND), ST_OK);
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
		assert_int_equal(k.sample[i].faults, 3);
	take_release(&k);
}

static void
test_take_mark_finds_the_fewest_faults_even_if_they_come_last(void **state)
{
	struct take_sample	s[3] = { { .faults = 2 }, { .faults = 2, .switches = 1 }, { .faults = 1 } };
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
	assert_int_equal(take_for(&k, &f, SPEC("warm", ", 'timing': {'samples': 20}"), 10 * (uint64_t)SECOND), ST_OK);
	assert_int_equal(k.samples, 20);
	assert_true(k.migrations >= 6 && k.migrations <= 8);
	assert_int_equal(k.rejected, k.migrations);
	for (size_t i = 0; i < k.samples; i++)
		assert_int_equal(k.sample[i].migrations, 0);
	take_release(&k);
}

static void
test_take_the_wall_limit_shortens_sampling_and_says_so(void **state)
{
	struct fake	f = { .call_ticks = 500000000 };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f, SPEC("cold", ", 'timing': {'flush': {'method': 'OneCallFlushX86'}}"),
	    5 * (uint64_t)SECOND), ST_OK);
	assert_true(k.cut_short);
	assert_true(k.samples >= 4 && k.samples < 10);
	assert_true(f.now_ns <= 1000 + 5 * (uint64_t)SECOND);
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
	assert_int_equal(take_for(&k, &f, SPEC("warm", ", 'timing': {'samples': 200}"), 100 * (uint64_t)SECOND), ST_OK);
	assert_int_equal(k.samples, 200);
	assert_true(f.most_samples <= 5);
	assert_true(f.most_fifo < 400000000);
	assert_true(f.paused_ns >= 9000000 * (uint64_t)200 / 10);
	assert_true(k.realtime);
	take_release(&k);
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
	assert_int_equal(plan.method, PLAN_ONE_X86);
	assert_int_equal(plan.run.calls, 1);
	assert_int_equal(k.samples, 31);
	take_release(&k);
	assert_int_equal(take_for(&k, &shorter, SPEC("cold", ""), 10 * (uint64_t)SECOND), ST_OK);
	assert_int_equal(plan.method, PLAN_MULTI);
	assert_int_equal(shorter.areas, 1);
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
	assert_int_equal(take_for(&k, &f, FLUSHED("OneCallFlushX86"), 10 * (uint64_t)SECOND), ST_INTERNAL);
	assert_int_equal(k.cold.warm, 31);
	take_release(&k);

	f = (struct fake){ .call_ticks = 40000, SENTINEL, .sentinel_ticks = 1000 };
	assert_int_equal(take_for(&k, &f, FLUSHED("OneCallFlushX86"), 10 * (uint64_t)SECOND), ST_OK);
	assert_int_equal(k.cold.read, 31);
	assert_int_equal(k.cold.sets_touched, 1);
	take_release(&k);
}

static void
test_take_W29_a_partial_flush_may_leave_lines_in_a_cache(void **state)
{
	struct fake	f = { .call_ticks = 40000, SENTINEL, .sentinel_ticks = 100 };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f, SPEC("cold", ", 'timing': {'flush': {'bytes': 4096}}"), 10 * (uint64_t)SECOND),
	    ST_OK);
	assert_int_equal(k.cold.warm, 31);
	take_release(&k);
}

static void
test_take_W33_calls_that_always_met_the_same_set_are_our_fault(void **state)
{
	struct fake	f = { .call_ticks = 40000, SENTINEL, .sentinel_ticks = 1000, .sets_seen = 1 };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f, FLUSHED("MultiCallFlushLRU"), 10 * (uint64_t)SECOND), ST_INTERNAL);
	take_release(&k);
	f = (struct fake){ .call_ticks = 40000, SENTINEL, .sentinel_ticks = 1000, .sets_seen = 31 };
	assert_int_equal(take_for(&k, &f, FLUSHED("MultiCallFlushLRU"), 10 * (uint64_t)SECOND), ST_OK);
	assert_int_equal(k.cold.sets_touched, 31);
	take_release(&k);
}

static void
test_take_a_neighbour_is_waited_for_and_no_sample_taken_beside_it_counts(void **state)
{
	struct fake	f = { .call_ticks = 20000, .loud_from = 300000, .loud_to = 30000000 };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f, SPEC("warm", ", 'timing': {'samples': 40}"), 10 * (uint64_t)SECOND), ST_OK);
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

/* From the start there is a neighbour, who never leaves; the base is known from before. */
static void
take_beside_a_neighbour(struct take *k, struct fake *f, const char *timing)
{
	char	spec[512];

	*f = (struct fake){ .call_ticks = 20000, .loud_from = 200000, .loud_to = UINT32_MAX };
	(void)snprintf(spec, sizeof spec, SPEC("warm", ", 'timing': {'samples': 60%s}"), timing);
	gate_see(&gate, (struct gate_reading){ 8000, 8000 });
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
	assert_true(k.waited_ns >= GATE_PURSE_NS && k.waited_ns < 2 * GATE_PURSE_NS);
	assert_int_equal(k.patience_ns, GATE_PURSE_NS);
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
		gate.filled_ns = 0;			/* a day later: the purse is full */
	}
	assert_true(k.patience_ns < 4000000 && k.waited_ns < 10000000);
}

static void
test_take_W17_quiet_that_was_insisted_on_and_is_not_to_be_had_is_too_noisy_within_the_budget(void **state)
{
	struct fake	f;
	struct take	k;

	(void)state;
	for (unsigned job = 0; job < 8; job++) {	/* it does not get shorter */
		take_beside_a_neighbour(&k, &f, ", 'gate': true");
		assert_true(take_is_noisy(&k));
		assert_null(k.canary_off);
		assert_int_equal(k.patience_ns, SECOND);
		assert_true(k.waited_ns >= SECOND && f.now_ns < 1200000000);
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
		assert_true(k.waited_ns >= 50000000 && f.now_ns < 100000000);
		take_release(&k);
	}
}

static void
test_take_without_a_gate_nothing_is_waited_for_and_the_readings_are_there(void **state)
{
	struct fake	f = { .call_ticks = 20000, .loud_from = 200000, .loud_to = UINT32_MAX };
	struct take	k;

	(void)state;
	gate_see(&gate, (struct gate_reading){ 8000, 8000 });
	assert_int_equal(take_for(&k, &f, SPEC("warm", ", 'timing': {'gate': false}"), 10 * (uint64_t)SECOND), ST_OK);
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
	assert_int_equal(take_for(&k, &f, SPEC("warm", ", 'timing': {'gate': true}"), 10 * (uint64_t)SECOND), ST_OK);
	assert_null(k.canary_off);
	assert_false(k.gate_failed);
	assert_int_equal(k.rejected, k.taken);
	assert_int_equal(k.kept_unfit, 7);
	take_release(&k);
}

static void
test_take_a_third_in_quiet_is_enough_and_only_those_are_kept(void **state)
{
	struct fake	f = { .call_ticks = 20000, .loud_from = 600000, .loud_to = UINT32_MAX };
	struct take	k;

	(void)state;
	assert_int_equal(take_for(&k, &f, SPEC("warm", ", 'timing': {'samples': 60, 'budget_ms': 20}"),
	    10 * (uint64_t)SECOND), ST_OK);
	assert_true(k.clean >= 20 && k.clean < 60);
	assert_false(take_is_noisy(&k));
	assert_int_equal(k.samples, k.clean);
	assert_int_equal(k.kept_unfit, 0);
	for (size_t i = 0; i < k.samples; i++)
		assert_true(k.sample[i].ns == 20000);
	take_release(&k);
}

static void
test_take_a_canary_that_never_helps_is_learnt_anew(void **state)
{
	struct fake	f = { .call_ticks = 20000, .canary = 9000 };
	struct take	k;

	(void)state;
	gate_see(&gate, (struct gate_reading){ 8000, 8000 });
	for (unsigned job = 1; job <= GATE_BARREN + 1; job++) {
		assert_int_equal(take_for(&k, &f, SPEC("warm", ", 'timing': {'budget_ms': 5}"),
		    10 * (uint64_t)SECOND), ST_OK);
		assert_int_equal(k.samples, 7);
		assert_int_equal(k.canary_off != NULL, job <= GATE_BARREN);
		assert_int_equal(k.loud > 0, job <= GATE_BARREN);
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
		cmocka_unit_test_setup(test_take_P37_a_20_ns_routine_gets_its_right_time_from_a_coarse_clock, forget_gate),
		cmocka_unit_test_setup(test_take_P37_a_20_ns_routine_is_called_until_a_region_is_long, forget_gate),
		cmocka_unit_test_setup(test_take_calls_between_fences_cost_what_an_empty_one_costs, forget_gate),
		cmocka_unit_test_setup(test_take_what_a_regions_ends_add_is_measured_and_bounds_the_bias, forget_gate),
		cmocka_unit_test_setup(test_take_the_difference_of_two_regions_has_nothing_of_their_ends, forget_gate),
		cmocka_unit_test_setup(test_take_what_disturbs_either_region_disturbs_their_difference, forget_gate),
		cmocka_unit_test_setup(test_take_a_routine_that_costs_no_more_than_calling_it_is_within_noise, forget_gate),
		cmocka_unit_test_setup(test_take_W15_disturbed_samples_are_rejected_and_taken_again, forget_gate),
		cmocka_unit_test_setup(test_take_W17_noise_without_end_ends_with_what_there_is, forget_gate),
		cmocka_unit_test_setup(test_take_rejected_samples_may_not_take_longer_than_their_budget, forget_gate),
		cmocka_unit_test_setup(test_take_page_faults_that_every_sample_has_are_the_routines_own, forget_gate),
		cmocka_unit_test_setup(test_take_mark_finds_the_fewest_faults_even_if_they_come_last, forget_gate),
		cmocka_unit_test_setup(test_take_samples_that_moved_to_another_cpu_are_taken_again, forget_gate),
		cmocka_unit_test_setup(test_take_the_wall_limit_shortens_sampling_and_says_so, forget_gate),
		cmocka_unit_test_setup(test_take_one_sample_is_taken_however_short_the_limit, forget_gate),
		cmocka_unit_test_setup(test_take_orders_are_short_and_pause_below_the_kernels_throttle, forget_gate),
		cmocka_unit_test_setup(test_take_what_takes_seconds_is_never_real_time, forget_gate),
		cmocka_unit_test_setup(test_take_inout_operands_are_restored_before_every_call_that_is_long_enough, forget_gate),
		cmocka_unit_test_setup(test_take_P38_a_short_cold_call_turns_auto_into_many_calls_and_a_long_one_does_not, forget_gate),
		cmocka_unit_test_setup(test_take_a_cold_time_comes_with_a_warm_one, forget_gate),
		cmocka_unit_test_setup(test_take_W1_a_cold_time_that_was_not_cold_is_our_fault_and_no_number, forget_gate),
		cmocka_unit_test_setup(test_take_W29_a_partial_flush_may_leave_lines_in_a_cache, forget_gate),
		cmocka_unit_test_setup(test_take_W33_calls_that_always_met_the_same_set_are_our_fault, forget_gate),
		cmocka_unit_test_setup(test_take_a_neighbour_is_waited_for_and_no_sample_taken_beside_it_counts, forget_gate),
		cmocka_unit_test_setup(test_take_a_neighbour_who_stays_switches_the_gate_off_and_the_quietest_are_kept, forget_gate),
		cmocka_unit_test_setup(test_take_a_host_that_stays_loud_costs_an_evaluation_4_ms_at_most, forget_gate),
		cmocka_unit_test_setup(test_take_W17_quiet_that_was_insisted_on_and_is_not_to_be_had_is_too_noisy_within_the_budget, forget_gate),
		cmocka_unit_test_setup(test_take_a_budget_that_was_asked_for_is_waited_in_full_and_then_the_gate_is_off, forget_gate),
		cmocka_unit_test_setup(test_take_without_a_gate_nothing_is_waited_for_and_the_readings_are_there, forget_gate),
		cmocka_unit_test_setup(test_take_few_undisturbed_samples_are_not_the_canarys_fault, forget_gate),
		cmocka_unit_test_setup(test_take_a_third_in_quiet_is_enough_and_only_those_are_kept, forget_gate),
		cmocka_unit_test_setup(test_take_a_canary_that_never_helps_is_learnt_anew, forget_gate),
		cmocka_unit_test_setup(test_take_a_coarse_clock_switches_the_canary_off, forget_gate),
		cmocka_unit_test_setup(test_take_a_failing_order_ends_it_at_any_point, forget_gate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
