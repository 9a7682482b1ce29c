/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often a gated comparison is wrong: the whole way from orders to a verdict, on a host that is
 * made of numbers.  Its neighbour comes and goes like the recorded one: states of milliseconds, in
 * which times and canary are 1.3 times as long.  Where the two variants are equal, each verdict but
 * "indistinguishable" is an error.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/chain.h"
#include "tests/support/dice.h"
#include "tests/support/driver.h"
#include "tests/support/fake_clock.h"
#include "tests/support/reading.h"

struct host {
	struct fake_clock clock;
	uint64_t	 seed, until_ns;	/* the neighbour's state ends */
	bool		 is_loud;
	double		 quiet_ns, loud_ns;		/* mean lengths of the states; loud 0:
							 * nobody there */
	bool		 is_regular;			/* they are always that long */
	double		 slower;			/* what a neighbour makes of a sample */
	double		 canary_slower;			/* … of the canary; 1: it sees nothing */
	double		 false_alarms;			/* share of canary readings that are slow
							 * for no reason */
	double		 spread;			/* of a sample, by chance */
	double		 asleep;			/* a sample right after a pause is so much
							 * longer */
	bool		 has_slept;
	double		 ratio;				/* of the variant's true time to the other's */
};

static const struct slot	slot = { .cpu = 1, .l1_bytes = 48 << 10, .l2_bytes = 1 << 20,
				    .l3_bytes = 32 << 20, .line_bytes = 64 };
static const struct tick	tick = { .clock = CLK_CYCLE, .hz = 1e9, .resolution_ns = 10 };
static struct bench_reply	answer;

enum { SAMPLE_NS = 25000, CANARY_NS = 3000 };

static void
pass(struct host *h, double ns)
{
	h->clock.now_ns += (uint64_t)ns;
	while (h->loud_ns > 0 && h->clock.now_ns >= h->until_ns) {
		double	mean = h->is_loud ? h->quiet_ns : h->loud_ns;

		h->is_loud = !h->is_loud;
		h->until_ns += 1 + (uint64_t)(h->is_regular ? mean :
		    -mean * log(dice_uniform(&h->seed)));
	}
}

static uint32_t
read_canary(struct host *h)
{
	double	ns = CANARY_NS * (1 + 0.005 * dice_normal(&h->seed)) * (h->is_loud ?
		    h->canary_slower : 1);

	if (dice_uniform(&h->seed) < h->false_alarms)
		ns *= 1.3;
	pass(h, ns);
	return (uint32_t)ns;
}

static enum status
run_side(void *arg, enum pairs_side side, const struct runner_run *run, struct bench_reply *a)
{
	struct host	*h = arg;
	uint64_t	 began = h->clock.now_ns;
	double		 ns = run->kind == RUNNER_EMPTY ? 2 : SAMPLE_NS;

	*a = (struct bench_reply){ .status = ST_OK, .samples = 1, .pinned = true };
	a->sample[0].canary_before = read_canary(h);
	if (run->kind == RUNNER_SAMPLE) {
		ns *= (1 + h->spread * dice_normal(&h->seed)) * (h->is_loud ? h->slower : 1);
		ns *= h->has_slept ? h->asleep : 1;
		ns *= side == PAIRS_VARIANT ? h->ratio : 1;
		h->has_slept = false;
	}
	pass(h, ns);
	a->sample[0].ticks = (uint64_t)ns;
	a->sample[0].canary_after = read_canary(h);
	a->took_ns = h->clock.now_ns - began;
	return ST_OK;
}

static enum status
run_variant(void *arg, const struct runner_run *run, struct bench_reply *a)
{
	return run_side(arg, PAIRS_VARIANT, run, a);
}

static enum status
run_against(void *arg, const struct runner_run *run, struct bench_reply *a)
{
	return run_side(arg, PAIRS_AGAINST, run, a);
}

static void
pause_for(void *arg, uint64_t ns)
{
	struct host	*h = arg;

	pass(h, (double)ns);
	h->has_slept = true;
}

/* What ended sampling is what the verdict stands on: the pairs that were kept decide. */
static void
assert_they_decide(const struct take *k, const struct contest *rule)
{
	const unsigned		each = paired_group(rule->max_pairs, 0);
	struct paired_ratio	ratio[SPEC_PAIRS];
	struct paired		found;

	assert_in_range(k->samples, 1, SPEC_PAIRS);
	for (size_t i = 0; i < k->samples; i++)
		ratio[i] = (struct paired_ratio){ k->sample[i].ns / k->sample[i].against_ns,
		    k->sample[i].process };
	assert_int_equal(paired_look(rule, paired_looks(rule->max_pairs / each), ratio, k->samples,
	    false, &found), ST_OK);
	assert_int_not_equal(found.verdict, VERDICT_UNDECIDED);
}

struct count {
	unsigned	faster, slower, gave_up;
};

/* One comparison, from the first probe to the verdict, with `gate: auto`. */
static void
compare(struct host *h, const struct contest *rule, const struct plan *given, struct count *c)
{
	static struct chain	 chain;
	const struct take_clock	 clock = { fake_now, pause_for, h };
	const struct job	 job = { .contest = *rule, .against.source = (char *)"int y;" };
	struct take_setting	 with;
	struct plan		 plan = *given;
	struct gate		 gate = { .resolution_ticks = 26 };
	struct take		 k = { .sample = NULL };
	struct looks_end	 end;

	chain = (struct chain){ .looks = { .rule = NULL } };
	chain_build(&chain, &job, chain_end(run_variant, h), chain_end(run_against, h));
	pairs_begin(&chain.pipeline.pairs, h->clock.now_ns);
	with = chain_setting(&chain, &job, &plan, &clock, &tick, &gate);
	plan.samples = 1;
	for (unsigned i = 0; i < 64; i++)			/* the slot has known quiet */
		gate_see(&gate, 0, &READING(CANARY_NS, CANARY_NS, 0, 0));
	assert_int_equal(take_samples(&k, &plan, &with, &answer), ST_OK);
	assert_int_equal(looks_end(&chain.looks, &k, &end), ST_OK);
	assert_true(end.looks <= paired_looks(rule->max_pairs / PAIRED_GROUP));
	if (strcmp(end.by, "interval") == 0)
		assert_they_decide(&k, rule);
	c->faster += end.found.verdict == VERDICT_FASTER;
	c->slower += end.found.verdict == VERDICT_SLOWER;
	c->gave_up += k.canary_off != NULL;
	take_release(&k);
}

static struct count
count(struct host h, double ratio, const struct contest *rule, unsigned trials, const char *timing)
{
	struct count	c = { 0, 0, 0 };
	struct plan	plan;
	struct job	job;
	struct fault	why;
	char		spec[256];

	(void)snprintf(spec, sizeof spec,
	    "{'routine': 'void f(int n, double *z)', 'args': {'n': 9, "
	    "'z': {'dims': [9], 'access': 'out'}}, 'context': 'warm', 'timing': {'calls': 1%s}}",
	    timing);
	support_spec_job(&job, spec);
	assert_int_equal(plan_make(&plan, &job.spec, &slot, true, &why), ST_OK);
	job_release(&job);
	h.clock.now_ns = 1000000;
	h.ratio = ratio;
	for (unsigned i = 0; i < trials; i++)
		compare(&h, rule, &plan, &c);
	return c;
}

/*
 * The resolution is 0, so nothing but the error rate keeps equal ones from being called different.
 */
static const struct contest	keen = { .error = 0.05, .resolution = 0, .max_pairs = SPEC_PAIRS };
static const struct contest	usual = { .error = 0.05, .resolution = 0.01,
    .max_pairs = SPEC_PAIRS };
enum { TRIALS = 300, MOST_WRONG = 15 + 4 * 4 };		/* 5 %, and four standard deviations */

static const struct host	hosts[] = {
	/* pairs are dropped for no reason */
	{ .seed = 1, .spread = 0.004, .slower = 1, .canary_slower = 1, .asleep = 1,
	.false_alarms = 0.15 },
	/* as recorded: what drops a pair has changed its ratio, too, whichever of the two it hit */
	{ .seed = 2, .spread = 0.004, .slower = 1.3, .canary_slower = 1.3, .asleep = 1,
	  .quiet_ns = 2e6, .loud_ns = 1e6 },
	{ .seed = 3, .spread = 0.004, .slower = 1.3, .canary_slower = 1.3, .asleep = 1,
	  .quiet_ns = 2e5, .loud_ns = 2e5 },
	/* a neighbour who keeps time */
	{ .seed = 4, .spread = 0.004, .slower = 1.3, .canary_slower = 1.3, .asleep = 1,
	  .quiet_ns = 9e4, .loud_ns = 3.5e4, .is_regular = true },
	/* one whom the canary does not see */
	{ .seed = 5, .spread = 0.004, .slower = 1.3, .canary_slower = 1, .asleep = 1,
	  .quiet_ns = 1e5, .loud_ns = 1e5 },
	/*
	 * the nap after a dropped pair makes the next sample slower, so it is always the first of a
	 * pair
	 */
	{ .seed = 6, .spread = 0.004, .slower = 1.3, .canary_slower = 1.3, .asleep = 1.02,
	  .false_alarms = 0.2, .quiet_ns = 2e5, .loud_ns = 1e5 },
};
enum { HOSTS = sizeof hosts / sizeof hosts[0] };

static void
test_pairs_W63_equal_ones_are_called_different_no_more_often_than_stated_whatever_the_gate_drops(void **state)
{
	(void)state;
	for (size_t i = 0; i < HOSTS; i++) {
		struct count	c = count(hosts[i], 1, &keen, TRIALS, "");

		print_message("host %zu: of %d, %u faster and %u slower\n", i + 1, TRIALS,
		    c.faster, c.slower);
		assert_true(c.faster + c.slower <= MOST_WRONG);
		assert_true(c.faster + c.slower > 0);
	}
}

static void
test_pairs_W63_a_host_that_is_never_quiet_makes_no_more_errors_once_the_gate_has_given_up(void **state)
{
	struct host	h = hosts[1];
	struct count	c;

	(void)state;
	h.quiet_ns = 1e5;
	h.loud_ns = 5e6;
	c = count(h, 1, &keen, TRIALS, ", 'budget_ms': 2");
	assert_true(c.gave_up > TRIALS / 2);
	assert_true(c.faster + c.slower <= MOST_WRONG);
	c = count(h, 0.97, &usual, TRIALS / 5, ", 'budget_ms': 2");
	assert_int_equal(c.slower, 0);
	assert_true(c.faster > TRIALS / 5 * 0.9);
}

static void
test_pairs_W63_a_gap_of_one_percent_is_found_beside_each_of_these_neighbours_that_the_canary_sees(void **state)
{
	(void)state;
	for (size_t i = 0; i < HOSTS; i++) {
		struct count	c = count(hosts[i], 0.99, &usual, TRIALS / 5, "");

		if (hosts[i].slower > hosts[i].canary_slower)
			continue;
		assert_int_equal(c.slower, 0);
		assert_true(c.faster > TRIALS / 5 * 0.9);
	}
}

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		cmocka_unit_test(
		    test_pairs_W63_equal_ones_are_called_different_no_more_often_than_stated_whatever_the_gate_drops),
		cmocka_unit_test(
		    test_pairs_W63_a_host_that_is_never_quiet_makes_no_more_errors_once_the_gate_has_given_up),
		cmocka_unit_test(
		    test_pairs_W63_a_gap_of_one_percent_is_found_beside_each_of_these_neighbours_that_the_canary_sees),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
