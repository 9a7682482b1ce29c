/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "daemon/queue/estimate_impl.h"

/* Until a job has ended all count the same. */
static const struct pace	nominal = { .time_us = 1000000 };

static double
seconds(int64_t us)
{
	return 1e-6 * (double)us;
}

struct pace
survey_user_pace(const struct survey *s, const struct queue_user *u)
{
	if (u->pace.n != 0)
		return u->pace;
	return s->queue->pace.n != 0 ? s->queue->pace : nominal;
}

struct pace
survey_pace(const struct survey *s, const struct queue_group *g)
{
	return g->pace.n != 0 ? g->pace : survey_user_pace(s, g->user);
}

void
survey_add(const struct survey *s, struct work *w, const struct pace *p, unsigned width,
    double jobs, double unbuilt)
{
	const double	slot_s = jobs * seconds(p->time_us);

	w->jobs += jobs;
	w->slot_s += slot_s;
	w->time_s += slot_s / s->slots[width];
	w->build_s += unbuilt * seconds(p->build_us) / s->builders;
}

void
work_add(struct work *w, const struct work *more, double part)
{
	w->jobs += part * more->jobs;
	w->slot_s += part * more->slot_s;
	w->time_s += part * more->time_s;
	w->build_s += part * more->build_s;
}

double
work_takes_s(const struct work *w)
{
	return fmax(w->time_s, w->build_s);
}

double
survey_rest_s(const struct survey *s, const struct queued_job *j)
{
	const struct pace	p = survey_pace(s, j->bunch->group);
	const bool		builds = j->state == JOB_BUILDING;
	const double		began = builds ? j->build_began : j->time_began;

	return fmax(0, seconds(builds ? p.build_us : p.time_us) - fmax(0, s->now_s - began));
}

int
survey_rank(const struct queue_user *u)
{
	if (u->in_time && u->in_build)
		return u->time_rank < u->build_rank ? u->time_rank : u->build_rank;
	return u->in_time ? u->time_rank : u->in_build ? u->build_rank : 0;
}

static void
look_at_places(struct survey *s, const struct queue *q, const struct queue_places *p)
{
	/* jobs that may not be timed side by side leave slots idle */
	const double	used = q->nbusy != 0 && p->slots[0] != 0 ?
			    fmin(1, q->busy_slots / p->slots[0]) : 1;

	for (unsigned w = 0; w < QUEUE_WIDTHS; w++) {
		s->has_slot[w] = p->slots[w] != 0;
		s->slots[w] = fmax(1, used * p->slots[w]);
	}
	s->has_builder = p->builders != 0;
	s->builders = fmax(1, p->builders);
}

static void
look_at_user(const struct survey *s, struct queue_user *u)
{
	const struct pace	p = survey_user_pace(s, u);

	u->work = (struct work){ .jobs = 0 };
	u->level = u->time_s;
	if (u->is_paused || u->is_held || s->queue->is_paused)
		return;
	for (unsigned w = 0; w < QUEUE_WIDTHS; w++) {
		const struct load	*l = &u->load[w];
		const double		 slot_s = seconds(l->time_us);

		survey_add(s, &u->work, &p, w, (double)l->strange, (double)l->strange_unbuilt);
		u->work.jobs += (double)(l->jobs - l->strange);
		u->work.slot_s += slot_s;
		u->work.time_s += slot_s / s->slots[w];
		u->work.build_s += seconds(l->build_us) / s->builders;
	}
}

static bool
may_be_timed(const struct queue *q, const struct queued_job *j)
{
	const struct queue_user	*u = j->bunch->group->user;

	return !j->cancel && !q->is_paused && !u->is_paused && !u->is_held &&
	    bunch_may_start(j->bunch);
}

/* What is being timed is charged to its user already, as the share will be. */
static void
look_at_work(struct survey *s)
{
	struct queue		*q = s->queue;
	struct queued_job	*j;

	RB_FOREACH(j, jobs_at_work, &q->at_work[1]) {
		const struct pace	p = survey_pace(s, j->bunch->group);

		j->bunch->group->user->level += seconds(p.time_us);
		s->timing.jobs++;
		s->timing.time_s += survey_rest_s(s, j) / s->slots[j->bunch->width];
	}
	RB_FOREACH(j, jobs_at_work, &q->at_work[0]) {
		const struct pace	 p = survey_pace(s, j->bunch->group);
		struct queue_user	*u = j->bunch->group->user;

		if (!may_be_timed(q, j))
			continue;
		survey_add(s, &u->work, &p, j->bunch->width, 1, 0);
		u->work.build_s += survey_rest_s(s, j) / s->builders;
	}
}

void
survey_make(struct survey *s, struct queue *q, const struct queue_places *p)
{
	struct queue_user	*u;

	*s = (struct survey){ .queue = q, .now_s = p->now_s };
	look_at_places(s, q, p);
	RB_FOREACH(u, users_by_uid, &q->users)
		look_at_user(s, u);
	look_at_work(s);
}
