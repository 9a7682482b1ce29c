/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/dispatch/ending.h"
#include "daemon/store/store_lock.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"

/* A result on its way to the disk. */
struct ending {
	struct endings		*all;		/* borrowed */
	int64_t			 job_id, cursor;
	enum status		 outcome;
	struct judgement	 judgement;	/* its text is owned */
	char			*detail, *fitness;	/* owned; NULL: none */
	char			*identity;	/* owned; NULL: none */
	char			*visibility;	/* owned; as in struct row_owner */
	char			*meta;		/* owned; as JSON; NULL: none */
	struct new_result	 row;		/* its texts are those above */
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
	free(e->identity);
	free(e->visibility);
	free(e->meta);
	free(e);
}

static void
tell(const struct ending *e, const struct queued_job *j)
{
	const struct news	n = { .job_id = j->id, .sweep_id = j->sweep_id, .cursor = e->cursor,
		.submitter = j->submitter,
		.visibility = store_seen_by(e->all->store, j->sweep_id, e->visibility),
		.outcome = e->outcome, .detail = e->detail,
		.value_ns = e->judgement.value_ns, .estimator = e->judgement.estimator,
		.fitness = e->fitness, .text = e->judgement.text,
		.stages = e->judgement.spent, .timed_s = e->row.timed_s };
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

bool
endings_may_write(const struct endings *all)
{
	return all->refused_at == 0 || clock_now_s() - all->refused_at >= ENDINGS_REST_S;
}

/* Thousands may be refused together. */
static void
note_refused(struct endings *all, const struct ending *e, const struct fault *why)
{
	all->refused_at = clock_now_s();
	all->nrefused++;
	if (all->logged_at != 0 && all->refused_at - all->logged_at < ENDINGS_LOG_S)
		return;
	log_error("job=%" PRId64 " its result could not be stored, refused=%zu: %s", e->job_id,
	    all->nrefused, why->text);
	all->logged_at = all->refused_at;
	all->nrefused = 0;
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
	queue_set_ending(q, j, false);
	if (st == ST_OK) {
		tell(e, j);
	/* it has one, from before a crash of the daemon: there is no news */
	} else if (st == ST_CONFLICT) {
		log_error("job=%" PRId64 " %s", e->job_id, why->text);
		job_move(q, j, to == JOB_DONE && j->state != JOB_TIMING ? JOB_FAILED : to);
		queue_forget(q, j);
	} else {
		note_refused(e->all, e, why);
		go_back(q, j);
	}
	ending_free(e);
}

/* Of a timing that may be given again; NULL: it may not. */
static const char *
identity_of(const struct case_file *c)
{
	return c->outcome == ST_OK && c->stored == NULL && c->job->build != NULL ?
	    c->job->build->identity : NULL;
}

static enum status
judge(struct ending *e, const struct case_file *c)
{
	enum status	st = judge_result(c, &e->judgement);

	if (c->detail != NULL)
		e->detail = strdup(c->detail);
	if (c->fitness != NULL)
		e->fitness = strdup(c->fitness);
	if (identity_of(c) != NULL)
		e->identity = strdup(identity_of(c));
	if (c->job->brief != NULL && c->job->brief->visibility != NULL)
		e->visibility = strdup(c->job->brief->visibility);
	if (c->job->brief != NULL && c->job->brief->meta != NULL)
		e->meta = json_dumps(c->job->brief->meta, JSON_COMPACT | JSON_SORT_KEYS);
	return st;
}

static void
fill_row(struct ending *e, const struct case_file *c)
{
	e->row = (struct new_result){ .job_id = e->job_id, .cursor = e->cursor,
		.outcome = e->outcome, .finished = c->finished, .value_ns = e->judgement.value_ns,
		.estimator = e->judgement.estimator, .json = e->judgement.text,
		.submitter = c->job->submitter, .timed_s = (double)c->job->timed_s,
		.virtual_s = queue_share(c->job), .identity = e->identity,
		.ended = c->ended, .half = e->judgement.half,
		.repeat_of = c->stored != NULL ? c->repeat_of : 0,
		.is_yardstick = c->job->brief != NULL && c->job->brief->yardstick,
		.interval_ns = e->judgement.has_interval ? e->judgement.interval_ns : NULL,
		.bound_ns = e->judgement.bound_ns, .host_class = c->host_class,
		.meta = e->meta };
}

static enum status
write_row(struct ending *e, int64_t sweep_id, struct fault *why)
{
	const struct endings	*all = e->all;
	enum status		 st = store_add_result(all->store, &e->row, why);

	if (st != ST_OK)
		return st;
	return store_when_durable(all->store, ending_is_durable, e,
	    all->is_awaited != NULL && all->is_awaited(all->news_arg, e->job_id, sweep_id));
}

/* Another process let go of the database, or the daemon stops before that. */
static void
on_unlocked(void *arg, enum status st, const struct fault *why)
{
	struct ending		*e = arg;
	const struct queued_job	*j = queue_find(e->all->queue, e->job_id);
	struct fault		 local = *why;

	if (st == ST_OK)
		st = write_row(e, j != NULL ? j->sweep_id : 0, &local);
	if (st != ST_OK)
		ending_is_durable(e, st, &local);
}

/* A result waits in memory while another process has the database. */
static enum status
store_ending(struct ending *e, int64_t sweep_id, struct fault *why)
{
	struct store	*store = e->all->store;
	enum status	 st = write_row(e, sweep_id, why);

	if (st != ST_UNAVAILABLE || !store_is_locked(store))
		return st;
	store_take_cursor(store, e->cursor);
	return store_when_unlocked(store, on_unlocked, e);
}

static void
begin(struct endings *all, struct queued_job *j, struct case_file *c)
{
	struct ending	*e = calloc(1, sizeof *e);
	struct fault	 why = { .status = ST_OK };
	enum status	 st;

	c->job = j;
	c->host_class = all->host_class;
	c->finished = clock_wall_s();
	c->ended = clock_now_s();
	c->cursor = store_next_cursor(all->store);
	if (e == NULL || judge(e, c) != ST_OK) {
		log_error("job=%" PRId64 " out of memory for its result", j->id);
		ending_free(e);
		go_back(all->queue, j);
		return;
	}
	e->all = all;
	e->job_id = j->id;
	e->cursor = c->cursor;
	e->outcome = c->outcome;
	queue_set_ending(all->queue, j, true);
	fill_row(e, c);
	if ((st = store_ending(e, j->sweep_id, &why)) != ST_OK)
		ending_is_durable(e, st, &why);
}

void
ending_begin(struct endings *all, struct queued_job *j, enum status outcome, const char *detail,
    const struct report *timed, const char *fitness)
{
	struct case_file	c = { .outcome = outcome, .detail = detail, .timed = timed,
				    .fitness = fitness };

	begin(all, j, &c);
}

void
ending_repeat(struct endings *all, struct queued_job *j, const json_t *stored, int64_t of,
    const char *fitness)
{
	struct case_file	c = { .outcome = ST_OK, .stored = stored, .repeat_of = of,
				    .fitness = fitness };

	begin(all, j, &c);
}
