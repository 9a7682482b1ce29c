/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Are answers right?  Loaded objects are checked against the reference's outputs that the bench
 * keeps.
 */
#include "worker/bench/proc/affinity.h"
#include "worker/check/answer.h"
#include "worker/check/iterations.h"
#include "worker/trial/trial.h"

enum status
trial_run_check(struct trial *t, unsigned lane)
{
	static const struct runner_run	order = { .kind = RUNNER_CHECK, .samples = 1, .calls = 1 };

	return bench_run(t->s->bench, lane, &order, t->deadline_ns, &t->s->reply);
}

enum status
trial_check_answer(struct trial *t, unsigned lane)
{
	const struct spec	*s = &t->job->spec;
	enum status		 st;

	if (trial_run_check(t, lane) != ST_OK)
		return trial_fault(t);
	range_see_check(&t->range, &t->s->reply);
	if ((st = iterations_of(s, bench_output(t->s->bench, lane), &t->iterations,
	    &t->why)) != ST_OK)
		return st;
	if (!s->check.present && !s->check.image)
		return ST_OK;
	t->answer = (struct answer){ .rtol = s->check.rtol, .atol = s->check.atol };
	if (s->checkpoint != NULL)
		checkpoint_compare(&t->answer, &t->s->checkpoint, s,
		    bench_output(t->s->bench, lane), t->s->want,
		    (const char *)t->s->want + trial_output_bytes(t));
	else
		answer_outputs(&t->answer, s, bench_output(t->s->bench, lane), t->s->want);
	t->has_answer = true;
	return answer_verdict(&t->answer, &t->why);
}

enum status
trial_check_copies(struct trial *t)
{
	const unsigned	n = trial_copies(t);
	struct fault	why;
	enum status	st = ST_OK;

	for (unsigned i = 0; st == ST_OK && i < n; i++) {
		st = trial_check_answer(t, runner_copy_lane(i));
		why = t->why;
		if (st != ST_OK && n > 1)
			fault_set(&t->why, st, "copy %u on CPU %d: %s", i,
			    affinity_of_copy(&t->s->slot, i), why.text);
	}
	return st;
}

static enum status
check_side(struct trial *t, enum pairs_side side)
{
	if (trial_copies(t) > 1)
		return trial_check_copies(t);
	return trial_blame(t, side, trial_check_answer(t, trial_lane(t, side)));
}

/* The variant last: its comparison is reported when all is well. */
enum status
trial_check_answers(struct trial *t)
{
	enum status	st = t->compares ? check_side(t, PAIRS_AGAINST) : ST_OK;

	return st == ST_OK ? check_side(t, PAIRS_VARIANT) : st;
}
