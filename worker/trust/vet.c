/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "worker/bench/schedstat.h"
#include "worker/check/answer.h"
#include "worker/runner/sample/fill.h"
#include "worker/trust/vet.h"

#define NEAR_TIMES	1000.0		/* the tolerance: an answer within is near */

/* NULL: this job's time is to be more than a claim. */
static const char *
why_unwanted(const struct job *job)
{
	if (job->spec.timing.trust == TRUST_ASKED_CLAIMED)
		return "no more was asked for";
	if (job->spec.checkpoint != NULL)
		return "the data of an image cannot be drawn anew";
	if (job->against.source != NULL && job->threads > 1)
		return "a thread of one could forge what the other is measured by";
	if (job->spec.timing.layout == LAYOUT_RANDOM)
		return "processes of many layouts are not audited";
	return job->spec.check.present ? NULL : "there is no reference to answer fresh inputs";
}

const struct challenge *
vet_prepare(struct vet *v, const struct job *job)
{
	vet_release(v);
	if (why_unwanted(job) != NULL)
		return NULL;
	v->cannot = challenge_make(&v->challenge, &job->spec);
	v->can = v->cannot == NULL;
	return v->can ? &v->challenge : NULL;
}

enum status
vet_prime(struct vet *v, struct bench *b, struct fault *why)
{
	enum status	st;

	if (!v->can)
		return ST_OK;
	if ((st = bench_prime(b, why)) != ST_OK)
		return st;
	if ((v->first = malloc(v->challenge.bytes)) == NULL)
		return fault_set(why, ST_INTERNAL, "no memory for the operands' first contents");
	memcpy(v->first, bench_challenge(b), v->challenge.bytes);
	return ST_OK;
}

bool
vet_serves(const struct vet *v, const struct job *job)
{
	return why_unwanted(job) != NULL || v->can || v->cannot != NULL;
}

void
vet_forget_answers(struct vet *v)
{
	audit_stock_release(&v->stock);
}

void
vet_release(struct vet *v)
{
	vet_forget_answers(v);
	free(v->first);
	memset(v, 0, sizeof *v);
}

/* ---- what audits need of the bench ---- */

static enum status
vet_run(void *arg, const struct runner_run *run, struct bench_reply *reply)
{
	struct vetting	*v = arg;

	return bench_run(v->bench, v->lane, run, v->deadline_ns, reply);
}

static uint64_t
vet_delay_ns(void *arg)
{
	struct vetting	*v = arg;

	return bench_delay_ns(v->bench, v->lane);
}

static uint64_t
vet_own_delay_ns(void *arg)
{
	(void)arg;
	return schedstat_waited_ns(0);
}

static struct audit_runner
runner_of(struct vetting *v)
{
	return (struct audit_runner){ .run = vet_run, .delay_ns = vet_delay_ns, .own_delay_ns = vet_own_delay_ns,
	    .arg = v, .area = bench_challenge(v->bench), .result = bench_output(v->bench) };
}

static enum status
one_round(struct vetting *v)
{
	struct audit_runner	runner = runner_of(v);

	return audit_round(&v->audit, &runner, &v->reply);
}

/* ---- one job ---- */

enum status
vet_begin(struct vetting *v, struct vet *vet, struct bench *b, unsigned lane, const struct job *job,
    const struct plan *plan, struct fault *why)
{
	unsigned	room = AUDIT_ROUNDS + AUDIT_DOUBTS;
	enum status	st;

	vet_end(v);
	v->vet = vet;
	v->bench = b;
	v->lane = lane;
	v->trust = TRUST_CLAIMED;
	v->orders = v->last.samples = 0;
	v->rarity = job->against.source != NULL ? VET_PAIRS_RARITY : VET_RARITY;
	v->verifies = plan_is_challenge(plan);
	v->why_claimed = why_unwanted(job);
	if (v->why_claimed == NULL && !vet->can)
		v->why_claimed = vet->cannot;
	if (v->why_claimed != NULL) {
		if (v->verifies || job->spec.timing.trust == TRUST_ASKED_AUDITED)
			return fault_at(why, ST_BAD_SPEC, "spec.timing.trust", "cannot be had: %s", v->why_claimed);
		return ST_OK;
	}
	if (v->verifies)
		room = plan->samples < AUDIT_MOST_ROUNDS ? plan->samples : AUDIT_MOST_ROUNDS;
	if ((st = audit_begin(&v->audit, &vet->challenge, vet->first, answer_output_bytes(&job->spec), room, &vet->stock,
	    why)) != ST_OK)
		return st;
	v->audit.is_cold = plan_flushes(plan);
	v->on = true;
	return ST_OK;
}

void
vet_end(struct vetting *v)
{
	if (v->on)
		audit_release(&v->audit);
	v->on = false;
}

enum status
vet_learn(struct vetting *v, double call_ns)
{
	enum status	st = ST_OK;

	while (v->on && st == ST_OK && (v->audit.rounds < AUDIT_ROUNDS || !audit_could_tell(&v->audit)) &&
	    v->audit.rounds < v->audit.room)
		st = one_round(v);
	if (v->on && st == ST_OK)
		v->vet->extra_ns = fmax(audit_least_ns(&v->audit) - call_ns, 0);
	return st;
}

/* Nobody can tell before which order: half of them, or of many short ones a sixteenth, while there are audits left. */
static bool
is_due(struct vetting *v, const struct runner_run *run)
{
	if (v->audit.rounds >= AUDIT_ROUNDS || run->kind != RUNNER_SAMPLE)
		return false;
	return rt_number(v->audit.secret, v->orders++ + AUDIT_MOST_ROUNDS) % v->rarity == 0;
}

enum status
vet_before(struct vetting *v, const struct runner_run *run)
{
	enum status	st = v->on && is_due(v, run) ? one_round(v) : ST_OK;

	if (v->on)
		v->own_delay_ns = schedstat_waited_ns(0);
	return st;
}

/* The clock's look at an order since vet_before. */
static bool
see_order(struct vetting *v, const struct runner_run *run, const struct bench_reply *reply)
{
	return audit_see_order(&v->audit, run, reply, v->tick, schedstat_waited_ns(0) - v->own_delay_ns);
}

void
vet_after(struct vetting *v, const struct runner_run *run, const struct bench_reply *reply, const struct tick *tick)
{
	if (!v->on)
		return;
	v->tick = tick;
	if (see_order(v, run, reply) && run->kind == RUNNER_SAMPLE)
		v->last = *run;
}

/* The first call brings code and pages in and is no sample. */
enum status
vet_take(struct vetting *v, struct take *k, const struct plan *plan)
{
	enum status	st;

	memset(k, 0, sizeof *k);
	k->wanted = plan->samples;
	if ((k->sample = calloc(v->audit.room, sizeof *k->sample)) == NULL)
		return v->reply.status = ST_INTERNAL;
	if ((st = one_round(v)) != ST_OK)
		return st;
	v->audit.rounds = 0;
	while (v->audit.rounds < v->audit.room)
		if ((st = one_round(v)) != ST_OK)
			return st;
	k->samples = k->taken = k->clean = v->audit.rounds;
	k->overhead_ticks = k->subtracted_ticks = v->audit.handoff_ns;
	k->ended_by = "samples";
	k->realtime = v->reply.realtime;
	k->pinned = v->reply.pinned;
	k->canary_off = k->memory_off = "off: the supervisor's clock is used";
	for (unsigned i = 0; i < v->audit.rounds; i++) {
		const struct audit_round	*r = &v->audit.round[i];

		k->sample[i].raw.ticks = r->took_ns;
		k->sample[i].ns = r->took_ns > v->audit.handoff_ns ? (double)(r->took_ns - v->audit.handoff_ns) : 0;
		k->sample[i].disturbed = r->disturbed;
		k->disturbed += r->disturbed;
		k->clean -= r->disturbed;
		k->within_noise |= r->took_ns < 2 * v->audit.handoff_ns;
	}
	return ST_OK;
}

/* Of what this one claims. */
static double
least_ns(const struct vetting *v, const struct take *k)
{
	double	least = 0;

	for (size_t i = 0; i < k->samples; i++) {
		double	ns = v->lane == PAIRS_AGAINST ? k->sample[i].against_ns : k->sample[i].ns;

		if (i == 0 || ns < least)
			least = ns;
	}
	return least;
}

static struct audit_claim
claim_of(const struct vetting *v, const struct take *k, const struct job *job, const struct plan *plan)
{
	double	ns = least_ns(v, k);

	return (struct audit_claim){
		.ns = ns, .extra_ns = v->vet->extra_ns, .flops = job->spec.flops_count, .bytes = job->spec.bytes_count,
		.threads = job->threads, .region_ns = ns * (double)plan->run.calls,
	};
}

/* What made one order slow may not do so with the same order again. */
static enum status
one_order(struct vetting *v)
{
	enum status	st;

	if (v->last.samples == 0)
		return ST_OK;
	v->own_delay_ns = schedstat_waited_ns(0);
	if ((st = vet_run(v, &v->last, &v->reply)) == ST_OK)
		(void)see_order(v, &v->last, &v->reply);
	return st;
}

static enum status
more_rounds(struct vetting *v, unsigned n)
{
	enum status	st = ST_OK;

	for (unsigned i = 0; st == ST_OK && i < n; i++)
		st = one_order(v);
	for (unsigned i = 0; st == ST_OK && i < n && v->audit.rounds < v->audit.room; i++)
		st = one_round(v);
	return st;
}

enum status
vet_judge(struct vetting *v, const struct take *k, const struct job *job, const struct plan *plan, struct fault *why)
{
	struct audit_claim	claim = claim_of(v, k, job, plan);
	enum status		st = ST_OK;

	if (!v->on)
		return ST_OK;
	while (st == ST_OK && !v->verifies && v->audit.rounds < AUDIT_ROUNDS && v->audit.rounds < v->audit.room)
		st = one_round(v);
	if (st == ST_OK && audit_could_tell(&v->audit) &&
	    audit_doubt(&v->audit, &claim, v->words, sizeof v->words) == NULL)
		return ST_OK;
	if (st == ST_OK)
		st = more_rounds(v, AUDIT_DOUBTS);		/* it may have been bad luck */
	if (st != ST_OK)
		return fault_set(why, st, "%s", v->reply.words);
	if (audit_doubt(&v->audit, &claim, v->words, sizeof v->words) == NULL)
		return ST_OK;
	v->trust = TRUST_SUSPECT;
	return fault_set(why, ST_SUSPECT, "%s", v->words);
}

struct opinion {
	const struct spec	*spec;
	struct fault		 why;
};

static bool
is_within(struct opinion *v, double times, const char *got, const char *want)
{
	struct answer	c = { .rtol = times * v->spec->check.rtol, .atol = times * v->spec->check.atol };

	answer_outputs(&c, v->spec, got, want);
	return answer_verdict(&c, &v->why) == ST_OK;
}

static enum audit_verdict
verdict_of(void *arg, const char *got, const char *want)
{
	if (is_within(arg, 1, got, want))
		return AUDIT_RIGHT;
	return is_within(arg, NEAR_TIMES, got, want) ? AUDIT_NEAR : AUDIT_WRONG;
}

bool
vet_needs_reference(const struct vetting *v)
{
	return v->on && !audit_is_answered(&v->audit);
}

static enum status
reference_failed(const struct vetting *v, struct fault *why)
{
	return fault_set(why, ST_INTERNAL, "the reference failed on inputs that the variant was given: %s",
	    v->reply.words);
}

enum status
vet_replay(struct vetting *v, const struct spec *spec, struct fault *why)
{
	struct audit_runner	runner = runner_of(v);
	struct opinion		opinion = { .spec = spec };
	struct audit		*a = &v->audit;

	if (!v->on || a->rounds == 0)
		return ST_OK;
	if (audit_replay(a, &runner, verdict_of, &opinion, &v->reply) != ST_OK)
		return reference_failed(v, why);
	if (a->wrong > 0 || 2 * a->near > a->rounds)
		return fault_set(why, ST_WRONG_ANSWER, "right on the inputs that it had seen before, but wrong for "
		    "%u of %u fresh ones: %s", a->wrong + a->near, a->rounds, opinion.why.text);
	if (a->near > 0 || a->early > 0)
		v->why_claimed = "not all audits were answered right";
	else if (!audit_could_tell(a))
		v->why_claimed = "the supervisor had to wait for a CPU in every audit";
	else if (v->trust == TRUST_CLAIMED)
		v->trust = v->verifies ? TRUST_VERIFIED : TRUST_AUDITED;
	return ST_OK;
}

enum status
vet_restock(struct vetting *v, struct fault *why)
{
	struct audit_runner	runner = runner_of(v);

	return audit_restock(&v->audit, &runner, &v->reply) == ST_OK ? ST_OK : reference_failed(v, why);
}

static bool
is_weaker(enum trust a, enum trust b)
{
	return a != b && (a == TRUST_SUSPECT || (b != TRUST_SUSPECT && a < b));
}

const struct vetting *
vet_weakest(const struct vetting *v, unsigned n)
{
	const struct vetting	*weakest = v;

	for (unsigned i = 1; i < n; i++)
		if (is_weaker(v[i].trust, weakest->trust))
			weakest = &v[i];
	return weakest;
}

bool
vet_report(const struct vetting *v, struct audits_report *out)
{
	const struct audit	*a = &v->audit;

	if (v->on)
		*out = (struct audits_report){ a->rounds, a->wrong, a->near, a->early, a->disturbed, audit_least_ns(a),
		    (double)a->handoff_ns, v->vet->extra_ns };
	return v->on;
}
