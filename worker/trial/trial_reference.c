/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reference's part in a trial: its outputs, the method that auto comes to, and the cost of
 * audits.  When the variant is gone, also its answers to the challenges.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "worker/check/answer.h"
#include "worker/trial/trial.h"

/* ---- which method auto is ---- */

/* Also true if there is nothing to settle. */
static bool
is_settled(const struct trial *t)
{
	const struct supervisor	*s = t->s;

	return !t->plan.is_open || (s->is_settled && s->settled_moving == t->plan.moving &&
	    strcmp(s->settled_by.hex, t->artifacts->reference.hex) == 0);
}

void
trial_close_plan(struct trial *t)
{
	struct supervisor	*s = t->s;

	if (t->plan.is_open && is_settled(t))
		plan_close(&t->plan, &t->job->spec, &s->slot, trial_tick(t), s->settled_ns);
}

enum status
trial_settle(struct trial *t)
{
	struct supervisor	*s = t->s;
	struct take_setting	 with = trial_setting_of_lane(t);
	enum status		 st;

	if (is_settled(t))
		return ST_OK;
	st = take_call(&t->plan, &with, &s->reply, &s->settled_ns);
	s->is_settled = st == ST_OK;
	s->settled_by = t->artifacts->reference;
	s->settled_moving = t->plan.moving;
	return st;
}

/* ---- audits ---- */

static enum status
begin_audit(struct trial *t, unsigned lane)
{
	return job_audit_begin(&t->pipeline.audit[lane], &t->s->audit, t->job, &t->s->blanks,
	    &t->plan, &t->s->slot, &t->why);
}

enum status
trial_begin_audits(struct trial *t)
{
	enum status	st = begin_audit(t, TRIAL_LANE);

	return st == ST_OK && t->compares ? begin_audit(t, PAIRS_AGAINST) : st;
}

/* An expression is the spec's, and a compiler may well leave a loop out. */
static enum status
judge_audit(struct trial *t, enum pairs_side side)
{
	const double	claimed = t->job->spec.iterations_returned ? t->iterations : 0;

	return trial_blame(t, side, job_audit_judge(&t->pipeline.audit[side], &t->take, t->job,
	    gate_best_pace(&t->s->gate), claimed, &t->why));
}

enum status
trial_judge_audits(struct trial *t)
{
	enum status	st = t->compares ? judge_audit(t, PAIRS_AGAINST) : ST_OK;

	return st == ST_OK ? judge_audit(t, PAIRS_VARIANT) : st;
}

/* The cost of audits beside the call, by the reference, which is loaded. */
static enum status
learn_audits(struct trial *t)
{
	struct supervisor	*s = t->s;
	struct job_audit	*a = &t->pipeline.audit[TRIAL_LANE];
	struct take_setting	 with = trial_setting_of_lane(t);
	struct plan		 warm = t->plan;
	double			 call_ns;
	enum status		 st;

	if (!s->audit.can)
		return ST_OK;
	plan_warm_operands(&warm);
	st = take_call(&warm, &with, &s->reply, &call_ns);
	if (st == ST_OK && (st = begin_audit(t, TRIAL_LANE)) != ST_OK)
		return st;
	if (st == ST_OK && (st = job_audit_learn(a, call_ns)) != ST_OK)
		s->reply = a->reply;
	job_audit_end(a);
	return st;
}

/* ---- the reference itself ---- */

/* A fault of the reference is the spec's, not the variant's. */
static enum status
blame_reference(struct trial *t)
{
	struct bench_reply	*a = &t->s->reply;

	if (a->status == ST_INTERNAL || a->status == ST_CANCELLED)
		return trial_fault(t);
	if (a->lists_functions)
		snprintf(a->words, sizeof a->words, "it has no function \"%s\"",
		    t->job->spec.routine.name);
	if (!t->job->spec.check.present)
		return fault_at(&t->why, ST_BAD_SPEC, "spec.checkpoint",
		    "the image failed with its own routine: %s: %s",
		    status_word(a->status), a->words);
	return fault_at(&t->why, ST_BAD_SPEC, "spec.check.reference",
	    "the reference itself failed: %s: %s", status_word(a->status), a->words);
}

/* Of an image twice: words that differ by themselves (clocks) are not compared. */
static enum status
learn_outputs(struct trial *t, uint64_t bytes)
{
	char		*to = t->s->want;
	enum status	 st = ST_OK;

	for (unsigned i = 0; i < (t->job->spec.checkpoint != NULL ? 2 : 1) && st == ST_OK; i++)
		if ((st = trial_run_check(t, TRIAL_LANE)) == ST_OK)
			memcpy(to + i * bytes, bench_output(t->s->bench, TRIAL_LANE), bytes);
	return st;
}

enum status
trial_learn_reference(struct trial *t)
{
	struct supervisor	*s = t->s;
	uint64_t		 bytes = trial_output_bytes(t);
	enum status		 st;

	if (!t->job->spec.check.present && !t->job->spec.check.image)
		return ST_OK;
	if (s->want != NULL && strcmp(s->reference.hex, t->artifacts->reference.hex) == 0 &&
	    is_settled(t))
		return ST_OK;
	bench_audit_forget(&s->audit);
	free(s->want);
	if ((s->want = malloc(t->job->spec.checkpoint != NULL ? 2 * bytes : bytes)) == NULL)
		return fault_set(&t->why, ST_INTERNAL, "no memory for the reference's outputs");
	st = trial_load(t, TRIAL_LANE, t->job->spec.check.present ? t->objects.reference : NULL);
	if (st == ST_OK && (st = learn_outputs(t, bytes)) == ST_OK &&
	    (st = trial_settle(t)) == ST_OK)
		st = learn_audits(t);
	bench_drop(s->bench, TRIAL_LANE);
	if (st != ST_OK) {
		free(s->want);
		s->want = NULL;
		/* the spec asks for trust that cannot be had, which is said already */
		return st == ST_BAD_SPEC ? st : blame_reference(t);
	}
	s->reference = t->artifacts->reference;
	return ST_OK;
}

/*
 * A wrong answer is the variant's fault, a missing one is not.  The reference, if needed, is on
 * TRIAL_LANE.
 */
static enum status
replay(struct trial *t)
{
	struct job_audit	*a = t->pipeline.audit;
	enum status		 st = ST_OK;

	for (unsigned side = t->compares ? PAIRS_SIDES : 1; st == ST_OK && side-- > 0;) {
		st = job_audit_replay(&a[side], &a[TRIAL_LANE].lane, &t->job->spec, &t->why);
		if (st == ST_WRONG_ANSWER)
			(void)trial_blame(t, side, st);
	}
	return st;
}

static bool
needs_reference(const struct trial *t)
{
	const struct job_audit	*a = t->pipeline.audit;

	return job_audit_needs_reference(&a[PAIRS_VARIANT]) ||
	    (t->compares && job_audit_needs_reference(&a[PAIRS_AGAINST]));
}

enum status
trial_replay_audits(struct trial *t)
{
	struct job_audit	*a = &t->pipeline.audit[PAIRS_VARIANT];
	enum status		 st;

	if (!a->on)
		return ST_OK;
	if (!needs_reference(t))
		return replay(t);
	if ((st = trial_load(t, TRIAL_LANE, t->objects.reference)) != ST_OK)
		return blame_reference(t);
	if ((st = replay(t)) == ST_OK)
		st = job_audit_restock(a, &t->why);
	bench_drop(t->s->bench, TRIAL_LANE);
	return st;
}
