/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/dispatch/ending.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"

/* A result on its way to the disk. */
struct ending {
	struct endings		*all;		/* borrowed */
	int64_t			 job_id, cursor;
	enum status		 outcome;
	struct judgement	 judgement;	/* its text is owned */
	char			*detail, *fitness;	/* owned; NULL: none */
};

static enum job_state
final_state(enum status outcome)
{
	switch (outcome) {
	case ST_OK:		return JOB_DONE;
	case ST_CANCELLED:	return JOB_CANCELLED;
	case ST_EXPIRED:	return JOB_EXPIRED;
	default:		return JOB_FAILED;
	}
}

static void
ending_free(struct ending *e)
{
	if (e == NULL)
		return;
	free(e->judgement.text);
	free(e->detail);
	free(e->fitness);
	free(e);
}

static void
tell(const struct ending *e, const struct queued_job *j)
{
	const struct news	n = { .job_id = j->id, .sweep_id = j->sweep_id, .cursor = e->cursor,
		.submitter = j->submitter, .outcome = e->outcome, .detail = e->detail,
		.value_ns = e->judgement.value_ns, .estimator = e->judgement.estimator,
		.fitness = e->fitness, .text = e->judgement.text };
	struct endings		*all = e->all;
	const enum job_state	 to = final_state(e->outcome);
	struct queued_job	*job = queue_find(all->queue, j->id);

	log_info("job=%" PRId64 " state=%s status=%s", j->id, job_state_name(to),
	    status_word(e->outcome));
	job_move(all->queue, job, to);
	queue_forget(all->queue, job);
	if (all->on_news != NULL)
		all->on_news(all->news_arg, &n);
}

/* A job that has no result goes through its last stage again. */
static void
go_back(struct queue *q, struct queued_job *j)
{
	if (j->state == JOB_TIMING || j->state == JOB_BUILDING)
		job_move(q, j, JOB_QUEUED);
}

/* The result is on disk, or the disk refused it. */
static void
ending_is_durable(void *arg, enum status st, const struct fault *why)
{
	struct ending		*e = arg;
	struct queue		*q = e->all->queue;
	struct queued_job	*j = queue_find(q, e->job_id);
	const enum job_state	 to = final_state(e->outcome);

	if (j == NULL)
		bug("job=%" PRId64 " ended twice", e->job_id);
	j->ending = false;
	if (st == ST_OK) {
		tell(e, j);
	/* it has one, from before a crash of the daemon: there is no news */
	} else if (st == ST_CONFLICT) {
		log_error("job=%" PRId64 " %s", e->job_id, why->text);
		job_move(q, j, to == JOB_DONE && j->state != JOB_TIMING ? JOB_FAILED : to);
		queue_forget(q, j);
	} else {
		log_error("job=%" PRId64 " its result could not be stored: %s",
		    e->job_id, why->text);
		go_back(q, j);
	}
	ending_free(e);
}

static enum status
judge(struct ending *e, const struct case_file *c)
{
	enum status	st = judge_result(c, &e->judgement);

	if (c->detail != NULL)
		e->detail = strdup(c->detail);
	if (c->fitness != NULL)
		e->fitness = strdup(c->fitness);
	return st;
}

static enum status
store_ending(struct ending *e, const struct case_file *c, struct fault *why)
{
	const struct new_result	r = { .job_id = e->job_id, .cursor = e->cursor,
		.outcome = e->outcome, .finished = c->finished, .value_ns = e->judgement.value_ns,
		.estimator = e->judgement.estimator, .json = e->judgement.text };
	const struct endings	*all = e->all;
	enum status		 st = store_add_result(all->store, &r, why);

	if (st != ST_OK)
		return st;
	return store_when_durable(all->store, ending_is_durable, e,
	    all->is_awaited != NULL && all->is_awaited(all->news_arg, e->job_id, c->job->sweep_id));
}

void
ending_begin(struct endings *all, struct queued_job *j, enum status outcome, const char *detail,
    const struct report *timed, const char *fitness)
{
	struct case_file	 c = { .job = j, .outcome = outcome, .detail = detail,
		.timed = timed, .fitness = fitness, .finished = clock_wall_s(),
		.cursor = store_next_cursor(all->store) };
	struct ending		*e = calloc(1, sizeof *e);
	struct fault		 why = { .status = ST_OK };
	enum status		 st;

	if (e == NULL || judge(e, &c) != ST_OK) {
		log_error("job=%" PRId64 " out of memory for its result", j->id);
		ending_free(e);
		go_back(all->queue, j);
		return;
	}
	e->all = all;
	e->job_id = j->id;
	e->cursor = c.cursor;
	e->outcome = outcome;
	j->ending = true;
	if ((st = store_ending(e, &c, &why)) != ST_OK)
		ending_is_durable(e, st, &why);
}
