/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The chain of an order, from the decision to its end: samples that were recorded of real jobs
 * replay through the whole of it, and each link sees what its neighbours do.
 *
 * With ASSAY_RECORD=DIRECTORY in the environment, the jobs are run for real instead, and recorded
 * into that directory; tests/data/recorded/ is what came of it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/chain.h"
#include "tests/support/recording.h"
#include "tests/support/timing.h"
#include "worker/cache/cache.h"
#include "worker/plan/sizes.h"

#define DOT(sum)	"{'language': 'c', 'source': 'double dot(int n, const double *x, " \
			"const double *y) { double s = 0; for (int i = 0; i < n; i++) s += " sum \
			"; return s; }'}"
#define SPEC(more)	"{'routine': 'double dot(int n, const double *x, const double *y)'," \
			" 'params': {'N': 1000}, 'args': {'n': 'N', 'x': {'dims': ['N']}," \
			" 'y': {'dims': ['N']}}, " more "}"
#define JOB(spec)	"{'variant': " DOT("x[i] * y[i]") ", 'spec': " spec "}"
#define TWO(spec)	"{'variant': " DOT("x[i] * y[i]") ", 'against': " \
			DOT("x[i] * y[i] / 3.0") ", 'spec': " spec "}"

static const struct {
	const char	*name, *job;
} recorded[] = {
	{ "warm", JOB(SPEC("'context': 'warm'")) },
	{ "difference", JOB(SPEC("'context': 'warm', 'timing': {'difference': true}")) },
	{ "cold_lru", JOB(
	    SPEC("'timing': {'flush': {'method': 'OneCallFlushLRU'}, 'samples': 9, 'gate': false}")) },
	{ "comparison", TWO(SPEC("'context': 'warm'")) },
};

static struct slot	slot = { .cpu = -1, .l1_bytes = 32 << 10, .l2_bytes = 1 << 20,
			    .l3_bytes = 32 << 20, .line_bytes = 64 };
static struct chain	chain;
static struct gate	gate;
static struct plan	plan;
static struct tick	tick;
static struct bench_reply reply;

static void
make_plan(const struct job *job)
{
	struct fault	why;

	assert_int_equal(plan_make(&plan, &job->spec, &slot, true, &why), ST_OK);
	assert_false(plan.is_open);
	if (job->against.source != NULL) {
		plan.samples = 1;
		plan.interval = 0;
	}
}

/* ---- replaying ---- */

static void
replay(struct recording *r, struct take *k)
{
	struct replayer		variant = { r, PAIRS_VARIANT }, against = { r, PAIRS_AGAINST };
	const struct take_clock	clock = fake_take_clock(&r->clock);
	struct take_setting	with;
	struct job		job;

	support_job(&job, r->job);
	make_plan(&job);
	tick = (struct tick){ .clock = CLK_CYCLE, .hz = r->hz, .resolution_ns = r->resolution_ns };
	gate = (struct gate){ .resolution_ticks = r->resolution_ticks };
	chain_build(&chain, &job, chain_end(replayer_run, &variant),
	    chain_end(replayer_run, &against));
	pairs_begin(&chain.pipeline.pairs, r->seed);
	with = chain_setting(&chain, &job, &plan, &clock, &tick, &gate);
	assert_int_equal(take_samples(k, &plan, &with, &reply), ST_OK);
	job_release(&job);
}

static double
least_ns(const struct take *k)
{
	double	least = k->sample[0].ns;

	for (size_t i = 1; i < k->samples; i++)
		least = k->sample[i].ns < least ? k->sample[i].ns : least;
	return least;
}

static void
assert_as_recorded(struct recording *r, const struct take *k)
{
	char	line[256];

	assert_int_equal(plan.run.calls, atoi(recording_expects(r, "calls", line, sizeof line)));
	assert_int_equal(k->samples, atoi(recording_expects(r, "samples", line, sizeof line)));
	assert_int_equal(k->taken, atoi(recording_expects(r, "taken", line, sizeof line)));
	assert_string_equal(k->ended_by, recording_expects(r, "ended_by", line, sizeof line));
	assert_float_equal(least_ns(k), atof(recording_expects(r, "least_ns", line, sizeof line)),
	    1e-3);
}

static void
open_recorded(struct recording *r, const char *name)
{
	char	path[128];

	snprintf(path, sizeof path, "tests/data/recorded/%s", name);
	recording_open(r, path);
}

static void
replay_single(const char *name)
{
	struct recording	r;
	struct take		k = { .sample = NULL };

	open_recorded(&r, name);
	replay(&r, &k);
	assert_as_recorded(&r, &k);
	take_release(&k);
	recording_close(&r);
}

static void
test_pipeline_a_recorded_job_comes_to_the_time_that_it_came_to(void **state)
{
	(void)state;
	replay_single("warm");
}

static void
test_pipeline_a_recorded_job_of_differences_is_replayed_in_two_lengths(void **state)
{
	(void)state;
	replay_single("difference");
}

static void
test_pipeline_a_recorded_cold_job_is_replayed_with_its_proof(void **state)
{
	(void)state;
	replay_single("cold_lru");
}

static void
test_pipeline_a_recorded_comparison_comes_to_its_verdict(void **state)
{
	struct recording	r;
	struct take		k = { .sample = NULL };
	struct looks_end	end;
	struct job		job;
	char			line[256];

	(void)state;
	open_recorded(&r, "comparison");
	replay(&r, &k);
	assert_as_recorded(&r, &k);
	support_job(&job, r.job);
	chain.looks.rule = &job.contest;
	assert_int_equal(looks_end(&chain.looks, &k, &end), ST_OK);
	assert_string_equal(verdict_name(end.found.verdict),
	    recording_expects(&r, "verdict", line, sizeof line));
	assert_float_equal(end.found.ratio, atof(recording_expects(&r, "ratio", line, sizeof line)),
	    1e-6);
	job_release(&job);
	take_release(&k);
	recording_close(&r);
}

/* ---- what links see ---- */

/* An end that notes what it is ordered. */
struct end {
	unsigned	 lane;
	unsigned	 orders, most_samples;
	uint64_t	 most_calls;
	enum status	 fail;
};

static enum status
end_run(void *arg, const struct runner_run *run, struct bench_reply *a)
{
	struct end	*e = arg;

	memset(a, 0, sizeof *a);
	e->orders++;
	e->most_samples = run->samples > e->most_samples ? run->samples : e->most_samples;
	e->most_calls = run->calls > e->most_calls ? run->calls : e->most_calls;
	if (e->fail != ST_OK)
		snprintf(a->words, sizeof a->words, "lane %u fails", e->lane);
	for (a->samples = 0; a->samples < run->samples; a->samples++)
		a->sample[a->samples].ticks = run->calls * (100 + e->lane);
	a->took_ns = 1000 * run->samples;
	return a->status = e->fail;
}

static struct end	variant, against;

static void
build(struct job *job, const char *text)
{
	support_job(job, text);
	variant = (struct end){ .lane = PAIRS_VARIANT };
	against = (struct end){ .lane = PAIRS_AGAINST };
	memset(&chain, 0, sizeof chain);
	chain_build(&chain, job, chain_end(end_run, &variant), chain_end(end_run, &against));
}

static const struct runner_run	five = { .kind = RUNNER_SAMPLE, .samples = 5, .calls = 40 };

static void
test_pipeline_a_single_job_gives_its_order_to_one_lane_as_it_is(void **state)
{
	struct job	job;

	(void)state;
	build(&job, recorded[0].job);
	assert_int_equal(link_run(&chain.pipeline.samples, &five, &reply), ST_OK);
	assert_true(variant.orders == 1 && variant.most_samples == 5 && variant.most_calls == 40);
	assert_int_equal(against.orders, 0);
	assert_int_equal(reply.samples, 5);
	assert_int_equal(reply.sample[4].ticks, 40 * 100);
	job_release(&job);
}

static void
test_pipeline_doubling_gives_two_orders_a_sample_where_samples_are_kept(void **state)
{
	struct job	job;

	(void)state;
	build(&job, recorded[1].job);
	assert_int_equal(link_run(&chain.pipeline.orders, &five, &reply), ST_OK);
	assert_true(variant.orders == 1 && variant.most_calls == 40);
	assert_int_equal(link_run(&chain.pipeline.samples, &five, &reply), ST_OK);
	assert_true(variant.orders == 1 + 2 * 5 && variant.most_calls == 2 * 40);
	assert_int_equal(reply.sample[4].ticks, 40 * 100);
	job_release(&job);
}

static void
test_pipeline_pairs_give_each_lane_one_order_a_sample(void **state)
{
	struct job	job;

	(void)state;
	build(&job, recorded[3].job);
	assert_int_equal(link_run(&chain.pipeline.samples, &five, &reply), ST_OK);
	assert_true(variant.orders == 5 && against.orders == 5);
	assert_true(variant.most_samples == 1 && against.most_samples == 1);
	assert_true(reply.is_paired && reply.samples == 5);
	assert_int_equal(reply.sample[4].ticks, 40 * 100);
	assert_int_equal(reply.against_ticks[4], 40 * 101);
	assert_int_equal(link_run(&chain.pipeline.lane[PAIRS_AGAINST], &five, &reply), ST_OK);
	assert_true(against.orders == 6 && against.most_samples == 5);
	job_release(&job);
}

static void
test_pipeline_what_a_lane_fails_with_comes_up_and_pairs_know_which_it_was(void **state)
{
	struct job	job;

	(void)state;
	build(&job, recorded[3].job);
	against.fail = ST_CRASHED;
	assert_int_equal(link_run(&chain.pipeline.samples, &five, &reply), ST_CRASHED);
	assert_int_equal(reply.status, ST_CRASHED);
	assert_string_equal(reply.words, "lane 1 fails");
	assert_int_equal(chain.pipeline.pairs.ran, PAIRS_AGAINST);
	job_release(&job);
}

static void
test_pipeline_each_side_has_audits_on_the_lane_of_its_orders(void **state)
{
	static const uint64_t	 late = UINT64_MAX;
	struct pipeline		*p = &chain.pipeline;
	struct bench		*b = (struct bench *)&chain;	/* which is not looked into */
	struct job		 job;

	(void)state;
	build(&job, recorded[3].job);
	pipeline_build_on(p, b, &late, &job);
	for (unsigned side = 0; side < PAIRS_SIDES; side++) {
		const struct bench_lane	*l = p->audit[side].lane.arg;

		assert_int_equal(p->audit[side].side, side);
		assert_ptr_equal(l, p->lane[side].arg);
		assert_true(l->bench == b && l->lane == side && l->deadline_ns == &late);
	}
	job_release(&job);
}

static void
test_pipeline_audits_that_an_earlier_job_left_are_over(void **state)
{
	struct pipeline	*p = &chain.pipeline;
	struct job	 job;

	(void)state;
	build(&job, recorded[3].job);
	for (unsigned side = 0; side < PAIRS_SIDES; side++) {
		struct audit	*a = &p->audit[side].audit;

		p->audit[side].on = true;
		a->rounds = a->room = 1;
		assert_non_null(a->round = calloc(1, sizeof *a->round));
	}
	chain_build(&chain, &job, chain_end(end_run, &variant), chain_end(end_run, &against));
	for (unsigned side = 0; side < PAIRS_SIDES; side++) {
		assert_false(p->audit[side].on);
		assert_int_equal(p->audit[side].audit.rounds, 0);
		assert_null(p->audit[side].audit.round);
	}
	job_release(&job);
}

/* ---- recording ---- */

static enum status
variant_of_numbers(void *arg, const struct runner_run *run, struct bench_reply *a)
{
	struct fake_clock	*clock = arg;

	memset(a, 0, sizeof *a);
	for (a->samples = 0; a->samples < run->samples; a->samples++)
		a->sample[a->samples] = (struct runner_sample){ .ticks = 300 + run->calls * 170 +
		    clock->now_ns % 13, .canary_before = 8000, .canary_after = 8010 };
	clock->now_ns += a->took_ns = 4000 * run->samples;
	a->pinned = true;
	return a->status = ST_OK;
}

static void
put_expected(FILE *to, const struct take *k)
{
	fprintf(to, "expect calls %" PRIu64 "\nexpect samples %zu\nexpect taken %u\n",
	    plan.run.calls, k->samples, k->taken);
	fprintf(to, "expect ended_by %s\nexpect least_ns %.6f\n", k->ended_by, least_ns(k));
}

static void
test_pipeline_what_a_recorder_notes_replays_the_same(void **state)
{
	struct fake_clock	clock = { 1000 };
	const struct take_clock	time = fake_take_clock(&clock);
	struct recorder		recorder = { .next = { variant_of_numbers, &clock } };
	struct take		k = { .sample = NULL };
	struct take_setting	with;
	struct recording	r;
	struct job		job;
	char			path[] = "/tmp/assay-recording-XXXXXX";

	(void)state;
	recorder.to = fdopen(mkstemp(path), "w");
	assert_non_null(recorder.to);
	fprintf(recorder.to, "job %s\ntick 1e9 10 26\n", recorded[0].job);
	support_job(&job, recorded[0].job);
	make_plan(&job);
	tick = (struct tick){ .clock = CLK_CYCLE, .hz = 1e9, .resolution_ns = 10 };
	gate = (struct gate){ .resolution_ticks = 26 };
	chain_build(&chain, &job, chain_end(recorder_run, &recorder), chain_end(NULL, NULL));
	with = chain_setting(&chain, &job, &plan, &time, &tick, &gate);
	assert_int_equal(take_samples(&k, &plan, &with, &reply), ST_OK);
	put_expected(recorder.to, &k);
	fclose(recorder.to);
	take_release(&k);
	job_release(&job);

	recording_open(&r, path);
	replay(&r, &k);
	assert_as_recorded(&r, &k);
	assert_true(r.orders > 5);
	take_release(&k);
	recording_close(&r);
	unlink(path);
}

/* ---- for real, with ASSAY_RECORD ---- */

#define LATE_NS	(UINT64_MAX / 2)

static void
load(struct bench *b, unsigned lane, const char *cache, const struct hash *object)
{
	char	path[4096];

	assert_true(artifact_path(cache, object, path, sizeof path));
	assert_int_equal(bench_load(b, lane, path, LATE_NS, &reply), ST_OK);
}

/* The orders come last, in a file of their own until what is before them is known. */
static void
put_orders(FILE *to, FILE *orders)
{
	int	c;

	rewind(orders);
	while ((c = fgetc(orders)) != EOF)
		fputc(c, to);
	fclose(orders);
	assert_int_equal(fclose(to), 0);
}

static void
take_for_real(struct bench *b, const struct job *job, FILE *to, const char *text)
{
	struct bench_lane	lane[PAIRS_SIDES];
	struct recorder		recorder[PAIRS_SIDES];
	FILE			*orders = tmpfile();
	struct take		k = { .sample = NULL };
	struct take_setting	with;
	struct looks_end	end;
	static const uint64_t	late = LATE_NS;

	assert_non_null(orders);
	for (unsigned side = 0; side < PAIRS_SIDES; side++) {
		lane[side] = (struct bench_lane){ b, side, &late };
		recorder[side] = (struct recorder){ bench_lane_link(&lane[side]), orders, side };
	}
	tick = tick_measure(CLK_CYCLE);
	gate = (struct gate){ .resolution_ticks = tick.resolution_ns * tick.hz / 1e9 };
	chain_build(&chain, job, chain_end(recorder_run, &recorder[0]),
	    chain_end(recorder_run, &recorder[1]));
	pairs_begin(&chain.pipeline.pairs, 1);
	with = chain_setting(&chain, job, &plan, &take_clock_real, &tick, &gate);
	assert_int_equal(take_samples(&k, &plan, &with, &reply), ST_OK);
	fprintf(to, "job %s\n", text);
	put_expected(to, &k);
	if (job->against.source != NULL && looks_end(&chain.looks, &k, &end) == ST_OK)
		fprintf(to, "expect verdict %s\nexpect ratio %.9f\nseed 1\n",
		    verdict_name(end.found.verdict), end.found.ratio);
	fprintf(to, "tick %.9g %.9g %.9g\n", tick.hz, tick.resolution_ns, gate.resolution_ticks);
	put_orders(to, orders);
	take_release(&k);
}

static void
record(struct workshop *t, const char *directory, const char *name, const char *text)
{
	char			path[512], driver[4096], *words, *built;
	struct bench_config	config = { .slot = &slot, .driver_path = driver,
	    .output_bytes = 4096, .memory_bytes = (uint64_t)4 << 30,
	    .setup_limit_ns = 600000000000u };
	struct runner_sets	 far;
	struct bench		*b;
	struct fault		 why;
	struct job		 job;

	support_job(&job, text);
	assert_int_equal(builder_build(t->builder, &job, &t->artifacts, &words, &built), ST_OK);
	free(built);
	make_plan(&job);
	assert_true(artifact_path(t->cache, &t->artifacts.driver, driver, sizeof driver));
	slot.scratch_dir = t->scratch;
	if (plan.run.pollute == RUNNER_POLLUTE_ALL)
		config.tables_bytes = sizes_of_tables(&slot);
	if (bench_new(&b, &config, &why) != ST_OK)
		fail_msg("%s", why.text);
	far = plan_far(&plan);
	assert_int_equal(bench_area(b, plan_flush_area(&plan), &far, 600000000000u, &why),
	    ST_OK);
	load(b, PAIRS_VARIANT, t->cache, &t->artifacts.variant);
	if (job.against.source != NULL)
		load(b, PAIRS_AGAINST, t->cache, &t->artifacts.against);
	snprintf(path, sizeof path, "%s/%s", directory, name);
	take_for_real(b, &job, fopen(path, "w"), text);
	bench_free(b);
	job_release(&job);
}

static void
record_all(void **state)
{
	struct workshop	t;

	(void)state;
	timing_open(&t);
	for (size_t i = 0; i < sizeof recorded / sizeof recorded[0]; i++)
		record(&t, getenv("ASSAY_RECORD"), recorded[i].name, recorded[i].job);
	timing_close(&t);
}

int
main(void)
{
	const struct CMUnitTest	real[] = { cmocka_unit_test(record_all) }, tests[] = {
		cmocka_unit_test(test_pipeline_a_recorded_job_comes_to_the_time_that_it_came_to),
		cmocka_unit_test(
		    test_pipeline_a_recorded_job_of_differences_is_replayed_in_two_lengths),
		cmocka_unit_test(test_pipeline_a_recorded_cold_job_is_replayed_with_its_proof),
		cmocka_unit_test(test_pipeline_a_recorded_comparison_comes_to_its_verdict),
		cmocka_unit_test(test_pipeline_a_single_job_gives_its_order_to_one_lane_as_it_is),
		cmocka_unit_test(
		    test_pipeline_doubling_gives_two_orders_a_sample_where_samples_are_kept),
		cmocka_unit_test(test_pipeline_pairs_give_each_lane_one_order_a_sample),
		cmocka_unit_test(
		    test_pipeline_what_a_lane_fails_with_comes_up_and_pairs_know_which_it_was),
		cmocka_unit_test(test_pipeline_each_side_has_audits_on_the_lane_of_its_orders),
		cmocka_unit_test(test_pipeline_audits_that_an_earlier_job_left_are_over),
		cmocka_unit_test(test_pipeline_what_a_recorder_notes_replays_the_same),
	};

	if (getenv("ASSAY_RECORD") != NULL)
		return cmocka_run_group_tests(real, NULL, NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
