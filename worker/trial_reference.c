/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a trial has from the reference: its outputs, the method that auto comes to, what audits cost, and, when the
 * variant is gone, its answers to the challenges.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "worker/compare.h"
#include "worker/trial.h"

/* ---- which method auto is ---- */

/* Nothing to be settled counts as well. */
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
	struct take_runner	 runner = trial_runner(t);
	enum status		 st;

	if (is_settled(t))
		return ST_OK;
	st = take_call(&t->plan, trial_tick(t), &runner, &s->answer, &s->settled_ns);
	s->is_settled = st == ST_OK;
	s->settled_by = t->artifacts->reference;
	s->settled_moving = t->plan.moving;
	return st;
}

/* ---- audits ---- */

enum status
trial_begin_vetting(struct trial *t)
{
	struct supervisor	*s = t->s;
	enum status		 st = vet_begin(&s->vetting, &s->vet, s->bench, TRIAL_LANE, t->job, &t->plan, &t->why);

	s->vetting.deadline_ns = t->deadline_ns;
	return st;
}

/* What audits cost beside the call, by the reference, which is loaded. */
static enum status
learn_audits(struct trial *t)
{
	struct supervisor	*s = t->s;
	struct take_runner	 runner = trial_runner(t);
	struct plan		 warm = t->plan;
	double			 call_ns;
	enum status		 st;

	if (!s->vet.can)
		return ST_OK;
	plan_warm_operands(&warm);
	st = take_call(&warm, trial_tick(t), &runner, &s->answer, &call_ns);
	if (st == ST_OK && trial_begin_vetting(t) != ST_OK)
		st = s->answer.status = ST_INTERNAL;
	if (st == ST_OK && (st = vet_learn(&s->vetting, call_ns)) != ST_OK)
		s->answer = s->vetting.answer;
	vet_end(&s->vetting);
	return st;
}

/* ---- the reference itself ---- */

/* Whatever is wrong with the reference is the spec's fault, not the variant's. */
static enum status
blame_reference(struct trial *t)
{
	struct bench_answer	*a = &t->s->answer;

	if (a->status == ST_INTERNAL || a->status == ST_CANCELLED)
		return trial_fault(t);
	if (a->lists_functions)
		snprintf(a->words, sizeof a->words, "it has no function \"%s\"", t->job->spec.routine.name);
	if (!t->job->spec.check.present)
		return fault_at(&t->why, ST_BAD_SPEC, "spec.checkpoint",
		    "the image failed with its own routine: %s: %s", status_word(a->status), a->words);
	return fault_at(&t->why, ST_BAD_SPEC, "spec.check.reference", "the reference itself failed: %s: %s",
	    status_word(a->status), a->words);
}

/* Of an image twice: what differs by itself (clocks that it reads) is not compared. */
static enum status
learn_outputs(struct trial *t, uint64_t bytes)
{
	char		*to = t->s->want;
	enum status	 st = ST_OK;

	for (unsigned i = 0; i < (t->job->spec.checkpoint != NULL ? 2 : 1) && st == ST_OK; i++)
		if ((st = trial_run_check(t, TRIAL_LANE)) == ST_OK)
			memcpy(to + i * bytes, bench_output(t->s->bench), bytes);
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
	if (s->want != NULL && strcmp(s->reference.hex, t->artifacts->reference.hex) == 0 && is_settled(t))
		return ST_OK;
	vet_forget_answers(&s->vet);
	free(s->want);
	if ((s->want = malloc(t->job->spec.checkpoint != NULL ? 2 * bytes : bytes)) == NULL)
		return fault_set(&t->why, ST_INTERNAL, "no memory for the reference's outputs");
	st = trial_load(t, TRIAL_LANE, t->job->spec.check.present ? t->objects.reference : NULL);
	if (st == ST_OK && (st = learn_outputs(t, bytes)) == ST_OK && (st = trial_settle(t)) == ST_OK)
		st = learn_audits(t);
	bench_drop(s->bench, TRIAL_LANE);
	if (st != ST_OK) {
		free(s->want);
		s->want = NULL;
		return blame_reference(t);
	}
	s->reference = t->artifacts->reference;
	return ST_OK;
}

enum status
trial_replay_audits(struct trial *t)
{
	struct supervisor	*s = t->s;
	enum status		 st;

	if (!s->vetting.on)
		return ST_OK;
	if (!vet_needs_reference(&s->vetting))
		return vet_replay(&s->vetting, &t->job->spec, &t->why);
	if ((st = trial_load(t, TRIAL_LANE, t->objects.reference)) != ST_OK)
		return blame_reference(t);
	s->vetting.deadline_ns = t->deadline_ns;
	st = vet_replay(&s->vetting, &t->job->spec, &t->why);
	if (st == ST_OK)
		st = vet_restock(&s->vetting, &t->why);
	bench_drop(s->bench, TRIAL_LANE);
	return st;
}
