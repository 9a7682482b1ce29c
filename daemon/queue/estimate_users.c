/* SPDX-License-Identifier: Apache-2.0 */
/* When the queue of each user will be at its end: all users in O(users log users). */
#include <math.h>
#include <stdlib.h>

#include "daemon/queue/estimate_impl.h"

/* A user's share comes to where its work begins, or where it ends. */
struct event {
	struct queue_user	*user;		/* borrowed */
	struct user_estimate	*out;		/* borrowed; NULL: not asked for */
	int			 rank;
	double			 level;
	bool			 is_end;
};

static int
compare_events(const void *left, const void *right)
{
	const struct event	*a = left, *b = right;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->level < b->level || a->level > b->level)
		return a->level < b->level ? -1 : 1;
	return a->is_end - b->is_end;
}

/* Work for each second of share while these users are served; by < 0: one of them is done. */
static void
change_rate(struct work *rate, const struct queue_user *u, double by)
{
	work_add(rate, &u->work, by / fmax(u->work.slot_s, 1e-9));
}

static void
note(const struct survey *s, struct event *v, const struct work *done)
{
	if (v->out == NULL)
		return;
	if (!v->is_end)
		v->out->end.position = llrint(done->jobs);
	else if (s->queue->pace.n != 0)
		v->out->end.eta_s = work_takes_s(done);
}

/* Serves all users at once, each by its share; those of a lower rank before others. */
static void
serve(const struct survey *s, struct event *events, size_t n)
{
	struct work	done = s->timing, rate = { .jobs = 0 };

	qsort(events, n, sizeof *events, compare_events);
	for (size_t i = 0; i < n; i++) {
		struct event	*v = &events[i];

		if (i > 0 && events[i - 1].rank == v->rank)
			work_add(&done, &rate, v->level - events[i - 1].level);
		else
			rate = (struct work){ .jobs = 0 };
		note(s, v, &done);
		change_rate(&rate, v->user, v->is_end ? -1 : 1);
	}
}

static void
put_counts(const struct survey *s, const struct queue_user *u, struct user_estimate *out)
{
	const bool	is_paused = u->is_paused || s->queue->is_paused;
	const bool	has_turn = !is_paused && !u->is_held;
	size_t		startable = 0;

	for (unsigned w = 0; w < QUEUE_WIDTHS; w++)
		startable += (size_t)u->load[w].jobs;
	*out = (struct user_estimate){ .uid = u->uid, .is_paused = is_paused,
		.waiting = u->count[JOB_QUEUED] + u->count[JOB_BUILT],
		.building = u->count[JOB_BUILDING], .timing = u->count[JOB_TIMING],
		.timed_s = u->timed_s, .end = { .position = -1, .eta_s = -1 } };
	out->not_ready = has_turn ? out->waiting - startable : out->waiting;
	out->end.by = u->pace.n != 0 ? ESTIMATE_BY_USER : s->queue->pace.n != 0 ? ESTIMATE_BY_ALL :
	    ESTIMATE_BY_NONE;
}

static enum estimate_gap
gap_of_user(const struct survey *s, const struct queue_user *u, const struct user_estimate *out)
{
	if (s->queue->unread != 0)
		return ESTIMATE_READING;
	if (out->is_paused)
		return ESTIMATE_PAUSED;
	if (u->is_held && out->waiting + out->building != 0)
		return ESTIMATE_QUOTA;
	if (u->work.jobs == 0 && out->timing == 0)
		return out->not_ready != 0 ? ESTIMATE_NOT_READY : ESTIMATE_NOTHING;
	if (!s->has_slot[0] || !s->has_builder)
		return ESTIMATE_NO_PLACE;
	return s->queue->pace.n == 0 ? ESTIMATE_NO_RATE : ESTIMATE_MADE;
}

static void
put_gap(const struct survey *s, const struct queue_user *u, struct user_estimate *out)
{
	struct estimate	*e = &out->end;

	e->gap = gap_of_user(s, u, out);
	if (e->gap != ESTIMATE_MADE)
		e->eta_s = -1;
	else if (u->work.jobs == 0)
		e->eta_s = s->timing.time_s;		/* all of it is being timed */
	if (e->gap == ESTIMATE_QUOTA)
		e->until = quota_held_until(s->queue, u->uid);
}

static bool
is_live(const struct queue_user *u)
{
	return u->count[JOB_QUEUED] + u->count[JOB_BUILDING] + u->count[JOB_BUILT] +
	    u->count[JOB_TIMING] != 0;
}

/* Returns how many events these are. */
static size_t
put_events(struct queue_user *u, struct user_estimate *out, struct event *events)
{
	struct event	e = { u, out, survey_rank(u), u->level, false };

	if (u->work.jobs == 0)
		return 0;
	events[0] = e;
	e.level += u->work.slot_s;
	e.is_end = true;
	events[1] = e;
	return 2;
}

static size_t
count_users(struct queue *q)
{
	struct queue_user	*u;
	size_t			 n = 0;

	RB_FOREACH(u, users_by_uid, &q->users)
		n++;
	return n;
}

struct user_estimate *
estimate_users(struct queue *q, const struct queue_places *places, size_t *n)
{
	const size_t		 max = count_users(q);
	struct user_estimate	*out = calloc(max + 1, sizeof *out);
	struct event		*events = calloc(2 * max + 1, sizeof *events);
	struct queue_user	*u;
	struct survey		 s;
	size_t			 nevents = 0, i = 0;

	*n = 0;
	survey_make(&s, q, places);
	RB_FOREACH(u, users_by_uid, &q->users) {
		if (!is_live(u) || out == NULL || events == NULL)
			continue;
		put_counts(&s, u, &out[*n]);
		nevents += put_events(u, &out[*n], events + nevents);
		++*n;
	}
	serve(&s, events, nevents);
	RB_FOREACH(u, users_by_uid, &q->users)
		if (i < *n && is_live(u))
			put_gap(&s, u, &out[i++]);
	free(events);
	return out;
}
