/* SPDX-License-Identifier: Apache-2.0 */
/* In which tree each live job is, by its state, the time, its window and pauses. */
#include <stdlib.h>

#include "daemon/queue/queue_impl.h"

/* ---- users, groups, bunches ---- */

struct queue_user *
queue_user(struct queue *q, uid_t uid)
{
	struct queue_user	 key = { .uid = uid }, *u = RB_FIND(users_by_uid, &q->users, &key);

	if (u != NULL || (u = calloc(1, sizeof *u)) == NULL)
		return u;
	u->uid = uid;
	quota_know(q, u);
	(void)RB_INSERT(users_by_uid, &q->users, u);
	return u;
}

static struct queue_group *
group_of(struct queue *q, const struct queued_job *j)
{
	struct queue_user	*u = queue_user(q, j->submitter);
	struct queue_group	 key = { .user = u, .sweep_id = j->sweep_id };
	struct queue_group	*g;

	if (u == NULL || (g = RB_FIND(groups, &q->groups, &key)) != NULL)
		return u != NULL ? g : NULL;
	if ((g = calloc(1, sizeof *g)) == NULL)
		return NULL;
	g->user = u;
	g->sweep_id = j->sweep_id;
	g->is_paused = sweep_is_paused(q, j->sweep_id);
	(void)RB_INSERT(groups, &q->groups, g);
	return g;
}

static void
group_free_empty(struct queue *q, struct queue_group *g)
{
	if (g->njobs != 0 || !RB_EMPTY(&g->bunches))
		return;
	(void)RB_REMOVE(groups, &q->groups, g);
	free(g);
}

/* The narrowest slots on which it has a CPU for each thread; else the widest. */
static unsigned
width_of(const struct queue *q, const struct queued_job *j)
{
	unsigned	w = 0;

	while (w + 1 < q->nwidths && q->width[w] < j->threads)
		w++;
	return w;
}

static struct bunch *
bunch_of(struct queue *q, struct queue_group *g, const struct queued_job *j)
{
	const struct bunch	 key = { .width = width_of(q, j), .window = j->window };
	struct bunch		*b = RB_FIND(bunches, &g->bunches, (struct bunch *)&key);

	if (b != NULL || (b = calloc(1, sizeof *b)) == NULL)
		return b;
	b->group = g;
	b->width = key.width;
	b->window = key.window;
	b->is_open = window_is_open(b->window, q->now);
	b->change = window_look_again(b->window, q->now);
	(void)RB_INSERT(bunches, &g->bunches, b);
	if (b->window.from >= 0)
		(void)RB_INSERT(bunches_by_change, &q->windows, b);
	return b;
}

static void
bunch_free(struct queue *q, struct bunch *b)
{
	if (b->window.from >= 0)
		(void)RB_REMOVE(bunches_by_change, &q->windows, b);
	(void)RB_REMOVE(bunches, &b->group->bunches, b);
	free(b);
}

enum status
bunch_join(struct queue *q, struct queued_job *j)
{
	struct queue_group	*g = group_of(q, j);

	if (g == NULL)
		return ST_NOMEM;
	if ((j->bunch = bunch_of(q, g, j)) == NULL) {
		group_free_empty(q, g);
		return ST_NOMEM;
	}
	j->bunch->njobs++;
	g->njobs++;
	g->user->njobs++;
	g->user->bytes += j->bytes;
	LIST_INSERT_HEAD(&g->jobs, j, entry);
	return ST_OK;
}

void
bunch_leave(struct queue *q, struct queued_job *j)
{
	struct bunch		*b = j->bunch;
	struct queue_group	*g = b->group;

	LIST_REMOVE(j, entry);
	g->njobs--;
	g->user->njobs--;
	g->user->bytes -= j->bytes;
	if (--b->njobs == 0)
		bunch_free(q, b);
	group_free_empty(q, g);
}

void
queue_free_groups(struct queue *q)
{
	struct queue_group	*g, *next_group;
	struct queue_user	*u, *next_user;
	struct bunch		*b, *next;

	RB_FOREACH_SAFE(g, groups, &q->groups, next_group) {
		RB_FOREACH_SAFE(b, bunches, &g->bunches, next)
			bunch_free(q, b);
		g->njobs = 0;
		group_free_empty(q, g);
	}
	RB_FOREACH_SAFE(u, users_by_uid, &q->users, next_user) {
		(void)RB_REMOVE(users_by_uid, &q->users, u);
		free(u);
	}
}

/* ---- a bunch among those of its user ---- */

static void
load_all(const struct bunch *b, int by)
{
	const int64_t	n = by * (int64_t)turns_count(&b->queued);

	load_add(b, n, n);
}

static void
bunch_unready(struct bunch *b)
{
	struct queue_user	*u = b->group->user;

	if (!b->is_ready)
		return;
	(void)RB_REMOVE(bunches_by_head, &u->ready[b->width], b);
	load_all(b, -1);
	u->nready--;
	b->is_ready = false;
}

bool
bunch_may_start(const struct bunch *b)
{
	return b->is_open && !b->group->is_paused;
}

static void
bunch_ready(struct bunch *b)
{
	struct queue_user	*u = b->group->user;

	if (!bunch_may_start(b) || RB_EMPTY(&b->queued))
		return;
	(void)RB_INSERT(bunches_by_head, &u->ready[b->width], b);
	load_all(b, 1);
	u->nready++;
	b->is_ready = true;
}

/* Its place among the others is by its first job: only a change of that one moves it. */
static void
bunch_insert(struct bunch *b, struct queued_job *j)
{
	struct queued_job	*first = RB_MIN(jobs_by_turn, &b->queued);
	const bool		 leads = first == NULL || queue_compare_turns(j, first) < 0;

	if (leads)
		bunch_unready(b);
	else if (b->is_ready)
		load_add(b, 1, 1);
	turns_insert(&b->queued, j);
	if (leads)
		bunch_ready(b);
}

static void
bunch_remove(struct bunch *b, struct queued_job *j)
{
	const bool	leads = RB_MIN(jobs_by_turn, &b->queued) == j;

	if (leads)
		bunch_unready(b);
	else if (b->is_ready)
		load_add(b, -1, -1);
	turns_remove(&b->queued, j);
	if (leads)
		bunch_ready(b);
}

/* ---- a job ---- */

static enum job_place
place_of(const struct queue *q, const struct queued_job *j)
{
	if (j->ending)
		return PLACE_NONE;
	if (j->state == JOB_BUILDING || j->state == JOB_TIMING)
		return PLACE_WORKER;
	if (j->state != JOB_QUEUED && j->state != JOB_BUILT)
		return PLACE_NONE;
	if (j->cancel)
		return PLACE_CANCELLED;
	if (j->not_before > q->now)
		return PLACE_SLEEPS;
	if (j->state == JOB_QUEUED)
		return PLACE_BUNCH;
	return bunch_may_start(j->bunch) ? PLACE_USER : PLACE_SHUT;
}

/* Built, or being built, and not kept from a slot by its window or a pause. */
static bool
is_ahead(const struct queued_job *j)
{
	return j->place == PLACE_USER || (j->place == PLACE_WORKER && j->state == JOB_BUILDING);
}

static void
count_place(struct queue *q, const struct queued_job *j, int by)
{
	struct queue_group	*g = j->bunch->group;
	struct queue_user	*u = g->user;

	if (j->place == PLACE_NONE)
		return;
	g->count[j->state] += (size_t)by;
	u->count[j->state] += (size_t)by;
	if (j->place == PLACE_WORKER)
		u->nwork += (size_t)by;
	if (j->place == PLACE_WORKER && j->state == JOB_TIMING)
		q->ntiming += (size_t)by;
	if (j->place == PLACE_SLEEPS)
		g->nasleep += (size_t)by;
	if (j->place == PLACE_USER)
		load_add(j->bunch, by, 0);
	if (j->sweep_id == 0 && j->place != PLACE_SLEEPS && j->place != PLACE_CANCELLED)
		u->nsingle += (size_t)by;
	if (is_ahead(j))
		u->ahead[j->bunch->width] += (size_t)by;
}

static void
due_move(struct queue *q, struct queued_job *j, bool in)
{
	if (j->due == NULL || j->due->is_in == in)
		return;
	if (in)
		(void)RB_INSERT(dues, &q->dues, j->due);
	else
		(void)RB_REMOVE(dues, &q->dues, j->due);
	j->due->is_in = in;
}

void
job_enter(struct queue *q, struct queued_job *j)
{
	struct queue_user	*u = j->bunch->group->user;

	user_leave(q, u);
	j->place = (uint8_t)place_of(q, j);
	if (j->place == PLACE_SLEEPS)
		(void)RB_INSERT(jobs_by_start, &q->sleepers, j);
	else if (j->place == PLACE_BUNCH)
		bunch_insert(j->bunch, j);
	else if (j->place == PLACE_SHUT)
		turns_insert(&j->bunch->shut, j);
	else if (j->place == PLACE_USER)
		turns_insert(&u->built, j);
	else if (j->place == PLACE_WORKER)
		(void)RB_INSERT(jobs_at_work, &q->at_work[j->state == JOB_TIMING], j);
	due_move(q, j, j->place != PLACE_NONE && j->place != PLACE_CANCELLED &&
	    j->place != PLACE_WORKER);
	count_place(q, j, 1);
	user_enter(q, u);
}

void
job_leave(struct queue *q, struct queued_job *j)
{
	struct queue_user	*u = j->bunch->group->user;

	user_leave(q, u);
	count_place(q, j, -1);
	due_move(q, j, false);
	if (j->place == PLACE_SLEEPS)
		(void)RB_REMOVE(jobs_by_start, &q->sleepers, j);
	else if (j->place == PLACE_BUNCH)
		bunch_remove(j->bunch, j);
	else if (j->place == PLACE_SHUT)
		turns_remove(&j->bunch->shut, j);
	else if (j->place == PLACE_USER)
		turns_remove(&u->built, j);
	else if (j->place == PLACE_WORKER)
		(void)RB_REMOVE(jobs_at_work, &q->at_work[j->state == JOB_TIMING], j);
	j->place = PLACE_NONE;
	user_enter(q, u);
}

/* ---- time and pauses ---- */

/* Its built jobs go between the user's tree and its own; there are few, by QUEUE_AHEAD_MAX. */
static void
move_built(struct queue *q, struct bunch *b)
{
	struct jobs_by_turn	*from = bunch_may_start(b) ? &b->shut : &b->group->user->built;
	struct queued_job	*j, *next;

	RB_FOREACH_SAFE(j, jobs_by_turn, from, next) {
		if (j->bunch != b)
			continue;
		job_leave(q, j);
		job_enter(q, j);
	}
}

static void
bunch_set(struct queue *q, struct bunch *b, bool *flag, bool is_on)
{
	user_leave(q, b->group->user);
	bunch_unready(b);
	*flag = is_on;
	bunch_ready(b);
	user_enter(q, b->group->user);
	move_built(q, b);
}

void
bunch_look_at_window(struct queue *q, struct bunch *b, int64_t now)
{
	const bool	is_open = window_is_open(b->window, now);

	(void)RB_REMOVE(bunches_by_change, &q->windows, b);
	b->change = window_look_again(b->window, now);
	(void)RB_INSERT(bunches_by_change, &q->windows, b);
	if (is_open != b->is_open)
		bunch_set(q, b, &b->is_open, is_open);
}

void
group_set_paused(struct queue *q, struct queue_group *g, bool is_paused)
{
	struct bunch	*b;

	RB_FOREACH(b, bunches, &g->bunches)
		bunch_set(q, b, &g->is_paused, is_paused);
}

void
queue_wake(struct queue *q, int64_t now)
{
	struct queued_job	*j;
	struct bunch		*b;

	q->now = now;
	quota_look_at_day(q);
	while ((j = RB_MIN(jobs_by_start, &q->sleepers)) != NULL && j->not_before <= now) {
		job_leave(q, j);
		job_enter(q, j);
	}
	while ((b = RB_MIN(bunches_by_change, &q->windows)) != NULL && b->change <= now)
		bunch_look_at_window(q, b, now);
}

void
queue_clock_was_set(struct queue *q, int64_t now)
{
	struct queue_group	*g;
	struct bunch		*b;

	q->now = now;
	RB_FOREACH(g, groups, &q->groups)
		RB_FOREACH(b, bunches, &g->bunches)
			if (b->window.from >= 0)
				bunch_look_at_window(q, b, now);
}
