/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "worker/check/answer.h"
#include "worker/runner/sample/fill.h"
#include "worker/trust/job_audit.h"

#define NEAR_TIMES	1000.0		/* the tolerance: an answer within is near */

static enum status
one_round(struct job_audit *j)
{
	return audit_round(&j->audit, &j->lane, &j->reply);
}

static uint64_t
own_delay_ns(const struct job_audit *j)
{
	return j->lane.own_delay_ns(j->lane.arg);
}

/* ---- beginning and end ---- */

/* NULL: it is audited. */
static const char *
why_only_claimed(const struct bench_audit *b, const struct job *job)
{
	const char	*why = bench_audit_unwanted(job);

	return why == NULL && !b->can ? b->cannot : why;
}

static enum status
claim_only(struct job_audit *j, const struct job *job, struct fault *why)
{
	if (!j->verifies && job->spec.timing.trust != TRUST_ASKED_AUDITED)
		return ST_OK;
	return fault_at(why, ST_BAD_SPEC, "spec.timing.trust", "cannot be had: %s", j->why_claimed);
}

enum status
job_audit_begin(struct job_audit *j, struct bench_audit *b, const struct job *job,
    const struct plan *plan, const struct tick *tick, struct fault *why)
{
	unsigned	room = AUDIT_ROUNDS + AUDIT_DOUBTS;
	enum status	st;

	job_audit_end(j);
	j->of_bench = b;
	j->tick = tick;
	j->trust = TRUST_CLAIMED;
	j->orders = j->last.samples = 0;
	j->rarity = job->against.source != NULL ? JOB_AUDIT_PAIRS_RARITY : JOB_AUDIT_RARITY;
	j->verifies = plan_is_challenge(plan);
	if ((j->why_claimed = why_only_claimed(b, job)) != NULL)
		return claim_only(j, job, why);
	if (j->verifies)
		room = plan->samples < AUDIT_MOST_ROUNDS ? plan->samples : AUDIT_MOST_ROUNDS;
	st = audit_begin(&j->audit, &b->challenge, b->first, answer_output_bytes(&job->spec), room,
	    &b->stock, why);
	if (st != ST_OK)
		return st;
	j->audit.is_cold = plan_flushes(plan);
	j->on = true;
	return ST_OK;
}

void
job_audit_end(struct job_audit *j)
{
	if (j->on)
		audit_release(&j->audit);
	j->on = false;
}

enum status
job_audit_learn(struct job_audit *j, double call_ns)
{
	const struct audit	*a = &j->audit;
	enum status		 st = ST_OK;

	if (!j->on)
		return ST_OK;
	while (st == ST_OK && a->rounds < a->room &&
	    (a->rounds < AUDIT_ROUNDS || !audit_can_judge(a)))
		st = one_round(j);
	if (st == ST_OK)
		j->of_bench->extra_ns = fmax(audit_least_ns(a) - call_ns, 0);
	return st;
}

/*
 * While there are audits left, before half of the orders, or before a 16th where they are many and
 * short.  The choice cannot be known beforehand.
 */
static bool
is_due(struct job_audit *j, const struct runner_run *run)
{
	if (j->audit.rounds >= AUDIT_ROUNDS || run->kind != RUNNER_SAMPLE)
		return false;
	return rt_number(j->audit.secret, j->orders++ + AUDIT_MOST_ROUNDS) % j->rarity == 0;
}

static enum status
before(struct job_audit *j, const struct runner_run *run)
{
	enum status	st = j->on && is_due(j, run) ? one_round(j) : ST_OK;

	if (j->on)
		j->own_delay_ns = own_delay_ns(j);
	return st;
}

/* The clock's look at the order. */
static bool
see_order(struct job_audit *j, const struct runner_run *run, const struct bench_reply *reply)
{
	return audit_see_order(&j->audit, run, reply, j->tick, own_delay_ns(j) - j->own_delay_ns);
}

static void
after(struct job_audit *j, const struct runner_run *run, const struct bench_reply *reply)
{
	if (j->on && see_order(j, run, reply) && run->kind == RUNNER_SAMPLE)
		j->last = *run;
}

static enum status
run_audited(void *arg, const struct runner_run *run, struct bench_reply *reply)
{
	struct job_audit	*j = arg;
	enum status		 st;

	if ((st = before(j, run)) != ST_OK) {
		*reply = j->reply;
		return st;
	}
	st = link_run(&j->lane.link, run, reply);
	after(j, run, reply);
	return st;
}

struct link
job_audit_link(struct job_audit *j)
{
	return (struct link){ run_audited, j };
}

/* ---- audits that are the samples ---- */

static void
put_samples(const struct audit *a, struct take *k)
{
	k->samples = k->taken = k->clean = a->rounds;
	k->overhead_ticks = k->subtracted_ticks = a->handoff_ns;
	for (unsigned i = 0; i < a->rounds; i++) {
		const struct audit_round	*r = &a->round[i];
		struct take_sample		*s = &k->sample[i];

		s->raw.ticks = r->took_ns;
		s->ns = r->took_ns > a->handoff_ns ? (double)(r->took_ns - a->handoff_ns) : 0;
		s->disturbed = r->disturbed;
		k->disturbed += r->disturbed;
		k->clean -= r->disturbed;
		k->within_noise |= r->took_ns < 2 * a->handoff_ns;
	}
}

/* The first call brings code and pages in and is no sample. */
enum status
job_audit_take(struct job_audit *j, struct take *k, const struct plan *plan)
{
	enum status	st;

	memset(k, 0, sizeof *k);
	k->wanted = plan->samples;
	if ((k->sample = calloc(j->audit.room, sizeof *k->sample)) == NULL)
		return j->reply.status = ST_INTERNAL;
	if ((st = one_round(j)) != ST_OK)
		return st;
	audit_forget_rounds(&j->audit);
	while (j->audit.rounds < j->audit.room)
		if ((st = one_round(j)) != ST_OK)
			return st;
	put_samples(&j->audit, k);
	k->ended_by = "samples";
	k->realtime = j->reply.realtime;
	k->pinned = j->reply.pinned;
	k->canary_off = k->memory_off = "off: the supervisor's clock is used";
	return ST_OK;
}

/* ---- is it to be believed? ---- */

/* The least sample that this side claims. */
static double
least_ns(const struct job_audit *j, const struct take *k)
{
	double	least = 0;

	for (size_t i = 0; i < k->samples; i++) {
		double	ns = j->side == PAIRS_AGAINST ? k->sample[i].against_ns : k->sample[i].ns;

		if (i == 0 || ns < least)
			least = ns;
	}
	return least;
}

static struct audit_claim
claim_of(const struct job_audit *j, const struct take *k, const struct job *job,
    const struct plan *plan)
{
	double	ns = least_ns(j, k);

	return (struct audit_claim){
		.ns = ns, .extra_ns = j->of_bench->extra_ns,
		.flops = job->spec.flops_count, .bytes = job->spec.bytes_count,
		.threads = job->threads, .region_ns = ns * (double)plan->run.calls,
	};
}

/* The cause of one slow order may not be there when the same order is given again. */
static enum status
one_order(struct job_audit *j)
{
	enum status	st;

	if (j->last.samples == 0)
		return ST_OK;
	j->own_delay_ns = own_delay_ns(j);
	if ((st = link_run(&j->lane.link, &j->last, &j->reply)) == ST_OK)
		(void)see_order(j, &j->last, &j->reply);
	return st;
}

static enum status
more_rounds(struct job_audit *j, unsigned n)
{
	enum status	st = ST_OK;

	for (unsigned i = 0; st == ST_OK && i < n; i++)
		st = one_order(j);
	for (unsigned i = 0; st == ST_OK && i < n && j->audit.rounds < j->audit.room; i++)
		st = one_round(j);
	return st;
}

enum status
job_audit_judge(struct job_audit *j, const struct take *k, const struct job *job,
    const struct plan *plan, struct fault *why)
{
	struct audit_claim	claim;
	enum status		st = ST_OK;

	if (!j->on)
		return ST_OK;
	claim = claim_of(j, k, job, plan);
	while (st == ST_OK && !j->verifies && j->audit.rounds < AUDIT_ROUNDS &&
	    j->audit.rounds < j->audit.room)
		st = one_round(j);
	if (st == ST_OK && audit_can_judge(&j->audit) &&
	    audit_doubt(&j->audit, &claim, j->words, sizeof j->words) == NULL)
		return ST_OK;
	if (st == ST_OK)
		st = more_rounds(j, AUDIT_DOUBTS);		/* it may have been bad luck */
	if (st != ST_OK)
		return fault_set(why, st, "%s", j->reply.words);
	if (audit_doubt(&j->audit, &claim, j->words, sizeof j->words) == NULL)
		return ST_OK;
	j->trust = TRUST_SUSPECT;
	return fault_set(why, ST_SUSPECT, "%s", j->words);
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

	if (!j->on || a->rounds == 0)
		return ST_OK;
	if (audit_replay(a, reference, verdict_of, &opinion, &j->reply) != ST_OK)
		return reference_failed(j, why);
	if (a->wrong > 0 || 2 * a->near > a->rounds)
		return fault_set(why, ST_WRONG_ANSWER,
		    "right on the inputs that it had seen before, but wrong for %u of %u fresh "
		    "ones: %s", a->wrong + a->near, a->rounds, opinion.why.text);
	if (a->near > 0 || a->early > 0)
		j->why_claimed = "not all audits were answered right";
	else if (!audit_can_judge(a))
		j->why_claimed = "the supervisor had to wait for a CPU in every audit";
	else if (j->trust == TRUST_CLAIMED)
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

	if (j->on)
		*out = (struct audits_report){ a->rounds, a->wrong, a->near, a->early, a->disturbed,
		    audit_least_ns(a), (double)a->handoff_ns, j->of_bench->extra_ns };
	return j->on;
}
