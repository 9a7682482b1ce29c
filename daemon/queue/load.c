/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much work users have that may start, by what jobs of their sweeps have taken lately.  Sums
 * are kept as jobs come, go and end, so that an estimate walks over no jobs.
 */
#include <math.h>

#include "daemon/queue/queue_impl.h"

enum { RECENT = 64 };		/* jobs that a mean is of, about */

static void
user_add(const struct queue_group *g, unsigned width, int64_t jobs, int64_t unbuilt)
{
	struct load	*l = &g->user->load[width];

	l->jobs += jobs;
	l->unbuilt += unbuilt;
	if (g->pace.n == 0) {
		l->strange += jobs;
		l->strange_unbuilt += unbuilt;
	} else {
		l->time_us += jobs * g->pace.time_us;
		l->build_us += unbuilt * g->pace.build_us;
	}
}

void
load_add(const struct bunch *b, int64_t jobs, int64_t unbuilt)
{
	struct queue_group	*g = b->group;

	g->startable[b->width] = (uint32_t)(g->startable[b->width] + jobs);
	g->unbuilt[b->width] = (uint32_t)(g->unbuilt[b->width] + unbuilt);
	user_add(g, b->width, jobs, unbuilt);
}

static void
pace_add(struct pace *p, int64_t time_us, int64_t build_us)
{
	if (p->n < RECENT)
		p->n++;
	p->time_us += (time_us - p->time_us) / p->n;
	p->build_us += (build_us - p->build_us) / p->n;
}

static int64_t
built_in_us(const struct queued_job *j)
{
	const double	took_s = j->build_ended - j->build_began;

	return j->build_ended > 0 && took_s > 0 ? llrint(1e6 * took_s) : 0;
}

/* All attempts at a job count; one that had a stored result, or did not compile, took no slot. */
void
load_learn(struct queue *q, const struct queued_job *j)
{
	struct queue_group	*g = j->bunch->group;
	const int64_t		 time_us = llrintf(1e6f * j->timed_s);
	const int64_t		 build_us = built_in_us(j);

	if (j->state != JOB_DONE && j->state != JOB_FAILED)
		return;
	for (unsigned w = 0; w < QUEUE_WIDTHS; w++)
		user_add(g, w, -(int64_t)g->startable[w], -(int64_t)g->unbuilt[w]);
	pace_add(&q->pace, time_us, build_us);
	pace_add(&g->user->pace, time_us, build_us);
	pace_add(&g->pace, time_us, build_us);
	for (unsigned w = 0; w < QUEUE_WIDTHS; w++)
		user_add(g, w, g->startable[w], g->unbuilt[w]);
}

/* While a built job waits, all slots that may be used at the same time are used. */
void
load_note_slots(struct queue *q)
{
	if (RB_EMPTY(&q->to_time))
		return;
	if (q->nbusy < RECENT)
		q->nbusy++;
	q->busy_slots += ((double)q->ntiming - q->busy_slots) / q->nbusy;
}
