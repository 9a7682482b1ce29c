/* SPDX-License-Identifier: Apache-2.0 */
/* Looking at the queue: a sweep's jobs, and a page of all. */
#include <stdlib.h>

#include "daemon/queue/queue_impl.h"

struct queue_group *
queue_sweep(const struct queue *q, int64_t sweep_id)
{
	struct queue_group	key = { .sweep_id = sweep_id };

	return RB_FIND(groups, (struct groups *)(uintptr_t)&q->groups, &key);
}

void
queue_sweep_counts(const struct queue *q, int64_t sweep_id, size_t count[JOB_NSTATES])
{
	const struct queue_group	*g = queue_sweep(q, sweep_id);

	for (unsigned s = 0; s < JOB_NSTATES; s++)
		count[s] = g != NULL ? g->count[s] : 0;
}

bool
queue_has_sweep(const struct queue *q, int64_t sweep_id)
{
	const struct queue_group	*g = queue_sweep(q, sweep_id);

	return g != NULL && g->njobs != 0;
}

int64_t *
queue_sweep_ids(const struct queue *q, int64_t sweep_id, size_t *n)
{
	const struct queue_group	*g = queue_sweep(q, sweep_id);
	int64_t				*ids = calloc((g != NULL ? g->njobs : 0) + 1, sizeof *ids);
	const struct queued_job		*j;

	*n = 0;
	if (g != NULL && ids != NULL)
		LIST_FOREACH(j, &g->jobs, entry)
			ids[(*n)++] = j->id;
	return ids;
}

/* ---- a page ---- */

struct page {
	const struct queued_job	**out;	/* borrowed */
	size_t			  n, max;
};

static bool
put(struct page *p, const struct queued_job *j)
{
	if (p->n < p->max)
		p->out[p->n++] = j;
	return p->n < p->max;
}

static void
put_tree(struct page *p, const struct jobs_by_turn *tree)
{
	struct queued_job	*j;

	RB_FOREACH(j, jobs_by_turn, (struct jobs_by_turn *)(uintptr_t)tree)
		if (!put(p, j))
			return;
}

/* A user's jobs that may start building: its bunches' merged, each from its first on. */
static void
put_ready(struct page *p, const struct queued_job **next, size_t n)
{
	while (n != 0 && p->n < p->max) {
		size_t	best = 0;

		for (size_t i = 1; i < n; i++)
			if (queue_compare_turns(next[i], next[best]) < 0)
				best = i;
		(void)put(p, next[best]);
		next[best] = RB_NEXT(jobs_by_turn, , (struct queued_job *)(uintptr_t)next[best]);
		if (next[best] == NULL)
			next[best] = next[--n];
	}
}

/* In the order of their first jobs, a page has no job of a bunch behind its max-th. */
static void
put_user(struct page *p, const struct queue_user *u)
{
	const struct queued_job	**next = calloc(QUEUE_WIDTHS * p->max, sizeof(void *));
	size_t			  n = 0;

	for (unsigned w = 0; next != NULL && w < QUEUE_WIDTHS; w++) {
		size_t		 of_width = 0;
		struct bunch	*b;

		RB_FOREACH(b, bunches_by_head, (struct bunches_by_head *)(uintptr_t)&u->ready[w]) {
			if (++of_width > p->max)
				break;
			next[n++] = RB_MIN(jobs_by_turn, &b->queued);
		}
	}
	put_ready(p, next, n);
	free(next);
}

static void
put_built(struct page *p, const struct queue *q)
{
	struct queue_user	*u;

	RB_FOREACH(u, users_to_time, (struct users_to_time *)(uintptr_t)&q->to_time)
		put_tree(p, &u->built);
}

static void
put_bunch(struct page *p, const struct bunch *b, enum job_state state)
{
	put_tree(p, state == JOB_BUILT ? &b->shut : &b->queued);
}

/* Those that wait for a window, or for the end of a pause: queued ones, or built ones. */
static void
put_shut(struct page *p, const struct queue *q, enum job_state state)
{
	struct bunch		*b;
	struct paused_sweep	*s;
	struct queue_group	*g;

	RB_FOREACH(b, bunches_by_change, (struct bunches_by_change *)(uintptr_t)&q->windows) {
		if (p->n >= p->max)
			return;
		if (!b->is_open)
			put_bunch(p, b, state);
	}
	RB_FOREACH(s, paused_sweeps, (struct paused_sweeps *)(uintptr_t)&q->paused_sweeps) {
		if (p->n >= p->max)
			return;
		if ((g = queue_sweep(q, s->id)) == NULL)
			continue;
		RB_FOREACH(b, bunches, &g->bunches)
			if (b->is_open)
				put_bunch(p, b, state);
	}
}

/* Those that have no turn: of a user that is held, only built jobs. */
static void
put_paused_users(struct page *p, const struct queue *q, enum job_state state)
{
	struct queue_user	*u;

	RB_FOREACH(u, users_by_uid, (struct users_by_uid *)(uintptr_t)&q->users) {
		const bool	has_turn = !u->is_paused && (state != JOB_BUILT || !u->is_held);

		if (has_turn || p->n >= p->max)
			continue;
		if (state == JOB_BUILT)
			put_tree(p, &u->built);
		else
			put_user(p, u);
	}
}

static void
put_queued(struct page *p, const struct queue *q)
{
	struct queue_user	*u;
	struct queued_job	*j;

	RB_FOREACH(u, users_to_build, (struct users_to_build *)(uintptr_t)&q->to_build) {
		if (p->n >= p->max)
			return;
		put_user(p, u);
	}
	put_paused_users(p, q, JOB_QUEUED);
	put_shut(p, q, JOB_QUEUED);
	RB_FOREACH(j, jobs_by_start, (struct jobs_by_start *)(uintptr_t)&q->sleepers)
		if (!put(p, j))
			return;
}

static void
put_at_work(struct page *p, const struct jobs_at_work *tree)
{
	struct queued_job	*j;

	RB_FOREACH(j, jobs_at_work, (struct jobs_at_work *)(uintptr_t)tree)
		if (!put(p, j))
			return;
}

size_t
queue_list(const struct queue *q, const struct queued_job **out, size_t max)
{
	struct page	p = { .out = out, .max = max };

	put_at_work(&p, &q->at_work[1]);
	put_built(&p, q);
	put_paused_users(&p, q, JOB_BUILT);
	put_shut(&p, q, JOB_BUILT);
	put_at_work(&p, &q->at_work[0]);
	put_queued(&p, q);
	return p.n;
}
