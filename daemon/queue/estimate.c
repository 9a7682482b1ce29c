/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "daemon/queue/estimate_impl.h"

enum { MAX_BUNCHES = 1024, MAX_BUILT = 1024 };	/* that are looked at one by one */

/* ---- jobs of the same user ---- */

/* All of a width count if there are too many bunches to be looked at. */
static void
add_queued(const struct survey *s, struct queue_user *u, unsigned width,
    const struct queued_job *key, struct work *before)
{
	const struct pace	 p = survey_user_pace(s, u);
	double			 rest = (double)u->load[width].unbuilt;
	struct bunch		*b;
	unsigned		 n = 0;

	RB_FOREACH(b, bunches_by_head, &u->ready[width]) {
		const struct pace	of_group = survey_pace(s, b->group);
		const double		jobs = (double)turns_before(&b->queued, key);

		if (jobs == 0)
			return;
		if (n++ == MAX_BUNCHES)
			break;
		survey_add(s, before, &of_group, width, jobs, jobs);
		rest -= (double)turns_count(&b->queued);
	}
	if (b != NULL && rest > 0)
		survey_add(s, before, &p, width, rest, rest);
}

static void
add_built(const struct survey *s, struct queue_user *u, const struct queued_job *key,
    struct work *before)
{
	struct queued_job	*j;
	unsigned		 n = 0;

	RB_FOREACH(j, jobs_by_turn, &u->built) {
		const struct pace	p = survey_pace(s, j->bunch->group);

		if (queue_compare_turns(j, key) >= 0 || n++ == MAX_BUILT)
			return;
		survey_add(s, before, &p, j->bunch->width, 1, 0);
	}
}

static void
add_building(const struct survey *s, const struct queue_user *u, const struct queued_job *key,
    struct work *before)
{
	struct queued_job	*j;

	RB_FOREACH(j, jobs_at_work, &s->queue->at_work[0]) {
		const struct pace	p = survey_pace(s, j->bunch->group);

		if (j->bunch->group->user != u || queue_compare_turns(j, key) >= 0)
			continue;
		survey_add(s, before, &p, j->bunch->width, 1, 0);
		before->build_s += survey_rest_s(s, j) / s->builders;
	}
}

static struct work
own_before(const struct survey *s, struct queue_user *u, const struct queued_job *key)
{
	struct work	before = { .jobs = 0 };

	for (unsigned w = 0; w < QUEUE_WIDTHS; w++)
		add_queued(s, u, w, key, &before);
	add_built(s, u, key, &before);
	add_building(s, u, key, &before);
	return before;
}

/* ---- and of the others ---- */

/* The part of a user's work that begins before the share of another one is at `level`. */
static double
part_before(const struct queue_user *u, int rank, double level)
{
	const int	own = survey_rank(u);

	if (u->work.jobs == 0 || own != rank)
		return own < rank ? 1 : 0;
	if (level <= u->level)
		return 0;
	if (u->work.slot_s <= level - u->level)
		return 1;
	return fmin(1, ceil(u->work.jobs * (level - u->level) / u->work.slot_s) / u->work.jobs);
}

/* All that is timed before this job of u begins. */
static struct work
work_before(const struct survey *s, struct queue_user *u, const struct queued_job *j)
{
	struct work		 before = own_before(s, u, j);
	/* the credit of few single jobs ends with them */
	const double		 credit = j->sweep_id != 0 ? u->virtual_s - u->time_s : 0;
	const double		 level = u->level + credit + before.slot_s;
	const int		 rank = queue_rank(u, j);
	struct queue_user	*other;

	work_add(&before, &s->timing, 1);
	RB_FOREACH(other, users_by_uid, &s->queue->users)
		if (other != u)
			work_add(&before, &other->work, part_before(other, rank, level));
	return before;
}

/* ---- a job ---- */

enum estimate_by
estimate_pace(const struct queue *q, const struct queued_job *j, struct pace *p)
{
	const struct queue_group	*g = j->bunch->group;

	if (g->pace.n != 0 && g->sweep_id != 0) {
		*p = g->pace;
		return ESTIMATE_BY_SWEEP;
	}
	if (g->user->pace.n != 0) {
		*p = g->pace.n != 0 ? g->pace : g->user->pace;
		return ESTIMATE_BY_USER;
	}
	*p = q->pace;
	return q->pace.n != 0 ? ESTIMATE_BY_ALL : ESTIMATE_BY_NONE;
}

/* Why it may not start now. */
static enum estimate_gap
gap_of(const struct queue *q, const struct queued_job *j, int64_t *until)
{
	if (q->unread != 0)
		return ESTIMATE_READING;
	if (j->cancel || j->ending)
		return ESTIMATE_CANCELLED;
	if (j->state == JOB_TIMING)
		return ESTIMATE_MADE;
	if (queue_paused_by(q, j->submitter, j->sweep_id) != PAUSE_NONE)
		return ESTIMATE_PAUSED;
	if ((*until = quota_held_until(q, j->submitter)) != 0)
		return ESTIMATE_QUOTA;
	if (j->not_before > q->now) {
		*until = j->not_before;
		return ESTIMATE_NOT_BEFORE;
	}
	if (j->bunch->is_open)
		return ESTIMATE_MADE;
	*until = window_next_opening(j->window, q->now);
	return ESTIMATE_WINDOW;
}

/* Why there is a position, and no time. */
static enum estimate_gap
gap_of_time(const struct survey *s, const struct queued_job *j, enum estimate_by by)
{
	if (j->state != JOB_TIMING && !s->has_slot[j->bunch->width])
		return ESTIMATE_NO_PLACE;
	if (j->state == JOB_QUEUED && !s->has_builder)
		return ESTIMATE_NO_PLACE;
	return by == ESTIMATE_BY_NONE ? ESTIMATE_NO_RATE : ESTIMATE_MADE;
}

/* Seconds until its end, behind this work. */
static double
ends_in_s(const struct survey *s, const struct queued_job *j, const struct work *before)
{
	const struct pace	p = survey_pace(s, j->bunch->group);
	const double		build_s = j->state == JOB_QUEUED ? 1e-6 * (double)p.build_us :
				    j->state == JOB_BUILDING ? survey_rest_s(s, j) : 0;
	const double		built_s = fmax(build_s, before->build_s + build_s / s->builders);

	if (j->state == JOB_TIMING)
		return survey_rest_s(s, j);
	return (j->state == JOB_BUILT ? before->time_s : fmax(before->time_s, built_s)) +
	    1e-6 * (double)p.time_us;
}

static void
estimate_ready(struct survey *s, const struct queued_job *j, struct estimate *e)
{
	struct work	before = { .jobs = 0 };
	struct pace	p;

	e->by = estimate_pace(s->queue, j, &p);
	e->gap = gap_of_time(s, j, e->by);
	if (j->state != JOB_TIMING)
		before = work_before(s, j->bunch->group->user, j);
	e->position = llrint(before.jobs);
	if (e->gap == ESTIMATE_MADE)
		e->eta_s = ends_in_s(s, j, &before);
}

void
estimate_job(struct queue *q, const struct queue_places *places, const struct queued_job *j,
    struct estimate *e)
{
	struct survey	s;

	*e = (struct estimate){ .position = -1, .eta_s = -1 };
	if ((e->gap = gap_of(q, j, &e->until)) != ESTIMATE_MADE)
		return;
	survey_make(&s, q, places);
	estimate_ready(&s, j, e);
}

/* ---- a sweep ---- */

/* The first and the last in the order of turns, of jobs that may start or are at work. */
struct ends {
	const struct queued_job	*first, *last;	/* borrowed; NULL: none */
	const struct queued_job	*asleep, *shut;	/* one of those that may not; NULL: none */
	const struct queued_job	*timing;	/* the one that takes longest */
};

static void
ends_add(struct ends *e, const struct queued_job *j)
{
	if (j == NULL)
		return;
	if (e->first == NULL || queue_compare_turns(j, e->first) < 0)
		e->first = j;
	if (e->last == NULL || queue_compare_turns(j, e->last) > 0)
		e->last = j;
}

static void
ends_add_bunch(struct ends *e, struct bunch *b)
{
	const struct queued_job	*first = RB_MIN(jobs_by_turn, &b->queued);

	if (b->is_ready) {
		ends_add(e, first);
		ends_add(e, RB_MAX(jobs_by_turn, &b->queued));
	} else if (e->shut == NULL) {
		e->shut = first != NULL ? first : RB_MIN(jobs_by_turn, &b->shut);
	}
}

/* Jobs of a sweep are mostly alike, so that one of the newest tells when it sleeps. */
static const struct queued_job *
find_asleep(const struct queue_group *g)
{
	const struct queued_job	*j = g->nasleep != 0 ? LIST_FIRST(&g->jobs) : NULL;

	for (unsigned n = 0; j != NULL && j->place != PLACE_SLEEPS && n < MAX_BUILT; n++)
		j = LIST_NEXT(j, entry);
	return j;
}

static struct ends
find_ends(const struct survey *s, struct queue_group *g)
{
	struct ends		 e = { .first = NULL };
	struct bunch		*b;
	struct queued_job	*j;
	unsigned		 n = 0;

	e.asleep = find_asleep(g);
	RB_FOREACH(b, bunches, &g->bunches)
		if (n++ < MAX_BUNCHES)
			ends_add_bunch(&e, b);
	n = 0;
	RB_FOREACH(j, jobs_by_turn, &g->user->built)
		if (n++ < MAX_BUILT && j->bunch->group == g)
			ends_add(&e, j);
	RB_FOREACH(j, jobs_at_work, &s->queue->at_work[0])
		if (j->bunch->group == g)
			ends_add(&e, j);
	RB_FOREACH(j, jobs_at_work, &s->queue->at_work[1])
		if (j->bunch->group == g && (e.timing == NULL ||
		    survey_rest_s(s, j) > survey_rest_s(s, e.timing)))
			e.timing = j;
	return e;
}

void
estimate_sweep(struct queue *q, const struct queue_places *places, int64_t sweep_id,
    struct estimate *e)
{
	struct queue_group	*g = queue_sweep(q, sweep_id);
	struct estimate		 first;
	struct survey		 s;
	struct ends		 ends;
	const struct queued_job	*last, *stopped;

	*e = (struct estimate){ .position = -1, .eta_s = -1, .gap = ESTIMATE_NOTHING };
	if (g == NULL)
		return;
	survey_make(&s, q, places);
	ends = find_ends(&s, g);
	stopped = ends.asleep != NULL ? ends.asleep : ends.shut;
	last = stopped != NULL ? stopped : ends.last != NULL ? ends.last : ends.timing;
	if (last != NULL)
		estimate_job(q, places, last, e);
	if (g->nasleep != 0 && e->gap == ESTIMATE_MADE)
		e->gap = ESTIMATE_NOT_READY;
	if (e->gap != ESTIMATE_MADE)
		e->eta_s = -1;
	if (ends.first != NULL) {
		estimate_job(q, places, ends.first, &first);
		e->position = first.position;
	}
}
