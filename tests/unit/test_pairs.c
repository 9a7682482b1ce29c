/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/chain.h"
#include "tests/support/dice.h"
#include "tests/support/driver.h"
#include "tests/support/fake_clock.h"

/* Two variants that are made of numbers, on one clock. */
enum { LOG_BYTES = 4096, FIRST_LOOK = PAIRED_FIRST * PAIRED_GROUP };
struct fake {
	struct fake_clock clock;
	double		 call_ns[PAIRS_SIDES];
	uint64_t	 empty_ticks, position[PAIRS_SIDES];
	unsigned	 disturb_every;		/* n-th order of `against` has a switch */
	unsigned	 migrate_every;		/* … is moved to another CPU */
	unsigned	 loud_every;		/* … a slow canary */
	unsigned	 orders[PAIRS_SIDES], all, fail_at;
	double		 jitter;		/* alternately so much more and less */
	unsigned	 loads, drops, fail_load;
	double		 fate;			/* of a process: so much more or less, by a coin */
	double		 own[PAIRS_SIDES];	/* of the two there are */
	unsigned	 lane[PAIRS_SIDES];
	uint64_t	 passed[PAIRS_SIDES];	/* of a walk, by earlier processes */
	char		 log[LOG_BYTES];	/* one letter an order: A against, B variant */
	size_t		 logged;
	uint64_t	 next_input[PAIRS_SIDES];
};

static const struct slot	slot = { .cpu = 1, .l1_bytes = 48 << 10, .l2_bytes = 1 << 20,
				    .l3_bytes = 32 << 20, .line_bytes = 64 };
static const struct tick	tick = { .clock = CLK_CYCLE, .hz = 1e9, .resolution_ns = 10 };
static struct contest		rule;
static struct chain		chain;
static struct looks_end		end;
static struct plan		plan;
static struct gate		gate;
static struct bench_reply	answer;
static uint64_t			dice = 7;

static bool
is_due(unsigned every, unsigned n)
{
	return every != 0 && n % every == 0;
}

static enum status
fake_run(void *arg, enum pairs_side side, const struct runner_run *run, struct bench_reply *a)
{
	struct fake	*f = arg;
	unsigned	 n = ++f->orders[side];
	double		 call = run->kind == RUNNER_EMPTY ? (double)f->empty_ticks :
			    f->call_ns[side];

	if (side == PAIRS_AGAINST && n == f->fail_at)
		return a->status = ST_CRASHED;
	assert_int_equal(run->samples, 1);
	if (f->logged + 1 < sizeof f->log)
		f->log[f->logged++] = side == PAIRS_AGAINST ? 'A' : 'B';
	if (run->data == RUNNER_ROTATE) {
		assert_int_equal(run->input, f->next_input[side]);
		f->next_input[side] += runner_region_inputs(run);
	}
	if (run->walk != RUNNER_STAY)
		f->position[side] += run->passes + (run->kind == RUNNER_EMPTY ? 0 : run->calls);
	call *= 1 + f->own[side];
	call *= 1 + (++f->all % 2 != 0 ? f->jitter : -f->jitter);
	*a = (struct bench_reply){ .status = ST_OK, .samples = 1, .pinned = true };
	a->sample[0].ticks = 100 + (uint64_t)(call * (double)run->calls);
	a->sample[0].canary_before = a->sample[0].canary_after = 8000;
	if (side == PAIRS_AGAINST && is_due(f->loud_every, n))
		a->sample[0].canary_after = 9000;
	a->sample[0].sentinel = side == PAIRS_AGAINST ? 300 : 400;
	a->sets_seen = run->walk == RUNNER_STAY ? 7 : f->position[side] < plan.sets ?
	    f->position[side] : plan.sets;
	a->sample[0].switches = side == PAIRS_AGAINST && is_due(f->disturb_every, n);
	a->sample[0].migrations = side == PAIRS_AGAINST && is_due(f->migrate_every, n);
	a->took_ns = a->sample[0].ticks;
	f->clock.now_ns += a->took_ns;
	return ST_OK;
}

static void
drop(void *arg)
{
	struct fake	*f = arg;

	f->drops++;
}

static enum status
load(void *arg, enum pairs_side side, unsigned lane, struct bench_reply *a)
{
	struct fake	*f = arg;

	if (++f->loads == f->fail_load) {
		*a = (struct bench_reply){ .words = "cannot be loaded" };
		return a->status = ST_LOAD_FAILED;
	}
	f->own[side] = dice_uniform(&dice) < 0.5 ? -f->fate : f->fate;
	f->lane[side] = lane;
	f->passed[side] = f->position[side];
	f->position[side] = 0;
	return ST_OK;
}

static enum status
run_variant(void *arg, const struct runner_run *run, struct bench_reply *a)
{
	return fake_run(arg, PAIRS_VARIANT, run, a);
}

static enum status
run_against(void *arg, const struct runner_run *run, struct bench_reply *a)
{
	return fake_run(arg, PAIRS_AGAINST, run, a);
}

/* In a context, by the rule as it stands. */
static enum status
take_pairs(struct take *k, struct fake *f, const char *context, bool gated)
{
	const struct take_clock	clock = fake_take_clock(&f->clock);
	struct take_setting	with;
	struct job		job;
	struct fault		why;
	char			text[600];
	enum status		st;

	(void)snprintf(text, sizeof text, "{'variant': {'language': 'c', 'source': 'int x;'}, "
	    "'against': {'language': 'c', 'source': 'int y;'}, 'spec': {"
	    "'routine': 'void f(int n, const double *y, double *z)', 'args': {'n': 9, "
	    "'y': {'dims': [9]}, 'z': {'dims': [9], 'access': 'out'}}, %s}}", context);
	support_job(&job, text);
	assert_int_equal(plan_make(&plan, &job.spec, &slot, true, &why), ST_OK);
	job.contest = rule;
	plan.gating = gated ? GATING_ON : GATING_OFF;
	plan.samples = 1;
	gate = (struct gate){ .resolution_ticks = 26 };
	chain = (struct chain){ .looks = { .rule = NULL } };
	chain_build(&chain, &job, chain_end(run_variant, f), chain_end(run_against, f));
	pairs_begin(&chain.pipeline.pairs, f->clock.now_ns);
	pairs_reset(&chain.pipeline.pairs, plan.sets);
	chain.pipeline.pairs.loader = (struct pairs_loader){ drop, load, f };
	with = chain_setting(&chain, &job, &plan, &clock, &tick, &gate);
	*k = (struct take){ .sample = NULL };
	st = take_samples(k, &plan, &with, &answer);
	if (st == ST_OK)
		st = looks_end(&chain.looks, k, &end);
	job_release(&job);
	return st;
}

static int
usual_rule(void **state)
{
	(void)state;
	rule = (struct contest){ .error = 0.05, .resolution = 0.01, .max_pairs = SPEC_PAIRS };
	return 0;
}

/* Each four orders, from the first probe on: which of the two they are, a coin says. */
static void
test_W65_the_two_are_timed_in_turn_as_ABBA_or_as_BAAB(void **state)
{
	struct fake	f = { .call_ns = { 500, 500 }, .jitter = 0.05, .fate = 0.1 };
	unsigned	blocks[2] = { 0, 0 };
	struct take	k;

	(void)state;
	assert_int_equal(take_pairs(&k, &f, "'context': 'warm'", false), ST_OK);
	assert_int_equal(end.found.pairs, SPEC_PAIRS);
	for (size_t i = 0; i + 4 <= f.logged; i += 4) {
		assert_true(memcmp(f.log + i, "BAAB", 4) == 0 || memcmp(f.log + i, "ABBA", 4) == 0);
		blocks[f.log[i] - 'A']++;
	}
	assert_true(blocks[0] > 10 && blocks[1] > 10);
	take_release(&k);
}

static void
test_W63_a_clear_difference_is_decided_at_the_first_look(void **state)
{
	struct fake	f = { .call_ns = { 400, 500 }, .empty_ticks = 2, .jitter = 0.01 };
	struct take	k;

	(void)state;
	assert_int_equal(take_pairs(&k, &f, "'context': 'warm'", false), ST_OK);
	assert_int_equal(end.found.verdict, VERDICT_FASTER);
	assert_int_equal(end.found.pairs, FIRST_LOOK);
	assert_int_equal(end.looks, 1);
	assert_string_equal(end.by, "interval");
	assert_true(end.found.ratio > 0.77 && end.found.ratio < 0.83);
	for (size_t i = 0; i < k.samples; i++) {
		assert_true(k.sample[i].ns > 390 && k.sample[i].ns < 410);
		assert_true(k.sample[i].against_ns > 480 && k.sample[i].against_ns < 520);
	}
	take_release(&k);
}

static void
test_W63_without_a_decision_all_looks_are_taken_and_the_pairs_end_it(void **state)
{
	struct fake	f = { .call_ns = { 500, 500 }, .jitter = 0.05, .fate = 0.1 };
	struct take	k;

	(void)state;
	assert_int_equal(take_pairs(&k, &f, "'context': 'warm'", false), ST_OK);
	assert_int_equal(end.found.pairs, SPEC_PAIRS);
	assert_int_equal(end.looks, 4);
	assert_string_equal(end.by, "max_pairs");
	assert_int_equal(end.found.verdict, VERDICT_INDISTINGUISHABLE);
	take_release(&k);
}

static void
test_pairs_have_as_many_calls_as_the_faster_of_the_two_needs(void **state)
{
	struct fake	f = { .call_ns = { 4000, 40 } };
	struct take	k;

	(void)state;
	assert_int_equal(take_pairs(&k, &f, "'context': 'warm'", false), ST_OK);
	assert_true((double)plan.run.calls * 40 >= PLAN_REGION_NS);
	assert_int_equal(end.found.verdict, VERDICT_SLOWER);
	take_release(&k);
}

static void
test_pairs_of_which_one_sample_was_disturbed_are_taken_again(void **state)
{
	struct fake	f = { .call_ns = { 500, 500 }, .disturb_every = 4, .migrate_every = 5 };
	struct take	k;

	(void)state;
	assert_int_equal(take_pairs(&k, &f, "'context': 'warm'", false), ST_OK);
	assert_int_equal(k.clean, FIRST_LOOK);
	assert_int_equal(end.found.pairs, FIRST_LOOK);
	assert_true(k.switches >= 2 && k.migrations >= 2 && k.disturbed >= 3);
	for (size_t i = 0; i < k.samples; i++)
		assert_false(k.sample[i].disturbed);
	take_release(&k);
}

static void
test_pairs_of_which_one_sample_was_loud_do_not_pass_the_gate(void **state)
{
	struct fake	f = { .call_ns = { 500, 500 }, .loud_every = 3 };
	struct take	k;

	(void)state;
	assert_int_equal(take_pairs(&k, &f, "'context': 'warm'", true), ST_OK);
	assert_null(k.canary_off);
	assert_true(k.loud >= 3);
	assert_int_equal(end.found.pairs, FIRST_LOOK);
	take_release(&k);
}

/* What one has just brought into the cache the other must not find there. */
static void
test_pairs_walk_the_working_sets_half_way_apart(void **state)
{
	struct fake	f = { .call_ns = { 500, 500 } };
	struct take	k;

	(void)state;
	assert_int_equal(take_pairs(&k, &f,
	    "'context': 'cold', 'timing': {'flush': {'method': 'MultiCallFlushLRU'}}", false),
	    ST_OK);
	assert_true(plan.sets > 2);
	assert_int_equal((f.position[PAIRS_VARIANT] + plan.sets / 2) % plan.sets,
	    f.position[PAIRS_AGAINST] % plan.sets);
	take_release(&k);
}

static void
test_pairs_are_as_cold_as_the_less_cold_of_the_two(void **state)
{
	struct fake	f = { .call_ns = { 500, 500 } };
	struct take	k;

	(void)state;
	assert_int_equal(take_pairs(&k, &f, "'context': 'warm'", false), ST_OK);
	for (size_t i = 0; i < k.samples; i++)
		assert_int_equal(k.sample[i].raw.sentinel, 300);
	assert_int_equal(answer.sets_seen, 7);
	take_release(&k);
}

static void
test_pairs_meet_the_same_inputs_in_the_same_order(void **state)
{
	const struct {
		const char	*spec;
		double		 call_ns;
	} cases[] = {
		{ "'context': 'warm', 'data': { 'rotate': 50 }", 5000 },
		{ "'context': 'warm', 'data': { 'rotate': 50 }", 50 },	/* a stroll */
		{ "'context': 'cold', 'data': { 'rotate': 50 }, "
		    "'timing': { 'flush': { 'method': 'OneCallFlushX86' } }", 50 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct fake	f = { .call_ns = { cases[i].call_ns, cases[i].call_ns } };
		struct take	k;

		assert_int_equal(take_pairs(&k, &f, cases[i].spec, false), ST_OK);
		assert_int_equal(f.next_input[0], f.next_input[1]);
		assert_true(f.next_input[0] >= SPEC_MIN_PAIRS);
		take_release(&k);
	}
}

static void
test_pairs_know_which_of_the_two_failed(void **state)
{
	struct fake	f = { .call_ns = { 500, 500 }, .fail_at = 20 };
	struct take	k;

	(void)state;
	assert_int_equal(take_pairs(&k, &f, "'context': 'warm'", false), ST_CRASHED);
	assert_int_equal(chain.pipeline.pairs.ran, PAIRS_AGAINST);
	assert_int_equal(answer.status, ST_CRASHED);
	take_release(&k);
}

/* As many groups as there were processes; each two of them are on the other's lanes. */
static void
test_pairs_W63_both_are_loaded_anew_and_swapped_for_each_group(void **state)
{
	struct fake	f = { .call_ns = { 500, 500 }, .fate = 0.1 };
	struct take	k;

	(void)state;
	assert_int_equal(take_pairs(&k, &f, "'context': 'warm'", false), ST_OK);
	assert_int_equal(end.found.groups, SPEC_PAIRS / PAIRED_GROUP);
	assert_int_equal(f.drops, end.found.groups - 1);
	assert_int_equal(f.loads, PAIRS_SIDES * f.drops);
	assert_int_equal(f.lane[PAIRS_VARIANT], f.drops % 2);
	assert_int_equal(f.lane[PAIRS_AGAINST], 1 - f.drops % 2);
	for (size_t i = 0; i < k.samples; i++)
		assert_int_equal(k.sample[i].process, i / PAIRED_GROUP);
	assert_true(end.found.between > 0.05 && end.found.within < 0.01);
	take_release(&k);
}

/* A set that its predecessor has just walked would be in the cache. */
static void
test_pairs_walk_on_where_the_process_before_stood(void **state)
{
	struct fake	f = { .call_ns = { 500, 500 }, .fate = 0.1 };
	struct take	k;

	(void)state;
	assert_int_equal(take_pairs(&k, &f,
	    "'context': 'cold', 'timing': {'flush': {'method': 'MultiCallFlushLRU'}}", false),
	    ST_OK);
	assert_true(f.loads > 4);
	for (unsigned side = 0; side < PAIRS_SIDES; side++) {
		assert_true(f.passed[side] % plan.sets != 0);
		assert_true(f.position[side] >= f.passed[side] % plan.sets);
	}
	take_release(&k);
}

static void
test_pairs_know_which_of_the_two_could_not_be_loaded_again(void **state)
{
	struct fake	f = { .call_ns = { 500, 500 }, .fail_load = 3 };
	struct take	k;

	(void)state;
	assert_int_equal(take_pairs(&k, &f, "'context': 'warm'", false), ST_LOAD_FAILED);
	assert_int_equal(f.lane[PAIRS_AGAINST], 0);
	assert_int_equal(chain.pipeline.pairs.ran, PAIRS_VARIANT);
	assert_string_equal(answer.words, "cannot be loaded");
	take_release(&k);
}

/* The pairs of long calls are few, and more than a hundred of them end with the budget. */
static void
test_pairs_of_long_calls_are_few_and_end_with_the_budget(void **state)
{
	struct fake	f = { .call_ns = { 3e7, 3e7 }, .fate = 0.1 };
	struct take	k;

	(void)state;
	assert_int_equal(take_pairs(&k, &f, "'context': 'warm'", false), ST_OK);
	assert_int_equal(end.found.pairs, LOOKS_PAIRS);
	assert_int_equal(end.found.groups, LOOKS_PAIRS);
	assert_string_equal(end.by, "budget");
	take_release(&k);
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test_setup(test_W65_the_two_are_timed_in_turn_as_ABBA_or_as_BAAB,
		    usual_rule),
		cmocka_unit_test_setup(test_W63_a_clear_difference_is_decided_at_the_first_look,
		usual_rule), cmocka_unit_test_setup(test_W63_without_a_decision_all_looks_are_taken_and_the_pairs_end_it,
		    usual_rule),
		cmocka_unit_test_setup(test_pairs_have_as_many_calls_as_the_faster_of_the_two_needs,
		usual_rule), cmocka_unit_test_setup(test_pairs_of_which_one_sample_was_disturbed_are_taken_again, usual_rule),
		cmocka_unit_test_setup(test_pairs_of_which_one_sample_was_loud_do_not_pass_the_gate,
		usual_rule), cmocka_unit_test_setup(test_pairs_walk_the_working_sets_half_way_apart,
		usual_rule), cmocka_unit_test_setup(test_pairs_are_as_cold_as_the_less_cold_of_the_two, usual_rule),
		cmocka_unit_test_setup(test_pairs_know_which_of_the_two_failed, usual_rule),
		cmocka_unit_test_setup(
		    test_pairs_W63_both_are_loaded_anew_and_swapped_for_each_group, usual_rule),
		cmocka_unit_test_setup(test_pairs_walk_on_where_the_process_before_stood,
		    usual_rule),
		cmocka_unit_test_setup(test_pairs_know_which_of_the_two_could_not_be_loaded_again,
		    usual_rule),
		cmocka_unit_test_setup(test_pairs_of_long_calls_are_few_and_end_with_the_budget,
		    usual_rule),
		cmocka_unit_test_setup(test_pairs_meet_the_same_inputs_in_the_same_order,
		    usual_rule),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
