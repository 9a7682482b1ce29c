/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_TESTS_SUPPORT_PLAYED_QUEUE_H
#define ASSAY_TESTS_SUPPORT_PLAYED_QUEUE_H

/*
 * A queue whose builders and slots are played: jobs take what the test says, on a clock of its own.
 * Estimates that are taken down are compared with what then happens.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/queue/estimate.h"
#include "tests/support/dice.h"

enum { PLAY_MAX_JOBS = 4096, PLAY_MAX_PLACES = 8, PLAY_MAX_KINDS = 8 };

/* Jobs of one kind take so long, with a spread of the time relative to it. */
struct play_kind {
	double		 build_s, time_s, spread;
};

struct play_place {
	struct queued_job	*job;		/* borrowed; NULL: idle */
	double			 ends;
	unsigned		 width;		/* of a slot */
};

struct play {
	struct queue		 q;
	double			 now;		/* of both clocks */
	uint64_t		 seed;
	struct play_kind	 kinds[PLAY_MAX_KINDS];
	struct play_place	 slots[PLAY_MAX_PLACES], builders[PLAY_MAX_PLACES];
	unsigned		 nslots, nbuilders, most_timing;
	int64_t			 last_id, begun, over;	/* begun: timings */
	unsigned char		 kind[PLAY_MAX_JOBS];
	/* by id; what happens, and what was expected at `asked` */
	double			 ended[PLAY_MAX_JOBS];
	int64_t			 place[PLAY_MAX_JOBS];	/* among the timings; 0: not begun */
	double			 asked;
	int64_t			 begun_then, timing_then;
	struct estimate		 expected[PLAY_MAX_JOBS];
};

static inline struct play *
play_new(unsigned slots, unsigned builders)
{
	static const unsigned	 widths[] = { 1 };
	struct play		*p = calloc(1, sizeof *p);

	assert(p != NULL);
	queue_init(&p->q, PLAY_MAX_JOBS);
	queue_set_widths(&p->q, widths, 1);
	*p = (struct play){ .q = p->q, .now = 1e9, .seed = 12, .nslots = slots,
	    .nbuilders = builders, .most_timing = slots };
	for (unsigned i = 0; i < slots; i++)
		p->slots[i].width = 1;
	(void)queue_next_to_build(&p->q, (int64_t)p->now);
	return p;
}

static inline void
play_free(struct play *p)
{
	queue_release(&p->q);
	free(p);
}

/* n jobs like this one; the last id. */
static inline int64_t
play_add(struct play *p, unsigned n, unsigned kind, struct queued_job like)
{
	if (like.threads == 0)
		like.threads = 1;
	if (like.window.from == 0 && like.window.to == 0)
		like.window = (struct window){ -1, -1 };
	while (n-- != 0) {
		like.id = ++p->last_id;
		assert(like.id < PLAY_MAX_JOBS);
		p->kind[like.id] = (unsigned char)kind;
		if (queue_add(&p->q, &like, NULL) != ST_OK)
			abort();
	}
	return p->last_id;
}

/* ---- playing ---- */

struct play_slot {
	const struct play	*play;
	unsigned		 width, timing;
};

static inline enum queue_answer
play_suits(void *arg, const struct queued_job *j)
{
	const struct play_slot	*s = arg;

	if (s->timing >= s->play->most_timing)
		return QUEUE_STOP;
	return j->threads <= s->width ? QUEUE_TAKE : QUEUE_SKIP;
}

static inline unsigned
play_ntiming(const struct play *p)
{
	unsigned	n = 0;

	for (unsigned i = 0; i < p->nslots; i++)
		n += p->slots[i].job != NULL;
	return n;
}

static inline double
play_takes(struct play *p, const struct queued_job *j)
{
	const struct play_kind	*k = &p->kinds[p->kind[j->id]];

	return k->time_s * (1 + k->spread * (2 * dice_uniform(&p->seed) - 1));
}

static inline void
play_give(struct play *p)
{
	for (unsigned i = 0; i < p->nslots; i++) {
		struct play_place	*l = &p->slots[i];
		struct play_slot	 s = { p, l->width, play_ntiming(p) };

		if (l->job != NULL || (l->job = queue_next_to_time(&p->q, (int64_t)p->now,
		    play_suits, &s)) == NULL)
			continue;
		job_move(&p->q, l->job, JOB_TIMING);
		l->job->time_began = p->now;
		l->ends = p->now + play_takes(p, l->job);
		p->place[l->job->id] = ++p->begun;
	}
	for (unsigned i = 0; i < p->nbuilders; i++) {
		struct play_place	*l = &p->builders[i];

		if (l->job != NULL || (l->job = queue_next_to_build(&p->q,
		    (int64_t)p->now)) == NULL)
			continue;
		job_move(&p->q, l->job, JOB_BUILDING);
		l->job->build_began = p->now;
		l->ends = p->now + p->kinds[p->kind[l->job->id]].build_s;
	}
}

static inline double
play_next(const struct play *p, double limit)
{
	double	next = limit;

	for (unsigned i = 0; i < p->nslots; i++)
		if (p->slots[i].job != NULL)
			next = fmin(next, p->slots[i].ends);
	for (unsigned i = 0; i < p->nbuilders; i++)
		if (p->builders[i].job != NULL)
			next = fmin(next, p->builders[i].ends);
	return next;
}

static inline void
play_end_timing(struct play *p, struct play_place *l)
{
	struct queued_job	*j = l->job;

	l->job = NULL;
	queue_charge(&p->q, j, p->now - j->time_began);
	p->ended[j->id] = p->now;
	job_move(&p->q, j, JOB_DONE);
	queue_forget(&p->q, j);
	p->over++;
}

static inline void
play_end(struct play *p)
{
	for (unsigned i = 0; i < p->nslots; i++)
		if (p->slots[i].job != NULL && p->slots[i].ends <= p->now) {
			play_end_timing(p, &p->slots[i]);
			play_give(p);
		}
	for (unsigned i = 0; i < p->nbuilders; i++) {
		struct play_place	*l = &p->builders[i];

		if (l->job == NULL || l->ends > p->now)
			continue;
		l->job->build_ended = p->now;
		job_move(&p->q, l->job, JOB_BUILT);
		l->job = NULL;
	}
}

/* One event; false: nothing is at work any more. */
static inline bool
play_step(struct play *p)
{
	double	next;

	play_give(p);
	if (!isfinite(next = play_next(p, INFINITY)))
		return false;
	p->now = next;
	play_end(p);
	return true;
}

static inline void
play_until_over(struct play *p, int64_t over)
{
	while (p->over < over && play_step(p))
		;
}

/* ---- what was expected ---- */

static inline struct queue_places
play_places(const struct play *p)
{
	struct queue_places	places = { .builders = p->nbuilders, .now_s = p->now };

	for (unsigned i = 0; i < p->nslots; i++)
		for (unsigned w = 0; w < p->q.nwidths; w++)
			places.slots[w] += p->slots[i].width >= p->q.width[w];
	return places;
}

static inline void
play_ask(struct play *p)
{
	const struct queue_places	 places = play_places(p);
	const struct queued_job		*j;

	p->asked = p->now;
	p->timing_then = play_ntiming(p);
	p->begun_then = p->begun;
	for (int64_t id = 1; id <= p->last_id; id++)
		if ((j = queue_find(&p->q, id)) != NULL)
			estimate_job(&p->q, &places, j, &p->expected[id]);
}

/* Jobs that were in fact timed before this one, counted from the time when it was asked. */
static inline int64_t
play_position(const struct play *p, int64_t id)
{
	return p->place[id] - 1 - p->begun_then + p->timing_then;
}

#endif
