/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/dispatch/ahead.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"

/* A job that comes meanwhile, and is more urgent, waits for so much longer at most. */
#define SHORT_S		0.1

static void
take_back(struct station *l)
{
	struct msg	m = { .kind = MSG_CANCEL, .job_id = l->next->id };

	l->taken_back = l->next->id;
	l->next = NULL;
	(void)child_send(l->child, &m, NULL);
}

void
ahead_take_back(struct dispatch *d, const struct queued_job *j)
{
	for (unsigned i = d->nbuilders; i < d->nstations; i++)
		if (d->stations[i].next != NULL && (j == NULL || d->stations[i].next == j))
			take_back(&d->stations[i]);
}

bool
ahead_is_elsewhere(const struct dispatch *d, const struct station *l, const struct queued_job *j)
{
	for (unsigned i = d->nbuilders; i < d->nstations; i++)
		if (&d->stations[i] != l && d->stations[i].next == j)
			return true;
	return false;
}

bool
ahead_answers(struct station *l, const struct msg *m)
{
	if (l->taken_back == 0 || m->kind != MSG_TIMED || m->job_id != l->taken_back)
		return false;
	l->taken_back = 0;
	return true;
}

/* Jobs of one sweep take about as long as each other; of others nothing is known. */
static bool
may_have_next(const struct dispatch *d, const struct station *l)
{
	const struct queued_job	*j = l->job;

	return l->ready && l->taken_back == 0 && dispatch_khz(j) == 0 && j->sweep_id != 0 &&
	    !j->cancel &&
	    l->short_sweep == j->sweep_id && !dispatch_is_cold(j) &&
	    l->streak.pause_s == 0 && d->retry.trial.job == 0 &&
	    queue_is_one_users(d->queue);
}

static bool
may_be_next(const struct dispatch *d, const struct station *l, const struct queued_job *j)
{
	return j->sweep_id == l->job->sweep_id && !dispatch_is_cold(j) && j->brief != NULL &&
	    dispatch_khz(j) == 0 &&
	    !cancels_has_sweep(&d->cancels, j->sweep_id) && !once_is_same(&d->once, j, l->job);
}

/* The queue's choice, were the slot free now; NULL: none, or it is to come when the slot is. */
static struct queued_job *
choose(struct dispatch *d, const struct station *l, int64_t now)
{
	struct queued_job	*j;

	if (!may_have_next(d, l))
		return NULL;
	/* what is in hand has been looked for among stored results */
	j = l->next != NULL ? dispatch_next_to_time(d, l, now) : dispatch_next_untimed(d, l, now);
	return j != NULL && may_be_next(d, l, j) ? j : NULL;
}

void
ahead_consider(struct dispatch *d, struct station *l, int64_t now)
{
	struct queued_job	*j;
	struct fault		 why;

	if (l->role != STATION_TIME || l->job == NULL || l->child == NULL)
		return;
	j = choose(d, l, now);
	if (l->next != NULL && l->next != j)
		take_back(l);
	else if (l->next == NULL && j != NULL && dispatch_send_order(d, l, j, 0, &why) == ST_OK)
		l->next = j;
}

void
ahead_begin(struct dispatch *d, struct station *l)
{
	struct queued_job	*j = l->next;

	l->next = NULL;
	if (j != NULL)
		dispatch_begin(d, l, j);
}

void
ahead_note(struct station *l, const struct queued_job *j)
{
	l->short_sweep = clock_now_s() - j->time_began < SHORT_S ? j->sweep_id : 0;
}
