/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/queue/intake.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"
#include "proto/spec/spec.h"

struct intake {
	struct store	*store;		/* borrowed */
	struct queue	*queue;		/* borrowed */
	void		(*on_work)(void *);
	void		*on_work_arg;
	intake_check_fn	*check;		/* NULL: none */
	void		*check_arg;
};

/* One call on its way to the disk. */
struct batch {
	struct intake		*in;		/* borrowed; outlives every batch */
	uid_t			 who;
	double			 now;
	int64_t			 sweep_id;
	char			*sweep_name;	/* owned; NULL: not a sweep */
	bool			 existed;	/* the sweep, with all its jobs */
	struct queued_job	*jobs;		/* owned; those that are new */
	int64_t			*ids;		/* owned; of all */
	size_t			 n, njobs, max, repeated;
	struct job		 last;		/* owned; the job decoded last, and its document */
	json_t			*last_doc;	/* owned; NULL: none */
	admitted_fn		*fn;
	void			*arg;
};

enum status
intake_new(struct intake **out, struct store *store, struct queue *queue, void (*on_work)(void *), void *arg,
    struct fault *why)
{
	if ((*out = calloc(1, sizeof **out)) == NULL)
		return fault_set(why, ST_NOMEM, "intake");
	(*out)->store = store;
	(*out)->queue = queue;
	(*out)->on_work = on_work;
	(*out)->on_work_arg = arg;
	return ST_OK;
}

void
intake_check_with(struct intake *in, intake_check_fn *check, void *arg)
{
	in->check = check;
	in->check_arg = arg;
}

void
intake_free(struct intake *in)
{
	free(in);
}

static void
batch_free(struct batch *b)
{
	if (b == NULL)
		return;
	job_release(&b->last);
	json_decref(b->last_doc);
	free(b->sweep_name);
	free(b->jobs);
	free(b->ids);
	free(b);
}

static struct batch *
batch_new(struct intake *in, uid_t who, admitted_fn *fn, void *arg)
{
	struct batch	*b = calloc(1, sizeof *b);

	if (b == NULL)
		return NULL;
	b->in = in;
	b->who = who;
	b->now = clock_wall_s();
	b->fn = fn;
	b->arg = arg;
	return b;
}

/* What scheduling needs of a decoded job. */
static struct queued_job
scheduled(const struct job *job, int64_t id, int64_t sweep_id, uid_t who, double submitted)
{
	return (struct queued_job){
		.id = id, .sweep_id = sweep_id, .submitter = who, .priority = job->priority,
		.not_before = job->not_before, .deadline = job->deadline,
		.window_from = (int16_t)job->window_from, .window_to = (int16_t)job->window_to,
		.threads = job->threads, .retries = (uint16_t)job->retries, .submitted = submitted,
	};
}

static enum status
batch_grow(struct batch *b, struct fault *why)
{
	size_t	 max = b->max != 0 ? b->max * 2 : 16;
	void	*jobs, *ids;

	if (b->n < b->max)
		return ST_OK;
	if ((jobs = realloc(b->jobs, max * sizeof *b->jobs)) != NULL)
		b->jobs = jobs;
	if ((ids = realloc(b->ids, max * sizeof *b->ids)) != NULL)
		b->ids = ids;
	if (jobs == NULL || ids == NULL)
		return fault_set(why, ST_NOMEM, "submission");
	b->max = max;
	return ST_OK;
}

/* Into b->last.  Jobs of one call mostly share their spec: then it is decoded once. */
static enum status
batch_decode(struct batch *b, const json_t *doc, struct fault *why)
{
	struct job	job;
	enum status	st = job_decode_next(&job, doc, &b->last, b->last_doc, why);

	job_release(&b->last);
	json_decref(b->last_doc);
	b->last_doc = NULL;
	if (st != ST_OK)
		return st;
	b->last = job;
	b->last_doc = json_incref((json_t *)(uintptr_t)doc);
	return b->in->check != NULL ? b->in->check(b->in->check_arg, &b->last, why) : ST_OK;
}

static enum status
batch_store(struct batch *b, const struct new_job *row, int64_t *id, bool *repeated, struct fault *why)
{
	if (!b->existed)
		return store_add_job(b->in->store, row, id, repeated, why);
	*repeated = true;
	return store_find_again(b->in->store, row, b->n != 0 ? b->ids[b->n - 1] : 0, id, why);
}

static enum status
batch_add(struct batch *b, const json_t *doc, struct fault *why)
{
	const struct job *job = &b->last;
	struct new_job	 row;
	bool		 repeated;
	int64_t		 id;
	enum status	 st;

	if ((st = batch_grow(b, why)) != ST_OK || (st = batch_decode(b, doc, why)) != ST_OK)
		return st;
	row = (struct new_job){ .sweep_id = b->sweep_id, .submitter = b->who, .submitted = b->now,
		.name = job->variant.name, .routine = job->spec.routine.name, .key = job->key,
		.priority = job->priority, .doc = doc };
	if ((st = batch_store(b, &row, &id, &repeated, why)) == ST_OK) {
		b->ids[b->n++] = id;
		if (repeated)
			b->repeated++;
		else
			b->jobs[b->njobs++] = scheduled(job, id, b->sweep_id, b->who, b->now);
	}
	return st;
}

/* Everything is on disk, or nothing is. */
static void
batch_is_durable(void *arg, enum status st, const struct fault *why)
{
	struct batch	*b = arg;
	struct admitted	 a = { .status = st, .ids = b->ids, .n = b->n, .repeated = b->repeated,
		.sweep_id = b->sweep_id, .sweep_name = b->sweep_name,
		.existed = b->existed, .why = why };

	for (size_t i = 0; st == ST_OK && i < b->njobs; i++)
		if (queue_add(b->in->queue, &b->jobs[i], NULL) != ST_OK)
			log_error("job=%" PRId64 " could not be queued: it stays on disk for the next start",
			    b->jobs[i].id);
	b->fn(b->arg, &a);
	if (st == ST_OK && b->njobs != 0)
		b->in->on_work(b->in->on_work_arg);
	batch_free(b);
}

static enum status
room_for(const struct intake *in, size_t n, struct fault *why)
{
	enum status	st;

	if (n > INTAKE_MAX_JOBS) {
		st = fault_set(why, ST_FULL, "%zu jobs in one call, at most %d", n, INTAKE_MAX_JOBS);
		fault_hint(why, "send them in several calls");
		return st;
	}
	if (queue_live(in->queue) + n > in->queue->limit) {
		st = fault_set(why, ST_FULL, "the queue holds %zu jobs, at most %zu", queue_live(in->queue),
		    in->queue->limit);
		fault_hint(why, "wait until some are over, or raise queue-limit");
		return st;
	}
	return ST_OK;
}

/* End a batch whose rows are written (st OK) or that was refused on the way. */
static enum status
batch_close(struct batch *b, enum status st, struct fault *why)
{
	struct store	*store = b->in->store;

	if (st == ST_OK)
		st = store_keep(store, why);
	if (st == ST_OK && store_when_durable(store, batch_is_durable, b) != ST_OK)
		st = fault_set(why, ST_NOMEM, "submission");
	if (st != ST_OK) {
		store_undo(store);
		batch_free(b);
	}
	return st;
}

/* A batch with the store marked, so that batch_close can undo. */
static enum status
batch_open(struct batch **out, struct intake *in, uid_t who, admitted_fn *fn, void *arg, struct fault *why)
{
	enum status	st;

	if ((*out = batch_new(in, who, fn, arg)) == NULL)
		return fault_set(why, ST_NOMEM, "submission");
	if ((st = store_mark(in->store, why)) != ST_OK)
		batch_free(*out);
	return st;
}

enum status
intake_jobs(struct intake *in, uid_t who, const json_t *jobs, admitted_fn *fn, void *arg, struct fault *why)
{
	struct batch	*b;
	const json_t	*doc;
	size_t		 i;
	enum status	 st;

	if ((st = room_for(in, json_array_size(jobs), why)) != ST_OK)
		return st;
	if ((st = batch_open(&b, in, who, fn, arg, why)) != ST_OK)
		return st;
	json_array_foreach(jobs, i, doc) {
		if ((st = batch_add(b, doc, why)) != ST_OK) {
			char	place[32];

			(void)snprintf(place, sizeof place, "[%zu]", i);
			(void)fault_within(why, place);
			break;
		}
	}
	return batch_close(b, st, why);
}

struct expansion {
	struct batch	*batch;
	size_t		 n;
};

static enum status
add_point(void *arg, json_t *doc, struct fault *why)
{
	struct expansion	*x = arg;
	enum status		 st = ST_OK;

	if (!x->batch->existed)
		st = room_for(x->batch->in, ++x->n, why);
	if (st == ST_OK)
		st = batch_add(x->batch, doc, why);
	json_decref(doc);
	return st;
}

/* What of a sweep is kept beside its jobs: all but the parts that are in them anyway, and how many variants. */
static json_t *
sweep_summary(const json_t *sweep)
{
	json_t	*summary = json_copy((json_t *)(uintptr_t)sweep), *variants = json_object_get(sweep, "variants");

	(void)json_object_del(summary, "spec");
	if (variants != NULL)
		(void)json_object_set_new(summary, "variants", json_integer((json_int_t)json_array_size(variants)));
	return summary;
}

static enum status
start_sweep(struct batch *b, const json_t *sweep, struct fault *why)
{
	const char	*name = json_string_value(json_object_get(sweep, "name"));
	json_t		*summary;
	enum status	 st;

	if (name == NULL || name[0] == '\0' || strlen(name) > SPEC_MAX_NAME)
		return fault_at(why, ST_BAD_SPEC, "name", "must be a string of 1 to %d bytes", SPEC_MAX_NAME);
	if (name[strspn(name, "0123456789")] == '\0') {
		st = fault_at(why, ST_BAD_SPEC, "name", "\"%s\" could be taken for a sweep's number", name);
		fault_hint(why, "use a name with a letter in it");
		return st;
	}
	if ((summary = sweep_summary(sweep)) == NULL || (b->sweep_name = strdup(name)) == NULL)
		st = fault_set(why, ST_NOMEM, "sweep");
	else
		st = store_add_sweep(b->in->store, name, b->who, b->now, summary, &b->sweep_id, &b->existed,
		    why);
	json_decref(summary);
	return st;
}

enum status
intake_sweep(struct intake *in, uid_t who, const json_t *sweep, admitted_fn *fn, void *arg, struct fault *why)
{
	struct expansion	 x = { .n = 0 };
	enum status		 st;

	if ((st = batch_open(&x.batch, in, who, fn, arg, why)) != ST_OK)
		return st;
	if ((st = start_sweep(x.batch, sweep, why)) == ST_OK)
		st = sweep_expand(sweep, add_point, &x, why);
	return batch_close(x.batch, st, why);
}

enum status
intake_compare(struct intake *in, uid_t who, const json_t *doc, admitted_fn *fn, void *arg, struct fault *why)
{
	struct expansion	 x = { .n = 0 };
	enum status		 st;

	if ((st = batch_open(&x.batch, in, who, fn, arg, why)) != ST_OK)
		return st;
	return batch_close(x.batch, contest_expand(doc, add_point, &x, why), why);
}

/* ---- start-up ---- */

static enum status
requeue(void *arg, const struct unfinished *u)
{
	struct intake		*in = arg;
	struct queued_job	 template;
	struct fault		 why;
	struct job		 job;
	json_t			*doc;
	enum status		 st;

	if (store_job_doc(in->store, u->id, &doc, &why) != ST_OK) {
		log_error("job=%" PRId64 " %s", u->id, why.text);
		return ST_OK;
	}
	if (job_decode(&job, doc, &why) == ST_OK) {
		template = scheduled(&job, u->id, u->sweep_id, u->submitter, u->submitted);
		job_release(&job);
	} else {	/* accepted by an older version: it fails when it is built, with the reason */
		template = (struct queued_job){ .id = u->id, .sweep_id = u->sweep_id, .submitter = u->submitter,
			.submitted = u->submitted, .window_from = -1, .window_to = -1 };
	}
	json_decref(doc);
	st = queue_add(in->queue, &template, NULL);
	return st == ST_CONFLICT ? ST_OK : st;
}

enum status
intake_recover(struct intake *in, struct fault *why)
{
	enum status	st = store_each_unfinished(in->store, requeue, in, why);

	if (st == ST_OK && queue_live(in->queue) != 0) {
		log_info("queue recovered=%zu", queue_live(in->queue));
		in->on_work(in->on_work_arg);
	}
	return st;
}
