/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a core has learnt by heart of the one input; and whether the samples are on inputs that take
 * turns because of that.
 *
 * Each variant decides for itself, not one of a sweep for all: a variant whose time does not depend
 * on novelty has the same time either way, so its samples on one input may stand beside others on
 * many.  If the reference decided, a branchy variant of a branch-free reference would keep the time
 * of the input that it knows.  Of a comparison either side decides for both.
 */
#include "worker/plan/rotation.h"
#include "worker/trial/trial.h"

static bool
matters(const struct trial *t)
{
	return learned_matters(&t->learned[PAIRS_VARIANT]) ||
	    (t->compares && learned_matters(&t->learned[PAIRS_AGAINST]));
}

enum status
trial_learn_inputs(struct trial *t)
{
	struct take_setting	with;
	struct fault		why;
	enum status		st;

	if (!rotation_may_matter(&t->plan))
		return ST_OK;
	if ((st = trial_make_areas_anew(t, &t->plan)) != ST_OK)
		return st;
	with = trial_setting(t);
	st = take_learned(&t->learned[PAIRS_VARIANT], &t->learned[PAIRS_AGAINST], &t->plan, &with,
	    &t->s->reply);
	if (st != ST_OK)
		return trial_blame(t, t->pipeline.pairs.ran, trial_fault(t));
	if (t->plan.data == DATA_AUTO && matters(t) &&
	    rotation_begin(&t->plan, &t->job->spec, &t->s->slot, &why) == ST_OK)
		t->rotates_by_itself = true;
	return ST_OK;
}
