/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/rank.h"
#include "worker/check/answer.h"
#include "worker/take/take.h"
#include "worker/trust/job_audit.h"

#define NEAR_TIMES	1000.0		/* the tolerance: an answer within is near */
#define LEARN_NS	4000000u	/* for more than two rounds of the reference */
#define CONFIRM_NS	16000000u	/* for rounds that would confirm a time */
enum { LEARN_ROUNDS = 4, ROUNDS_LEFT = 4 };

static enum status
one_round(struct job_audit *j)
{
	return audit_round(&j->audit, &j->lane, &j->reply);
}

/* ---- beginning and end ---- */

/* The scribe brings operands into the inner caches, or flushes them. */
static const char *
why_not_placed(const struct plan *plan, size_t operands)
{
	for (size_t k = 0; k < operands; k++)
		if (plan->run.place[k] == RUNNER_IN_L2 || plan->run.place[k] == RUNNER_IN_L3)
			return "audits cannot place an operand in an outer cache";
	return plan_has_cold_code(plan) ? "audits find the routine's code in a cache" : NULL;
}

/* NULL: it is audited. */
static const char *
why_only_claimed(const struct bench_audit *b, const struct job *job, const struct plan *plan)
{
	const char	*why = bench_audit_unwanted(job);

	if (why == NULL && !b->can)
		why = b->cannot;
	if (why == NULL && b->stale[0] != '\0')
		why = b->stale;
	return why == NULL ? why_not_placed(plan, b->challenge.operands) : why;
}

static uint64_t
cold_operands(const struct plan *plan, size_t operands)
{
	uint64_t	cold = 0;

	for (size_t k = 0; k < operands; k++)
		cold |= (uint64_t)(plan_is_challenge(plan) ||
		    plan->run.place[k] == RUNNER_COLD) << k;
	return plan_flushes(plan) ? cold : 0;
}

static enum status
claim_only(const struct job_audit *j, struct fault *why)
{
	if (!j->insists)
		return ST_OK;
	return fault_at(why, ST_BAD_SPEC, "spec.timing.trust", "cannot be had: %s", j->why_claimed);
}

/*
 * Three quarters of the second cache are for the operands of a round where samples are warm.  Cold
 * ones would have room for more, but drawing them takes longer than the calls.
 */
static uint64_t
cached_bytes(const struct plan *plan, const struct slot *slot)
{
	if (plan_flushes(plan))
		return JOB_AUDIT_COLD_BYTES;
	return slot->l2_bytes != 0 ? slot->l2_bytes / 4 * 3 : CHALLENGE_AREA_BYTES;
}

enum status
job_audit_begin(struct job_audit *j, struct bench_audit *b, const struct job *job,
    struct audit_blanks *blanks, const struct plan *plan, const struct slot *slot,
    struct fault *why)
{
	job_audit_end(j);
	j->of_bench = b;
	j->trust = TRUST_CLAIMED;
	j->verifies = plan_is_challenge(plan);
	j->insists = j->verifies || job->spec.timing.trust == TRUST_ASKED_AUDITED;
	j->why_claimed = why_only_claimed(b, job, plan);
	j->with = (struct audit_setting){ .challenge = &b->challenge, .stock = &b->stock,
	    .blanks = blanks, .cached_bytes = cached_bytes(plan, slot),
	    .flush = cold_operands(plan, b->challenge.operands), .pollutes = plan->run.pollute,
	    .output_bytes = answer_output_bytes(&job->spec) };
	j->on = b->can && bench_audit_unwanted(job) == NULL;
	return j->why_claimed != NULL ? claim_only(j, why) : ST_OK;
}

static enum status
begin_rounds(struct job_audit *j, double call_ns, unsigned room)
{
	struct fault	why;

	audit_release(&j->audit);
	j->with.call_ns = call_ns;
	j->with.room = room;
	j->began_left_ns = j->lane.left_ns(j->lane.arg);
	return audit_begin(&j->audit, &j->with, &why) == ST_OK ? ST_OK :
	    (j->reply.status = ST_INTERNAL);
}

void
job_audit_end(struct job_audit *j)
{
	audit_release(&j->audit);
	j->audit = (struct audit){ .calls = 0 };
	j->on = false;
}

/* For another round, with its preparation and the end of the job behind it. */
static bool
has_time(const struct job_audit *j)
{
	const struct audit	*a = &j->audit;
	uint64_t		 last_ns = a->rounds > 0 ? a->round[a->rounds - 1].time.took_ns :
				    (uint64_t)a->with.call_ns * a->calls;

	return a->rounds < a->room && j->lane.left_ns(j->lane.arg) > ROUNDS_LEFT * last_ns;
}

static uint64_t
spent_ns(const struct job_audit *j)
{
	return j->began_left_ns - j->lane.left_ns(j->lane.arg);
}

/* Long rounds say enough in pairs; and two have to do where inputs take long to draw. */
static bool
is_enough(const struct job_audit *j)
{
	const struct audit	*a = &j->audit;

	return a->rounds >= 2 && (a->round[a->rounds - 1].time.took_ns > AUDIT_LONG_NS ||
	    spent_ns(j) > LEARN_NS);
}

static enum status
some_rounds(struct job_audit *j, double call_ns, unsigned n)
{
	enum status	st = begin_rounds(j, call_ns, n);

	while (st == ST_OK && has_time(j) && !is_enough(j))
		st = one_round(j);
	return st;
}

enum status
job_audit_learn(struct job_audit *j, double call_ns)
{
	enum status	st;

	if (!j->on)
		return ST_OK;
	if ((st = some_rounds(j, call_ns, LEARN_ROUNDS)) != ST_OK)
		return st;
	j->of_bench->call_ns = call_ns;
	j->of_bench->fresh_ns = audit_median_ns(&j->audit);
	return audit_restock(&j->audit, &j->lane, &j->reply);
}

/* ---- audits that are the samples ---- */

static void
put_sample(const struct audit_round *r, struct take *k)
{
	struct take_sample	*s = &k->sample[k->samples++];

	s->raw.ticks = r->time.took_ns;
	s->ns = r->ns;
	s->disturbed = !audit_is_good(r);
	k->within_noise |= r->ns < AUDIT_FIRM_NS;
}

/* The good rounds; with too few of them the others, too, as many as were wanted. */
static void
put_samples(const struct audit *a, struct take *k)
{
	const unsigned	good = audit_good_rounds(a);
	unsigned	others = good < k->wanted ? k->wanted - good : 0;

	for (unsigned i = 0; i < a->rounds && k->samples < k->wanted; i++) {
		const bool	is_good = audit_is_good(&a->round[i]);

		if (!is_good && others == 0)
			continue;
		others -= !is_good;
		put_sample(&a->round[i], k);
	}
	k->taken = a->rounds;
	k->clean = good;
	k->rejected = k->disturbed = a->rounds - good;
	k->kept_unfit = k->samples > good ? (unsigned)k->samples - good : 0;
}

/*
 * Single calls until as many were good.  Disturbed ones are taken again, with limits as for other
 * samples.
 */
static enum status
good_rounds(struct job_audit *j, unsigned wanted)
{
	enum status	st = begin_rounds(j, AUDIT_FIRM_NS, wanted * TAKE_TIMES + TAKE_EXTRA);

	while (st == ST_OK && has_time(j) && audit_good_rounds(&j->audit) < wanted)
		st = one_round(j);
	return st;
}

enum status
job_audit_take(struct job_audit *j, struct take *k, const struct plan *plan)
{
	enum status	st;

	memset(k, 0, sizeof *k);
	k->wanted = plan->samples < AUDIT_MOST_ROUNDS ? plan->samples : AUDIT_MOST_ROUNDS;
	if ((k->sample = calloc(k->wanted, sizeof *k->sample)) == NULL)
		return j->reply.status = ST_INTERNAL;
	if ((st = good_rounds(j, k->wanted)) != ST_OK)
		return st;
	put_samples(&j->audit, k);
	k->overhead_ticks = k->subtracted_ticks = audit_blank_ns(&j->audit);
	k->ended_by = "samples";
	k->realtime = j->reply.realtime;
	k->pinned = j->reply.pinned;
	k->canary_off = k->memory_off = "off: the supervisor's clock is used";
	return ST_OK;
}

/* ---- is it to be believed? ---- */

static double
sample_ns(const struct job_audit *j, const struct take_sample *s)
{
	return j->side == PAIRS_AGAINST ? s->against_ns : s->ns;
}

/* The median of this side's samples; each divided by its slowness if `normalised`. */
static double
median_ns(const struct job_audit *j, const struct take *k, bool normalised, double *least)
{
	double	*ns = calloc(k->samples + 1, sizeof *ns), median = 0;

	*least = 0;
	for (size_t i = 0; ns != NULL && i < k->samples; i++)
		ns[i] = sample_ns(j, &k->sample[i]) / (normalised ? k->sample[i].slowness : 1);
	if (ns != NULL && k->samples > 0) {
		qsort(ns, k->samples, sizeof *ns, rank_ascending);
		median = rank_middle(ns, k->samples);
		*least = ns[0];
	}
	free(ns);
	return median;
}

/* As the daemon has it (daemon/judge/): were all taken in quiet, and is the clock of each known? */
static bool
is_normalised(const struct take *k)
{
	for (size_t i = 0; i < k->samples; i++)
		if (k->sample[i].slowness <= 0 || k->sample[i].loud)
			return false;
	return k->samples > 0 && k->canary_off == NULL;
}

static struct audit_claim
claim_of(const struct job_audit *j, const struct take *k, const struct job *job, uint32_t best_pace,
    double iterations)
{
	const struct bench_audit *b = j->of_bench;
	struct audit_claim	c = { .fresh_times = b->call_ns > 0 ? b->fresh_ns / b->call_ns : 0,
				    .flops = job->spec.flops_count, .bytes = job->spec.bytes_count,
				    .iterations = iterations > 0 ? iterations : 0,
				    .threads = job->threads, .best_pace = best_pace };
	enum estimator		 e = timing_estimator(&job->spec.timing, is_normalised(k));
	double			 least;

	c.median_ns = median_ns(j, k, false, &least);
	c.is_compared = job->against.source != NULL;
	if (c.is_compared)
		return c;
	if (e == EST_MIN)
		c.least_ns = least;
	if (e == EST_NORMALISED)
		c.normalised_ns = median_ns(j, k, true, &least);
	return c;
}

/* The next look is after twice as many rounds.  A contradiction has as many as it takes. */
static enum audit_opinion
look(const struct job_audit *j, const struct audit_claim *c)
{
	const enum audit_opinion	opinion = audit_opinion(&j->audit, c);

	if (opinion == AUDIT_OPEN && !j->insists && 2 * spent_ns(j) > CONFIRM_NS &&
	    !audit_is_beyond_learning(&j->audit, c))
		return AUDIT_HOPELESS;
	return opinion;
}

/* Until a look ends it, or there is no room or time for more. */
static enum status
confirm(struct job_audit *j, const struct audit_claim *c, bool *confirmed)
{
	enum audit_opinion	opinion = AUDIT_OPEN;
	enum status		st = begin_rounds(j, c->median_ns, AUDIT_ROUNDS);

	while (st == ST_OK && opinion == AUDIT_OPEN && has_time(j)) {
		st = one_round(j);
		if (st == ST_OK && audit_is_look(&j->audit))
			opinion = look(j, c);
	}
	audit_ask_shortest(&j->audit, AUDIT_ASKED);
	*confirmed = opinion == AUDIT_CONFIRMED;
	return st;
}

enum { DURATION_BYTES = 32 };

/* Four digits in a fitting unit, as the client and the pages have times. */
static const char *
put_duration(double ns, char buf[DURATION_BYTES])
{
	static const char *const	units[] = { "ns", "\xc2\xb5s", "ms", "s" };
	unsigned			unit = 0;

	for (; unit < 3 && ns >= 999.95; unit++)
		ns /= 1000;
	(void)snprintf(buf, DURATION_BYTES, "%.*f %s",
	    ns < 10 ? 3 : ns < 100 ? 2 : ns < 1000 ? 1 : 0, ns, units[unit]);
	return buf;
}

/* Why the time is no more than a claim. */
static void
say_open(struct job_audit *j, const struct audit_claim *c)
{
	const struct audit	*a = &j->audit;
	const double		 ns = audit_median_ns(a);
	char			 time[DURATION_BYTES];

	if (a->rounds == 0)
		snprintf(j->words, sizeof j->words, "the wall limit left no time for audits");
	else if (a->visible)
		snprintf(j->words, sizeof j->words,
		    "its process could not be stopped while inputs were drawn");
	else if (2 * audit_good_rounds(a) < a->rounds)
		snprintf(j->words, sizeof j->words,
		    "another process ran on a CPU of the timing in %u of %u audits",
		    a->rounds - audit_good_rounds(a), a->rounds);
	else if (!audit_is_firm(a))
		snprintf(j->words, sizeof j->words,
		    "calls are too short to be audited one by one; %u on fresh inputs took %s "
		    "each by the supervisor's clock", a->calls, put_duration(ns, time));
	else
		snprintf(j->words, sizeof j->words,
		    "by the supervisor's clock a call on fresh inputs takes %s, %.3g times "
		    "as long, in %u audits", put_duration(ns, time),
		    ns / (c->median_ns > 0 ? c->median_ns : 1), audit_good_rounds(a));
	j->why_claimed = j->words;
}

static void
say_not_cold(struct job_audit *j, const struct cold *c)
{
	snprintf(j->words, sizeof j->words,
	    "after the flush, calls on other operands brought back %llu of %llu lines of the "
	    "samples' own", (unsigned long long)c->found, (unsigned long long)c->proved);
	j->why_claimed = j->words;
}

static void
say_strayed(struct job_audit *j, const char *operand)
{
	snprintf(j->words, sizeof j->words,
	    "lines of %s were not cold before samples, which the routine's own calls may cause",
	    operand);
	j->why_claimed = j->words;
}

static enum status
judge_verified(struct job_audit *j)
{
	const struct audit_claim	none = { .median_ns = audit_median_ns(&j->audit) };

	if (j->audit.visible || !audit_is_firm(&j->audit))
		say_open(j, &none);
	return ST_OK;
}

enum status
job_audit_judge(struct job_audit *j, const struct take *k, const struct job *job,
    uint32_t best_pace, double iterations, struct fault *why)
{
	struct audit_claim	claim;
	bool			confirmed = true;
	enum status		st;

	if (j->verifies && j->on)
		return judge_verified(j);
	claim = claim_of(j, k, job, best_pace, iterations);
	if (j->on && (st = confirm(j, &claim, &confirmed)) != ST_OK)
		return fault_set(why, st, "%s", j->reply.words);
	if (audit_contradiction(&j->audit, &claim, j->words, sizeof j->words) != NULL) {
		j->trust = TRUST_SUSPECT;
		return fault_set(why, ST_SUSPECT, "%s", j->words);
	}
	if (!confirmed || (j->on && j->audit.visible))
		say_open(j, &claim);
	else if (j->why_claimed == NULL && cold_came_back(&k->cold))
		say_not_cold(j, &k->cold);
	else if (j->why_claimed == NULL && k->strayed != NULL)
		say_strayed(j, k->strayed);
	return ST_OK;
}

struct opinion {
	const struct spec	*spec;
	struct fault		 why;
};

static bool
is_within(struct opinion *o, double times, const char *got, const char *want)
{
	const struct check	*check = &o->spec->check;
	struct answer		 c = { .rtol = times * check->rtol, .atol = times * check->atol };

	answer_outputs(&c, o->spec, got, want);
	return answer_verdict(&c, &o->why) == ST_OK;
}

static enum audit_verdict
verdict_of(void *arg, const char *got, const char *want)
{
	if (is_within(arg, 1, got, want))
		return AUDIT_RIGHT;
	return is_within(arg, NEAR_TIMES, got, want) ? AUDIT_NEAR : AUDIT_WRONG;
}

bool
job_audit_needs_reference(const struct job_audit *j)
{
	return j->on && !audit_is_answered(&j->audit);
}

static enum status
reference_failed(const struct job_audit *j, struct fault *why)
{
	return fault_set(why, ST_INTERNAL,
	    "the reference failed on inputs that the variant was given: %s", j->reply.words);
}

enum status
job_audit_replay(struct job_audit *j, const struct audit_lane *reference, const struct spec *spec,
    struct fault *why)
{
	struct opinion	 opinion = { .spec = spec };
	struct audit	*a = &j->audit;

	if (!j->on)
		return ST_OK;
	if (audit_replay(a, reference, verdict_of, &opinion, &j->reply) != ST_OK)
		return reference_failed(j, why);
	if (a->wrong > 0 || 2 * a->near > a->compared)
		return fault_set(why, ST_WRONG_ANSWER,
		    "right on the inputs that it had seen before, but wrong for %u of %u fresh "
		    "ones: %s", a->wrong + a->near, a->compared, opinion.why.text);
	if (a->near > 0 || a->early > 0)
		j->why_claimed = "not all audits were answered right";
	else if (j->trust == TRUST_CLAIMED && j->why_claimed == NULL)
		j->trust = j->verifies ? TRUST_VERIFIED : TRUST_AUDITED;
	return ST_OK;
}

enum status
job_audit_restock(struct job_audit *j, struct fault *why)
{
	return audit_restock(&j->audit, &j->lane, &j->reply) == ST_OK ? ST_OK :
	    reference_failed(j, why);
}

static bool
is_weaker(enum trust a, enum trust b)
{
	return a != b && (a == TRUST_SUSPECT || (b != TRUST_SUSPECT && a < b));
}

const struct job_audit *
job_audit_weakest(const struct job_audit *j, unsigned n)
{
	const struct job_audit	*weakest = j;

	for (unsigned i = 1; i < n; i++)
		if (is_weaker(j[i].trust, weakest->trust))
			weakest = &j[i];
	return weakest;
}

bool
job_audit_report(const struct job_audit *j, struct audits_report *out)
{
	const struct audit	*a = &j->audit;

	if (!j->on || a->calls == 0)		/* it did not come to that */
		return false;
	*out = (struct audits_report){ a->rounds, a->calls, a->wrong, a->near, a->early,
	    a->disturbed, audit_least_ns(a), audit_median_ns(a),
	    (double)audit_blank_ns(a),
	    fmax(j->of_bench->fresh_ns - j->of_bench->call_ns, 0) };
	return true;
}
