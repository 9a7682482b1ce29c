/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whose turn it is.  A user's virtual time is the time of slots that it has used; the least is
 * next.  A user that comes back starts at the clock, which is the least of the active users': what
 * was not used is not saved up, and a newcomer does not owe what others had before.
 */
#include <math.h>

#include "daemon/queue/queue_impl.h"

/* Operators go by their priority, before and after all others. */
int
queue_rank(const struct queue_user *u, const struct queued_job *next)
{
	if (next == NULL || !u->is_exempt)
		return 0;
	return (next->priority < 0) - (next->priority > 0);
}

static size_t
ahead_in_all(const struct queue_user *u)
{
	size_t	sum = 0;

	for (unsigned w = 0; w < QUEUE_WIDTHS; w++)
		sum += u->ahead[w];
	return sum;
}

void
user_leave(struct queue *q, struct queue_user *u)
{
	if (u->in_build)
		(void)RB_REMOVE(users_to_build, &q->to_build, u);
	if (u->in_time)
		(void)RB_REMOVE(users_to_time, &q->to_time, u);
	u->in_build = u->in_time = false;
}

static void
activate(struct queue *q, struct queue_user *u)
{
	const bool	is_ready = u->nready != 0 || !RB_EMPTY(&u->built);
	const bool	is_active = u->nwork != 0 || (is_ready && !u->is_paused && !u->is_held);

	if (is_active && !u->is_active)
		u->virtual_s = fmax(u->virtual_s, q->clock);
	u->is_active = is_active;
}

void
user_enter(struct queue *q, struct queue_user *u)
{
	double	credit;

	activate(q, u);
	credit = u->nsingle != 0 && u->nsingle <= QUEUE_FEW ? QUEUE_CREDIT_S : 0;
	u->build_s = u->time_s = u->virtual_s - credit;
	if ((u->in_build = u->nready != 0 && !u->is_paused)) {
		u->build_rank = queue_rank(u, user_next_to_build(u, SIZE_MAX));
		u->build_ahead = ahead_in_all(u);
		(void)RB_INSERT(users_to_build, &q->to_build, u);
	}
	if ((u->in_time = !RB_EMPTY(&u->built) && !u->is_paused && !u->is_held)) {
		u->time_rank = queue_rank(u, RB_MIN(jobs_by_turn, &u->built));
		(void)RB_INSERT(users_to_time, &q->to_time, u);
	}
}

struct queued_job *
user_next_to_build(const struct queue_user *u, size_t most_ahead)
{
	struct queued_job	*best = NULL;

	for (unsigned w = 0; w < QUEUE_WIDTHS; w++) {
		struct bunch		*b;
		struct queued_job	*j;

		b = RB_MIN(bunches_by_head, (struct bunches_by_head *)(uintptr_t)&u->ready[w]);
		if (b == NULL || u->ahead[w] >= most_ahead)
			continue;
		j = RB_MIN(jobs_by_turn, &b->queued);
		if (best == NULL || queue_compare_turns(j, best) < 0)
			best = j;
	}
	return best;
}

static struct queued_job *
next_to_build(struct queue *q)
{
	struct queue_user	*u;
	struct queued_job	*j;

	RB_FOREACH(u, users_to_build, &q->to_build)
		if ((j = user_next_to_build(u, QUEUE_AHEAD_MAX)) != NULL)
			return j;
	return NULL;
}

struct queued_job *
queue_next_to_build(struct queue *q, int64_t now)
{
	struct queued_job	*j = NULL;

	queue_wake(q, now);
	while (!q->is_paused && (j = next_to_build(q)) != NULL && j->not_before > now) {
		job_leave(q, j);	/* the clock was set back: it sleeps again */
		job_enter(q, j);
	}
	return j;
}

bool
queue_may_begin(const struct queue *q, const struct queued_job *j)
{
	return !q->is_paused && bunch_may_start(j->bunch) && !j->bunch->group->user->is_paused;
}

/* Of a bunch's queued jobs; `last` was one of them, and may have left. */
static struct queued_job *
queued_after(const struct bunch *b, const struct queued_job *last)
{
	struct jobs_by_turn	*all = (struct jobs_by_turn *)(uintptr_t)&b->queued;
	struct queued_job	*key = (struct queued_job *)(uintptr_t)last;

	if (last == NULL)
		return RB_MIN(jobs_by_turn, all);
	return last->state == JOB_QUEUED ? RB_NEXT(jobs_by_turn, all, key) :
	    RB_NFIND(jobs_by_turn, all, key);
}

struct queued_job *
queue_next_beside(const struct queue *q, const struct queued_job *j,
    const struct queued_job *last)
{
	const struct bunch		*b = j->bunch;
	const struct queue_user		*u = b->group->user;
	struct queued_job		*next = queued_after(b, last);

	if (next == NULL || next->sweep_id != j->sweep_id || next->priority != j->priority)
		return NULL;
	return !queue_may_begin(q, j) || next->not_before > q->now ||
	    u->ahead[b->width] >= QUEUE_AHEAD_MAX + QUEUE_BESIDE_MAX ? NULL : next;
}

size_t
queue_waiting_beside(const struct queued_job *j)
{
	return turns_count(&j->bunch->queued);
}

struct queued_job *
queue_next_to_time(struct queue *q, int64_t now, queue_ask_fn *ask, void *arg)
{
	struct queue_user	*u;
	struct queued_job	*j;

	queue_wake(q, now);
	if (q->is_paused)
		return NULL;
	RB_FOREACH(u, users_to_time, &q->to_time)
		RB_FOREACH(j, jobs_by_turn, &u->built) {
			const enum queue_answer	answer = j->not_before > now ? QUEUE_SKIP :
			    ask(arg, j);

			if (answer != QUEUE_SKIP)
				return answer == QUEUE_TAKE ? j : NULL;
		}
	return NULL;
}

bool
queue_is_one_users(const struct queue *q)
{
	struct users_to_time	*all = (struct users_to_time *)(uintptr_t)&q->to_time;

	return RB_MIN(users_to_time, all) == RB_MAX(users_to_time, all);
}

struct queued_job *
queue_next_expired(struct queue *q, int64_t now)
{
	const struct due	*first = RB_MIN(dues, &q->dues);

	return first != NULL && first->job->deadline <= now ? first->job : NULL;
}

/* ---- shares ---- */

/*
 * After a restart, users that have used a slot of late go on where they were.  SHARES_LATELY_S
 * bounds how much one of long ago is preferred.
 */
enum { SHARES_LATELY_S = 60 };

void
queue_set_share(struct queue *q, uid_t uid, double virtual_s)
{
	struct queue_user	*u = queue_user(q, uid);

	if (u != NULL)
		u->virtual_s = virtual_s;
	q->clock = fmax(q->clock, virtual_s - SHARES_LATELY_S);
}

static void
advance_clock(struct queue *q)
{
	double			 least = INFINITY;
	struct queue_user	*u;

	RB_FOREACH(u, users_by_uid, &q->users)
		if (u->is_active)
			least = fmin(least, u->virtual_s);
	if (isfinite(least))
		q->clock = fmax(q->clock, least);
}

void
queue_charge(struct queue *q, struct queued_job *j, double seconds)
{
	struct queue_user	*u = j->bunch->group->user;

	load_note_slots(q);
	j->timed_s += (float)seconds;
	u->timed_s += seconds;
	user_leave(q, u);
	u->virtual_s += seconds;
	quota_charge(q, u, seconds);
	user_enter(q, u);
	advance_clock(q);
}

double
queue_share(const struct queued_job *j)
{
	return j->bunch->group->user->virtual_s;
}
