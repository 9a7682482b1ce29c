/* SPDX-License-Identifier: Apache-2.0 */
#include <unistd.h>

#include "daemon/dispatch/trial.h"

void
trial_has(struct trial *t, int64_t job, double now)
{
	t->is_asked = false;
	t->job = job;
	if (job == 0)
		t->not_before = now + TRIAL_REST_S;
}

void
trial_is_done(struct trial *t)
{
	t->job = 0;
}

struct queued_job *
trial_job(const struct trial *t, const struct queue *q)
{
	struct queued_job	*j = t->job != 0 ? queue_find(q, t->job) : NULL;

	return j == NULL || j->ending || j->cancel ? NULL : j;
}

static bool
may_begin(const struct queue *q)
{
	return queue_paused_by(q, geteuid(), 0) == PAUSE_NONE;
}

bool
trial_want(struct trial *t, const struct queue *q, double now)
{
	if (t->ask == NULL || !may_begin(q))
		return false;
	if (t->is_asked || trial_job(t, q) != NULL)
		return true;
	if (t->job != 0)
		trial_has(t, 0, now);		/* it is over, and showed nothing */
	if (now < t->not_before)
		return false;
	t->is_asked = t->ask(t->arg);
	if (!t->is_asked)
		trial_has(t, 0, now);
	return t->is_asked;
}
