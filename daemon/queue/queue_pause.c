/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is paused is given to no worker; what is at work ends.  A pause of a sweep is kept without
 * live jobs, too: they may come later, as those that are read after a restart do.
 */
#include <stdlib.h>

#include "daemon/queue/queue_impl.h"

static struct paused_sweep *
find_paused(const struct queue *q, int64_t sweep_id)
{
	struct paused_sweep	key = { .id = sweep_id };

	return RB_FIND(paused_sweeps, (struct paused_sweeps *)(uintptr_t)&q->paused_sweeps, &key);
}

bool
sweep_is_paused(const struct queue *q, int64_t sweep_id)
{
	return find_paused(q, sweep_id) != NULL;
}

static enum status
note_sweep(struct queue *q, int64_t sweep_id, bool is_on)
{
	struct paused_sweep	*p = find_paused(q, sweep_id);

	if ((p != NULL) == is_on)
		return ST_OK;
	if (!is_on) {
		(void)RB_REMOVE(paused_sweeps, &q->paused_sweeps, p);
		free(p);
		return ST_OK;
	}
	if ((p = calloc(1, sizeof *p)) == NULL)
		return ST_NOMEM;
	p->id = sweep_id;
	(void)RB_INSERT(paused_sweeps, &q->paused_sweeps, p);
	return ST_OK;
}

static enum status
pause_sweep(struct queue *q, int64_t sweep_id, bool is_on)
{
	struct queue_group	*g = queue_sweep(q, sweep_id);
	enum status		 st = note_sweep(q, sweep_id, is_on);

	if (st == ST_OK && g != NULL && g->is_paused != is_on)
		group_set_paused(q, g, is_on);
	return st;
}

static enum status
pause_user(struct queue *q, uid_t uid, bool is_on)
{
	struct queue_user	*u = queue_user(q, uid);

	if (u == NULL)
		return ST_NOMEM;
	user_leave(q, u);
	u->is_paused = is_on;
	user_enter(q, u);
	return ST_OK;
}

enum status
queue_set_paused(struct queue *q, const struct pause *p, bool is_on)
{
	if (p->kind == PAUSE_SWEEP)
		return pause_sweep(q, p->id, is_on);
	if (p->kind == PAUSE_USER)
		return pause_user(q, (uid_t)p->id, is_on);
	q->is_paused = is_on;
	return ST_OK;
}

enum pause_kind
queue_paused_by(const struct queue *q, uid_t uid, int64_t sweep_id)
{
	const struct queue_user	 key = { .uid = uid };
	const struct queue_user	*u = RB_FIND(users_by_uid,
				    (struct users_by_uid *)(uintptr_t)&q->users,
				    (struct queue_user *)(uintptr_t)&key);

	if (q->is_paused)
		return PAUSE_ALL;
	if (u != NULL && u->is_paused)
		return PAUSE_USER;
	return sweep_is_paused(q, sweep_id) ? PAUSE_SWEEP : PAUSE_NONE;
}

size_t
queue_pauses(const struct queue *q, struct pause *out, size_t max)
{
	struct queue_user	*u;
	struct paused_sweep	*p;
	size_t			 n = 0;

	RB_FOREACH(u, users_by_uid, (struct users_by_uid *)(uintptr_t)&q->users)
		if (u->is_paused && n < max)
			out[n++] = (struct pause){ PAUSE_USER, (int64_t)u->uid };
	RB_FOREACH(p, paused_sweeps, (struct paused_sweeps *)(uintptr_t)&q->paused_sweeps) {
		if (n >= max)
			break;
		out[n++] = (struct pause){ PAUSE_SWEEP, p->id };
	}
	return n;
}

void
queue_free_pauses(struct queue *q)
{
	struct paused_sweep	*p, *next;

	RB_FOREACH_SAFE(p, paused_sweeps, &q->paused_sweeps, next) {
		(void)RB_REMOVE(paused_sweeps, &q->paused_sweeps, p);
		free(p);
	}
}
