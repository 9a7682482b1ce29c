/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/fake_lane.h"
#include "worker/take/take.h"
#include "worker/trust/job_audit.h"

/* The trust in a job's time, by audits on a lane of the test's own (fake_lane.h). */
#define CALL_NS	100000.0
/* The same in audits: what handing over may have saved is in it. */
#define AUDIT_NS	(CALL_NS + AUDIT_HEAD_START_NS)
#define SPEC(more)	"{" FAKE_ROUTINE FAKE_OPERANDS more "}"
#define WARM(more)	SPEC(", 'context': 'warm'" more)
#define VARIANT		"{'language': 'c', 'source': 'int x;'}"
#define COLD(more)	SPEC(", 'context': 'cold'" more)
#define COMPARISON(more) "{'variant': " VARIANT ", 'against': " VARIANT more ", 'spec': " \
	WARM("") "}"
#define VERIFIED	", 'timing': {'trust': 'verified', 'samples': 9}"
/* An input of a thousand numbers that are always the same. */
#define STALE(context, timing)	"{" \
	"'routine': 'double f(const double *s, const double *x, double *y)', 'args': {" \
	"'s': {'dims': [1000], 'init': 'index'}, 'x': {'dims': [10]}, " \
	"'y': {'dims': [10]}}, 'context': '" context "', " \
	"'check': {'reference': {'language': 'c', 'source': 'x'}}" timing "}"

static struct slot		slot = { .cpu = -1, .l1_bytes = 32 << 10, .l2_bytes = 1 << 20,
    .l3_bytes = 32 << 20, .line_bytes = 64 };
static struct job		job;
static struct plan		plan;
static struct fake_lane		fake;
static struct bench_audit	kept;
static struct audit_blanks	blanks;
static struct job_audit		j;
static struct take		k;
static struct take_sample	sample[15];
static struct fault		why;

static enum status
begin_job(const char *text)
{
	support_job(&job, text);
	assert_int_equal(plan_make(&plan, &job.spec, &slot, true, &why), ST_OK);
	(void)bench_audit_prepare(&kept, &job);
	j.lane = fake_lane_open(&fake, &kept.challenge);
	fake.call_ns = CALL_NS;
	return job_audit_begin(&j, &kept, &job, &blanks, &plan, &slot, &why);
}

static enum status
begin(const char *spec)
{
	char	text[4096];

	snprintf(text, sizeof text, "{'variant': " VARIANT ", 'spec': %s}", spec);
	return begin_job(text);
}

static int
end(void **state)
{
	(void)state;
	job_audit_end(&j);
	bench_audit_release(&kept);
	fake_lane_close(&fake);
	job_release(&job);
	j = (struct job_audit){ .trust = TRUST_CLAIMED };
	blanks = (struct audit_blanks){ .of = { { { 0 } } } };
	return 0;
}

/* Samples that all took this. */
static void
sampled(double ns, double against_ns)
{
	k = (struct take){ .sample = sample, .samples = sizeof sample / sizeof sample[0] };
	for (size_t i = 0; i < k.samples; i++)
		sample[i] = (struct take_sample){ .ns = ns, .against_ns = against_ns };
}

static enum status
judge(void)
{
	return job_audit_judge(&j, &k, &job, 0, 0, &why);
}

static enum status
replay(void)
{
	fake.routine = fake_honest;
	return job_audit_replay(&j, &j.lane, &job.spec, &why);
}

/* To the end of a job whose samples all took this. */
static enum trust
trust_in(double ns)
{
	sampled(ns, 0);
	assert_int_equal(judge(), ST_OK);
	assert_int_equal(replay(), ST_OK);
	return j.trust;
}

static void
assert_claimed_for(const char *words)
{
	assert_int_equal(j.trust, TRUST_CLAIMED);
	assert_non_null(j.why_claimed);
	if (strstr(j.why_claimed, words) == NULL)
		fail_msg("%s", j.why_claimed);
}

/* ---- jobs that are audited, or not ---- */

static void
test_job_audit_a_time_that_audits_confirm_is_audited_when_answers_are_right(void **state)
{
	(void)state;
	assert_int_equal(begin(WARM("")), ST_OK);
	assert_true(j.on);
	sampled(CALL_NS, 0);
	assert_int_equal(judge(), ST_OK);
	assert_int_equal(j.trust, TRUST_CLAIMED);
	assert_true(job_audit_needs_reference(&j));
	assert_int_equal(replay(), ST_OK);
	assert_int_equal(j.trust, TRUST_AUDITED);
	assert_null(j.why_claimed);
	assert_int_equal(j.audit.rounds, AUDIT_LOOK);	/* more were not needed */
}

static void
test_job_audit_noise_in_most_audits_does_not_cost_an_honest_time_its_trust(void **state)
{
	static const double	noise[] = { 1.4, 1.2, 2, 1.3, 3, 1.2, 1.1, 1, 1.5, 1.6, 1.2, 1.02 };

	(void)state;
	assert_int_equal(begin(WARM("")), ST_OK);
	memcpy(fake.times, noise, sizeof noise);
	assert_int_equal(trust_in(CALL_NS), TRUST_AUDITED);
}

static void
test_job_audit_a_time_six_percent_too_short_is_claimed_after_all_rounds(void **state)
{
	(void)state;
	assert_int_equal(begin(WARM("")), ST_OK);
	assert_int_equal(trust_in(CALL_NS / 1.06), TRUST_CLAIMED);
	assert_claimed_for("a call on fresh inputs takes 101.0 \xc2\xb5s, 1.07 times as long, in 48");
	assert_int_equal(j.audit.rounds, AUDIT_ROUNDS);
}

static void
test_job_audit_the_median_is_compared_and_the_least_where_it_ranks(void **state)
{
	static const struct { const char *timing; enum trust trust; } cases[] = {
		{ WARM(", 'timing': {'estimator': 'median'}"), TRUST_AUDITED },
		{ WARM(", 'timing': {'estimator': 'min'}"), TRUST_CLAIMED },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		if (i > 0)
			(void)end(NULL);
		assert_int_equal(begin(cases[i].timing), ST_OK);
		sampled(CALL_NS, 0);
		sample[7].ns = CALL_NS / 1.2;
		assert_int_equal(judge(), ST_OK);
		assert_int_equal(replay(), ST_OK);
		assert_int_equal(j.trust, cases[i].trust);
	}
}

static void
test_job_audit_the_normalised_time_is_compared_too(void **state)
{
	(void)state;
	assert_int_equal(begin(WARM(", 'timing': {'estimator': 'normalised'}")), ST_OK);
	sampled(CALL_NS, 0);
	for (size_t i = 0; i < k.samples; i++)
		sample[i].slowness = 1.2;	/* they say, so 1.2 times too short are reported */
	assert_int_equal(judge(), ST_OK);
	assert_int_equal(j.audit.rounds, AUDIT_ROUNDS);
	assert_claimed_for("by the supervisor's clock");
	assert_int_equal(job_audit_begin(&j, &kept, &job, &blanks, &plan, &slot, &why), ST_OK);
	fake.pace = 120;			/* audits saw the same slowness */
	assert_int_equal(job_audit_judge(&j, &k, &job, 100, 0, &why), ST_OK);
	assert_int_equal(replay(), ST_OK);
	assert_int_equal(j.trust, TRUST_AUDITED);
}

static void
test_job_audit_a_claim_has_the_reason_why_it_is_no_more(void **state)
{
	(void)state;
	assert_int_equal(begin(WARM("")), ST_OK);
	fake.visible_every = 3;
	assert_int_equal(trust_in(CALL_NS), TRUST_CLAIMED);
	assert_claimed_for("its process could not be stopped while inputs were drawn");
	(void)end(NULL);
	assert_int_equal(begin(WARM("")), ST_OK);
	fake.disturb_every = 1;
	assert_int_equal(trust_in(CALL_NS), TRUST_CLAIMED);
	assert_claimed_for("another process ran on a CPU of the timing in 48 of 48 audits");
	(void)end(NULL);
	assert_int_equal(begin(WARM("")), ST_OK);
	fake.call_ns = 20;
	assert_int_equal(trust_in(20), TRUST_CLAIMED);
	assert_claimed_for("calls are too short to be audited one by one");
	assert_int_equal(j.audit.rounds, 1);
}

static void
test_job_audit_rounds_end_with_time_for_the_rest_before_the_wall_limit(void **state)
{
	(void)state;
	assert_int_equal(begin(WARM("")), ST_OK);
	fake.left_ns = 0;
	assert_int_equal(trust_in(CALL_NS), TRUST_CLAIMED);
	assert_claimed_for("the wall limit left no time for audits");
	assert_int_equal(fake.challenges, 0);
	assert_int_equal(job_audit_begin(&j, &kept, &job, &blanks, &plan, &slot, &why), ST_OK);
	fake.left_ns = (uint64_t)(4 * CALL_NS) + 1;	/* for one, which takes longer */
	assert_int_equal(trust_in(CALL_NS), TRUST_CLAIMED);
	assert_int_equal(j.audit.rounds, 1);
}

static void
test_job_audit_rounds_that_take_long_end_at_a_look_unless_the_spec_insists(void **state)
{
	static const struct { const char *timing; unsigned rounds; } cases[] = {
		{ WARM(""), 4 * AUDIT_LOOK },
		{ WARM(", 'timing': {'trust': 'audited'}"), AUDIT_ROUNDS },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		if (i > 0)
			(void)end(NULL);
		assert_int_equal(begin(cases[i].timing), ST_OK);
		fake.call_ns = 1000000;
		assert_int_equal(trust_in(fake.call_ns / 1.1), TRUST_CLAIMED);
		assert_claimed_for("1.1 times as long");
		assert_int_equal(j.audit.rounds, cases[i].rounds);
		assert_int_equal(job_audit_begin(&j, &kept, &job, &blanks, &plan, &slot, &why),
		    ST_OK);
		sampled(fake.call_ns / 40, 0);	/* a contradiction has as many as it takes */
		assert_int_equal(judge(), ST_SUSPECT);
	}
}

static void
test_job_audit_two_long_rounds_are_enough(void **state)
{
	(void)state;
	assert_int_equal(begin(WARM("")), ST_OK);
	fake.call_ns = 2.0 * AUDIT_LONG_NS;
	assert_int_equal(job_audit_learn(&j, fake.call_ns), ST_OK);
	assert_int_equal(j.audit.rounds, 2);
	assert_int_equal(job_audit_begin(&j, &kept, &job, &blanks, &plan, &slot, &why), ST_OK);
	assert_int_equal(trust_in(fake.call_ns), TRUST_AUDITED);
	assert_int_equal(j.audit.rounds, 2);
}

static void
test_job_audit_a_time_that_nothing_honest_explains_is_suspect_and_less_is_claimed(void **state)
{
	(void)state;
	assert_int_equal(begin(WARM("")), ST_OK);
	assert_int_equal(trust_in(CALL_NS / 4), TRUST_CLAIMED);
	assert_claimed_for("4.04 times as long");
	assert_int_equal(j.audit.rounds, 2 * AUDIT_LOOK);
	assert_int_equal(job_audit_begin(&j, &kept, &job, &blanks, &plan, &slot, &why), ST_OK);
	sampled(CALL_NS / 40, 0);
	assert_int_equal(judge(), ST_SUSPECT);
	assert_int_equal(j.trust, TRUST_SUSPECT);
	assert_non_null(strstr(why.text, "in 48 audits"));
}

static void
test_job_audit_what_fresh_inputs_cost_the_reference_is_learnt_with_its_answers(void **state)
{
	(void)state;
	assert_int_equal(begin(WARM("")), ST_OK);
	assert_int_equal(job_audit_learn(&j, CALL_NS / 3), ST_OK);
	assert_true(kept.call_ns == CALL_NS / 3 && kept.fresh_ns > CALL_NS &&
	    kept.fresh_ns < 1.02 * CALL_NS);
	assert_true(kept.stock.n > 0);
	assert_int_equal(job_audit_begin(&j, &kept, &job, &blanks, &plan, &slot, &why), ST_OK);
	sampled(CALL_NS / 40, 0);		/* below 32, and three times as much */
	assert_int_equal(judge(), ST_OK);
	assert_claimed_for("calls are too short to be audited one by one");
}

static void
test_job_audit_a_stock_of_answers_makes_the_reference_needless(void **state)
{
	(void)state;
	assert_int_equal(begin(WARM("")), ST_OK);
	assert_int_equal(job_audit_learn(&j, CALL_NS), ST_OK);
	assert_int_equal(job_audit_begin(&j, &kept, &job, &blanks, &plan, &slot, &why), ST_OK);
	sampled(CALL_NS, 0);
	assert_int_equal(judge(), ST_OK);
	assert_false(job_audit_needs_reference(&j));
	fake.challenges = 0;
	assert_int_equal(replay(), ST_OK);
	assert_int_equal(fake.challenges, 0);
	assert_int_equal(j.trust, TRUST_AUDITED);
}

/* ---- answers ---- */

static void
test_job_audit_an_answer_that_is_wrong_on_fresh_inputs_is_a_wrong_answer(void **state)
{
	(void)state;
	assert_int_equal(begin(WARM("")), ST_OK);
	fake.routine = fake_half;
	sampled(CALL_NS, 0);
	assert_int_equal(judge(), ST_OK);
	assert_int_equal(replay(), ST_WRONG_ANSWER);
	assert_non_null(strstr(why.text, "wrong for 3 of 3 fresh ones: z[150]"));
	assert_int_equal(j.trust, TRUST_CLAIMED);
}

static unsigned	rough;		/* so many calls from now on round otherwise than the reference */

static double
rounds_otherwise(const double *x, double *y, double *z)
{
	return fake_honest(x, y, z) * (rough > 0 && rough-- ? 1 + 1e-8 : 1);
}

static void
test_job_audit_few_answers_that_are_near_leave_a_claim_and_most_are_wrong(void **state)
{
	(void)state;
	assert_int_equal(begin(WARM("")), ST_OK);
	fake.routine = rounds_otherwise;
	rough = 1 + 1;				/* the first is in no round */
	assert_int_equal(trust_in(CALL_NS), TRUST_CLAIMED);
	assert_claimed_for("not all audits were answered right");
	assert_int_equal(job_audit_begin(&j, &kept, &job, &blanks, &plan, &slot, &why), ST_OK);
	fake.routine = rounds_otherwise;
	rough = 1 + 2;				/* of 3 */
	assert_int_equal(judge(), ST_OK);
	assert_int_equal(replay(), ST_WRONG_ANSWER);
	rough = 0;
}

static void
test_job_audit_outputs_that_came_after_the_reply_leave_a_claim(void **state)
{
	(void)state;
	assert_int_equal(begin(WARM("")), ST_OK);
	fake.early = true;
	assert_int_equal(trust_in(CALL_NS), TRUST_CLAIMED);
	assert_claimed_for("not all audits were answered right");
}

static void
test_job_audit_a_reference_that_fails_on_the_variants_inputs_is_our_fault(void **state)
{
	(void)state;
	assert_int_equal(begin(WARM("")), ST_OK);
	sampled(CALL_NS, 0);
	assert_int_equal(judge(), ST_OK);
	fake.fail = ST_CRASHED;
	assert_int_equal(replay(), ST_INTERNAL);
	assert_non_null(strstr(why.text, "the reference failed on inputs"));
}

static void
test_job_audit_a_variant_that_fails_in_an_audit_fails_with_that(void **state)
{
	(void)state;
	assert_int_equal(begin(WARM("")), ST_OK);
	sampled(CALL_NS, 0);
	fake.fail = ST_CRASHED;
	assert_int_equal(judge(), ST_CRASHED);
}

/* ---- jobs without audits ---- */

static void
test_job_audit_an_input_that_is_always_the_same_leaves_a_claim_but_answers_count(void **state)
{
	(void)state;
	assert_int_equal(begin(STALE("warm", "")), ST_OK);
	assert_true(j.on);
	assert_claimed_for("\"s\" has the same contents in every call");
	(void)end(NULL);
	assert_int_equal(begin(STALE("warm", ", 'timing': {'trust': 'audited'}")), ST_BAD_SPEC);
	assert_string_equal(why.member, "spec.timing.trust");
	(void)end(NULL);
	assert_int_equal(begin(STALE("cold", VERIFIED)), ST_BAD_SPEC);
}

static void
test_job_audit_a_job_that_is_not_audited_has_the_reason(void **state)
{
	static const char *const	jobs[][2] = {
		{ WARM(", 'timing': {'trust': 'claimed'}"), "no more was asked for" },
		{ WARM(", 'timing': {'layout': 'random'}"), "processes of many layouts" },
		{ "{'routine': 'double f(const double *x)', 'args': {'x': {'dims': [10]}}}",
		    "there is no reference" },
		{ "{'routine': 'int f(const int *x)', 'args': {'x': {'dims': [10], "
		    "'init': 'index'}}, 'check': {'reference': {'language': 'c', 'source': 'x'}}}",
		    "no input is random" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
		if (i > 0)
			(void)end(NULL);
		assert_int_equal(begin(jobs[i][0]), ST_OK);
		assert_false(j.on);
		assert_int_equal(trust_in(0.01), TRUST_CLAIMED);
		assert_claimed_for(jobs[i][1]);
		assert_int_equal(job_audit_learn(&j, CALL_NS), ST_OK);
		assert_false(job_audit_needs_reference(&j));
		assert_int_equal(fake.challenges + fake.blanks, 0);
		assert_false(job_audit_report(&j, &(struct audits_report){ 0 }));
	}
}

static void
test_job_audit_operands_that_audits_cannot_place_leave_a_claim(void **state)
{
	(void)state;
	assert_int_equal(begin("{'routine': 'double f(const double *x)', 'args': {'x': {"
	    "'dims': [10], 'cache': 'L2'}}, "
	    "'check': {'reference': {'language': 'c', 'source': 'x'}}}"), ST_OK);
	assert_true(j.on);
	assert_claimed_for("audits cannot place an operand in an outer cache");
}

static void
test_job_audit_X9_cold_code_leaves_a_claim(void **state)
{
	(void)state;
	assert_int_equal(begin(WARM(", 'code': 'cold'")), ST_OK);
	assert_true(j.on);
	assert_claimed_for("audits find the routine's code in a cache");
}

static void
test_job_audit_a_comparison_with_threads_is_not_audited_and_one_without_is(void **state)
{
	(void)state;
	assert_int_equal(begin_job(COMPARISON(", 'threads': 2")), ST_OK);
	assert_false(j.on);
	assert_claimed_for("a thread of one could forge");
	(void)end(NULL);
	assert_int_equal(begin_job(COMPARISON("")), ST_OK);
	assert_true(j.on);
}

static void
test_job_audit_a_time_beyond_any_machine_is_suspect_even_without_audits(void **state)
{
	(void)state;
	assert_int_equal(begin(WARM(", 'flops': '600', 'timing': {'trust': 'claimed'}")), ST_OK);
	sampled(0.01, 0);
	assert_int_equal(judge(), ST_SUSPECT);
	assert_non_null(strstr(why.text, "faster than any machine"));
	assert_int_equal(j.trust, TRUST_SUSPECT);
}

/* ---- both sides of a comparison ---- */

static void
test_job_audit_each_side_of_a_comparison_is_compared_with_its_own_samples(void **state)
{
	static const struct { enum pairs_side side; double ns, against_ns; enum trust trust; }
	    cases[] = {
		{ PAIRS_VARIANT, CALL_NS, CALL_NS / 2, TRUST_AUDITED },
		{ PAIRS_VARIANT, CALL_NS / 2, CALL_NS, TRUST_CLAIMED },
		{ PAIRS_AGAINST, CALL_NS, CALL_NS / 2, TRUST_CLAIMED },
		{ PAIRS_AGAINST, CALL_NS / 2, CALL_NS, TRUST_AUDITED },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		if (i > 0)
			(void)end(NULL);
		assert_int_equal(begin_job(COMPARISON("")), ST_OK);
		j.side = cases[i].side;
		sampled(cases[i].ns, cases[i].against_ns);
		assert_int_equal(judge(), ST_OK);
		assert_int_equal(replay(), ST_OK);
		assert_int_equal(j.trust, cases[i].trust);
	}
	j.side = PAIRS_VARIANT;
}

static void
test_job_audit_sides_of_a_comparison_are_ranked_by_their_medians_alone(void **state)
{
	(void)state;
	assert_int_equal(begin_job(COMPARISON("")), ST_OK);
	sampled(CALL_NS, CALL_NS);
	sample[3].ns = CALL_NS / 2;
	for (size_t i = 0; i < k.samples; i++)
		sample[i].slowness = 1.3;
	assert_int_equal(judge(), ST_OK);
	assert_int_equal(replay(), ST_OK);
	assert_int_equal(j.trust, TRUST_AUDITED);
}

static void
test_job_audit_a_comparison_is_trusted_as_the_weaker_of_its_sides(void **state)
{
	static const enum trust	sides[][3] = {	/* the third: of both */
		{ TRUST_AUDITED, TRUST_CLAIMED, TRUST_CLAIMED },
		{ TRUST_CLAIMED, TRUST_AUDITED, TRUST_CLAIMED },
		{ TRUST_AUDITED, TRUST_AUDITED, TRUST_AUDITED },
		{ TRUST_SUSPECT, TRUST_AUDITED, TRUST_SUSPECT },
		{ TRUST_CLAIMED, TRUST_SUSPECT, TRUST_SUSPECT },
	};

	(void)state;
	assert_int_equal(begin(WARM("")), ST_OK);
	for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
		struct job_audit	two[2] = { { .trust = sides[i][0] },
		    { .trust = sides[i][1] } };

		assert_int_equal(job_audit_weakest(two, 2)->trust, sides[i][2]);
		assert_int_equal(job_audit_weakest(two, 1)->trust, sides[i][0]);
	}
}

/* ---- audits that are the samples ---- */

static enum trust
verified(void)
{
	assert_int_equal(judge(), ST_OK);
	assert_int_equal(replay(), ST_OK);
	return j.trust;
}

static void
test_job_audit_verified_samples_are_good_rounds_by_the_supervisors_clock(void **state)
{
	(void)state;
	assert_int_equal(begin(COLD(VERIFIED)), ST_OK);
	fake.disturb_every = 3;
	fake.times[0] = fake.times[1] = 1;	/* of the challenges 2, 3, … */
	fake.times[2] = 7;
	assert_int_equal(job_audit_take(&j, &k, &plan), ST_OK);
	assert_int_equal(plan.run.calls, 1);
	assert_int_equal(k.samples, 9);
	assert_int_equal(k.clean, 9);
	assert_true(k.disturbed > 0 && k.disturbed == k.taken - 9 && k.kept_unfit == 0);
	for (size_t i = 0; i < k.samples; i++)
		assert_true(!k.sample[i].disturbed && k.sample[i].ns > 0);
	assert_false(k.within_noise || take_is_noisy(&k));
	assert_int_equal(k.subtracted_ticks, 600);
	assert_int_equal(verified(), TRUST_VERIFIED);
	take_release(&k);
}

static void
test_job_audit_disturbed_rounds_are_taken_again_within_limits_and_then_kept(void **state)
{
	(void)state;
	assert_int_equal(begin(COLD(VERIFIED)), ST_OK);
	fake.disturb_every = 1;
	assert_int_equal(job_audit_take(&j, &k, &plan), ST_OK);
	assert_int_equal(k.taken, 9 * TAKE_TIMES + TAKE_EXTRA);
	assert_int_equal(k.samples, 9);
	assert_int_equal(k.clean, 0);
	assert_int_equal(k.kept_unfit, 9);
	assert_true(take_is_noisy(&k));
	assert_int_equal(verified(), TRUST_CLAIMED);
	assert_claimed_for("another process ran on a CPU");
	take_release(&k);
}

static void
test_job_audit_verified_calls_that_are_too_short_or_visible_are_claimed(void **state)
{
	(void)state;
	assert_int_equal(begin(COLD(VERIFIED)), ST_OK);
	fake.call_ns = 20;
	assert_int_equal(job_audit_take(&j, &k, &plan), ST_OK);
	assert_true(k.within_noise);
	assert_int_equal(verified(), TRUST_CLAIMED);
	assert_claimed_for("calls are too short to be audited one by one");
	take_release(&k);
	(void)end(NULL);
	assert_int_equal(begin(COLD(VERIFIED)), ST_OK);
	fake.visible_every = 7;
	assert_int_equal(job_audit_take(&j, &k, &plan), ST_OK);
	assert_int_equal(verified(), TRUST_CLAIMED);
	assert_claimed_for("could not be stopped");
	take_release(&k);
}

static void
test_job_audit_verified_samples_with_wrong_answers_are_a_wrong_answer(void **state)
{
	(void)state;
	assert_int_equal(begin(COLD(VERIFIED)), ST_OK);
	fake.routine = fake_half;
	assert_int_equal(job_audit_take(&j, &k, &plan), ST_OK);
	assert_int_equal(judge(), ST_OK);
	assert_int_equal(replay(), ST_WRONG_ANSWER);
	take_release(&k);
}

/* ---- contexts and the report ---- */

static void
test_job_audit_rounds_fit_into_cache_where_samples_are_warm(void **state)
{
	(void)state;
	assert_int_equal(begin(WARM("")), ST_OK);
	assert_int_equal(j.with.cached_bytes, slot.l2_bytes / 4 * 3);
	(void)end(NULL);
	slot.l2_bytes = 0;			/* not known */
	assert_int_equal(begin(WARM("")), ST_OK);
	assert_int_equal(j.with.cached_bytes, CHALLENGE_AREA_BYTES);
	(void)end(NULL);
	slot.l2_bytes = 1 << 20;
	assert_int_equal(begin(COLD("")), ST_OK);
	assert_int_equal(j.with.cached_bytes, JOB_AUDIT_COLD_BYTES);
	assert_int_equal(j.with.pollutes, plan.run.pollute);
	(void)end(NULL);
	assert_int_equal(begin(COLD(VERIFIED)), ST_OK);
	assert_int_equal(j.with.cached_bytes, JOB_AUDIT_COLD_BYTES);
}

static void
test_job_audit_operands_are_as_cold_as_in_samples(void **state)
{
	(void)state;
	assert_int_equal(begin(WARM("")), ST_OK);
	assert_int_equal(j.with.flush, 0);
	(void)end(NULL);
	assert_int_equal(begin(COLD("")), ST_OK);
	assert_int_equal(j.with.flush, 7);
	(void)end(NULL);
	assert_int_equal(begin("{'routine': 'double f(const double *x, const double *y)', 'args': {"
	    "'x': {'dims': [10], 'cache': 'warm'}, 'y': {'dims': [10]}}, 'context': 'cold', "
	    "'check': {'reference': {'language': 'c', 'source': 'x'}}}"), ST_OK);
	assert_int_equal(j.with.flush, 2);
}

static void
test_job_audit_the_report_has_the_rounds_and_their_times_per_call(void **state)
{
	struct audits_report	r;

	(void)state;
	assert_int_equal(begin(WARM("")), ST_OK);
	fake.times[0] = 1;
	fake.times[1] = 1.04;
	fake.times[2] = 1.5;
	assert_int_equal(trust_in(CALL_NS), TRUST_AUDITED);
	assert_true(job_audit_report(&j, &r));
	assert_int_equal(r.rounds, AUDIT_LOOK);
	assert_int_equal(r.calls, 1);
	assert_int_equal(r.wrong + r.near + r.early + r.disturbed, 0);
	assert_true(r.least_ns == AUDIT_NS && r.median_ns == AUDIT_NS + 0.04 * CALL_NS);
	assert_true(r.handoff_ns == 600);
}

#define TEST(name)	cmocka_unit_test_teardown(test_job_audit_##name, end)

int
main(void)
{
	const struct CMUnitTest	tests[] = {
		TEST(a_time_that_audits_confirm_is_audited_when_answers_are_right),
		TEST(noise_in_most_audits_does_not_cost_an_honest_time_its_trust),
		TEST(a_time_six_percent_too_short_is_claimed_after_all_rounds),
		TEST(the_median_is_compared_and_the_least_where_it_ranks),
		TEST(the_normalised_time_is_compared_too),
		TEST(a_claim_has_the_reason_why_it_is_no_more),
		TEST(rounds_end_with_time_for_the_rest_before_the_wall_limit),
		TEST(rounds_that_take_long_end_at_a_look_unless_the_spec_insists),
		TEST(two_long_rounds_are_enough),
		TEST(a_time_that_nothing_honest_explains_is_suspect_and_less_is_claimed),
		TEST(what_fresh_inputs_cost_the_reference_is_learnt_with_its_answers),
		TEST(a_stock_of_answers_makes_the_reference_needless),
		TEST(an_answer_that_is_wrong_on_fresh_inputs_is_a_wrong_answer),
		TEST(few_answers_that_are_near_leave_a_claim_and_most_are_wrong),
		TEST(outputs_that_came_after_the_reply_leave_a_claim),
		TEST(a_reference_that_fails_on_the_variants_inputs_is_our_fault),
		TEST(a_variant_that_fails_in_an_audit_fails_with_that),
		TEST(an_input_that_is_always_the_same_leaves_a_claim_but_answers_count),
		TEST(a_job_that_is_not_audited_has_the_reason),
		TEST(operands_that_audits_cannot_place_leave_a_claim),
		TEST(X9_cold_code_leaves_a_claim),
		TEST(a_comparison_with_threads_is_not_audited_and_one_without_is),
		TEST(a_time_beyond_any_machine_is_suspect_even_without_audits),
		TEST(each_side_of_a_comparison_is_compared_with_its_own_samples),
		TEST(sides_of_a_comparison_are_ranked_by_their_medians_alone),
		TEST(a_comparison_is_trusted_as_the_weaker_of_its_sides),
		TEST(verified_samples_are_good_rounds_by_the_supervisors_clock),
		TEST(disturbed_rounds_are_taken_again_within_limits_and_then_kept),
		TEST(verified_calls_that_are_too_short_or_visible_are_claimed),
		TEST(verified_samples_with_wrong_answers_are_a_wrong_answer),
		TEST(rounds_fit_into_cache_where_samples_are_warm),
		TEST(operands_are_as_cold_as_in_samples),
		TEST(the_report_has_the_rounds_and_their_times_per_call),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
