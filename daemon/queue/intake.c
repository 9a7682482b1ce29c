/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/queue/intake.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"

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
	struct queued_job	*jobs;		/* owned; the new ones */
	int64_t			*ids;		/* owned; of all */
	size_t			 n, njobs, max, repeated;
	struct job		 last;		/* owned; the job decoded last, and its document */
	json_t			*last_doc;	/* owned; NULL: none */
	struct brief_shared	*shared;	/* a reference; of its spec; NULL: none yet */
	admitted_fn		*fn;
	void			*arg;
};

enum status
intake_new(struct intake **out, struct store *store, struct queue *queue,
    void (*on_work)(void *), void *arg, struct fault *why)
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
	brief_unshare(b->shared);
	for (size_t i = 0; i < b->njobs; i++)
		brief_release(&b->jobs[i].brief);
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

/* *shared becomes the part of this job's spec, unless it is already. */
static enum status
share_spec(struct brief_shared **shared, const struct job *job, const json_t *doc, int64_t spec_id,
    const char *spec, const char *sweep_name)
{
	if (*shared != NULL && (*shared)->spec_id == spec_id)
		return ST_OK;
	brief_unshare(*shared);
	*shared = brief_share(job, doc, spec_id, spec, sweep_name);
	return *shared != NULL ? ST_OK : ST_NOMEM;
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

/* One more new job, from what was decoded and stored last. */
static enum status
batch_queue(struct batch *b, struct stored_job *s, struct fault *why)
{
	struct queued_job	*j = &b->jobs[b->njobs];
	enum status		 st;

	*j = scheduled(&b->last, s->id, b->sweep_id, b->who, b->now);
	if ((st = share_spec(&b->shared, &b->last, b->last_doc, s->spec_id, s->spec,
	    b->sweep_name)) == ST_OK)
		st = brief_make(&j->brief, &b->last, b->last_doc, b->shared, s->rest);
	else
		free(s->rest);
	if (st != ST_OK)
		return fault_set(why, ST_NOMEM, "submission");
	b->njobs++;
	return ST_OK;
}

static enum status
batch_store(struct batch *b, const struct new_job *row, struct fault *why)
{
	struct stored_job	s;
	enum status		st;

	if (b->existed) {
		st = store_find_again(b->in->store, row, b->n != 0 ? b->ids[b->n - 1] :
		    0, &s.id, why);
		s.repeated = true;
		s.rest = NULL;
	} else
		st = store_add_job(b->in->store, row, &s, why);
	if (st != ST_OK)
		return st;
	b->ids[b->n++] = s.id;
	if (!s.repeated)
		return batch_queue(b, &s, why);
	free(s.rest);
	b->repeated++;
	return ST_OK;
}

static enum status
batch_add(struct batch *b, const json_t *doc, struct fault *why)
{
	const struct job *job = &b->last;
	struct new_job	 row;
	enum status	 st;

	if ((st = batch_grow(b, why)) != ST_OK || (st = batch_decode(b, doc, why)) != ST_OK)
		return st;
	row = (struct new_job){ .sweep_id = b->sweep_id, .submitter = b->who, .submitted = b->now,
		.name = job->variant.name, .routine = job->spec.routine.name, .key = job->key,
		.priority = job->priority, .doc = doc };
	return batch_store(b, &row, why);
}

/* The briefs of queued jobs are the queue's from now on. */
static void
batch_hand_over(struct batch *b)
{
	for (size_t i = 0; i < b->njobs; i++) {
		if (queue_add(b->in->queue, &b->jobs[i], NULL) == ST_OK)
			memset(&b->jobs[i].brief, 0, sizeof b->jobs[i].brief);
		else
			log_error("job=%" PRId64 " could not be queued: it stays on disk for "
			    "the next start", b->jobs[i].id);
	}
}

/* Everything is on disk, or nothing is. */
static void
batch_is_durable(void *arg, enum status st, const struct fault *why)
{
	struct batch	*b = arg;
	struct admitted	 a = { .status = st, .ids = b->ids, .n = b->n, .repeated = b->repeated,
		.sweep_id = b->sweep_id, .sweep_name = b->sweep_name,
		.existed = b->existed, .why = why };

	if (st == ST_OK)
		batch_hand_over(b);
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
		st = fault_set(why, ST_FULL, "%zu jobs in one call, at most %d", n,
		    INTAKE_MAX_JOBS);
		fault_hint(why, "send them in several calls");
		return st;
	}
	if (queue_live(in->queue) + n > in->queue->limit) {
		st = fault_set(why, ST_FULL, "the queue holds %zu jobs, at most %zu",
		    queue_live(in->queue), in->queue->limit);
		fault_hint(why, "wait until some are over, or raise queue-limit");
		return st;
	}
	return ST_OK;
}

/* End a batch: its rows are written (st OK), or it was refused on the way. */
static enum status
batch_close(struct batch *b, enum status st, struct fault *why)
{
	struct store	*store = b->in->store;

	if (st == ST_OK)
		st = store_keep(store, why);
	if (st == ST_OK && store_when_durable(store, batch_is_durable, b, true) != ST_OK)
		st = fault_set(why, ST_NOMEM, "submission");
	if (st != ST_OK) {
		store_undo(store);
		batch_free(b);
	}
	return st;
}

/* A batch with the store marked, so that batch_close can undo. */
static enum status
batch_open(struct batch **out, struct intake *in, uid_t who, admitted_fn *fn, void *arg,
    struct fault *why)
{
	enum status	st;

	if ((*out = batch_new(in, who, fn, arg)) == NULL)
		return fault_set(why, ST_NOMEM, "submission");
	if ((st = store_mark(in->store, why)) != ST_OK)
		batch_free(*out);
	return st;
}

enum status
intake_jobs(struct intake *in, uid_t who, const json_t *jobs, admitted_fn *fn, void *arg,
    struct fault *why)
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

/*
 * The part of a sweep that is kept beside its jobs: all but members that are in them anyway, and
 * the number of variants.
 */
static json_t *
sweep_summary(const json_t *sweep)
{
	json_t	*summary = json_copy((json_t *)(uintptr_t)sweep);
	json_t	*variants = json_object_get(sweep, "variants");

	(void)json_object_del(summary, "spec");
	if (variants != NULL)
		(void)json_object_set_new(summary, "variants",
		    json_integer((json_int_t)json_array_size(variants)));
	return summary;
}

static enum status
start_sweep(struct batch *b, const json_t *sweep, struct fault *why)
{
	const char	*name = json_string_value(json_object_get(sweep, "name"));
	json_t		*summary;
	enum status	 st;

	if (name == NULL || name[0] == '\0' || strlen(name) > SPEC_MAX_NAME)
		return fault_at(why, ST_BAD_SPEC, "name", "must be a string of 1 to %d bytes",
		    SPEC_MAX_NAME);
	if (name[strspn(name, "0123456789")] == '\0') {
		st = fault_at(why, ST_BAD_SPEC, "name",
		    "\"%s\" could be taken for a sweep's number", name);
		fault_hint(why, "use a name with a letter in it");
		return st;
	}
	if ((summary = sweep_summary(sweep)) == NULL || (b->sweep_name = strdup(name)) == NULL)
		st = fault_set(why, ST_NOMEM, "sweep");
	else
		st = store_add_sweep(b->in->store, name, b->who, b->now, summary,
		    &b->sweep_id, &b->existed, why);
	json_decref(summary);
	return st;
}

enum status
intake_sweep(struct intake *in, uid_t who, const json_t *sweep, admitted_fn *fn, void *arg,
    struct fault *why)
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
intake_document(struct intake *in, uid_t who, expand_fn *expand, const json_t *doc,
    admitted_fn *fn, void *arg, struct fault *why)
{
	struct expansion	 x = { .n = 0 };
	enum status		 st;

	if ((st = batch_open(&x.batch, in, who, fn, arg, why)) != ST_OK)
		return st;
	return batch_close(x.batch, expand(doc, add_point, &x, why), why);
}

/* ---- start-up ---- */

/* What goes from one unfinished job to the next: jobs of one sweep have one spec. */
struct recovery {
	struct intake		*in;
	json_t			*spec;		/* owned; of the spec in `shared` */
	struct brief_shared	*shared;	/* a reference; NULL: none yet */
	int64_t			 sweep_id;	/* that it is of */
};

/* Read again what the store has; NULL: it makes no sense. */
static json_t *
read_again(struct recovery *r, const struct unfinished *u)
{
	json_t	*doc = json_loads(u->rest, 0, NULL);

	if (r->shared == NULL || r->shared->spec_id != u->spec_id || r->sweep_id != u->sweep_id) {
		brief_unshare(r->shared);
		r->shared = NULL;
		json_decref(r->spec);
		r->spec = json_loads(u->spec, 0, NULL);
		r->sweep_id = u->sweep_id;
	}
	if (doc != NULL && json_object_set(doc, "spec", r->spec) == 0)
		return doc;
	json_decref(doc);
	return NULL;
}

static enum status
brief_again(struct recovery *r, const struct unfinished *u, const struct job *job,
    const json_t *doc, struct brief *out)
{
	const char	*sweep_name = u->sweep_id != 0 ? u->sweep_name : NULL;
	char		*rest = strdup(u->rest);

	if (rest != NULL &&
	    share_spec(&r->shared, job, doc, u->spec_id, u->spec, sweep_name) == ST_OK)
		return brief_make(out, job, doc, r->shared, rest);
	free(rest);
	return ST_NOMEM;
}

/*
 * A job that an older version accepted, and this one cannot read, fails when it is built, with the
 * reason.
 */
static struct queued_job
unreadable(const struct unfinished *u, const struct fault *why)
{
	char	line[sizeof *why];

	return (struct queued_job){ .id = u->id, .sweep_id = u->sweep_id, .submitter = u->submitter,
		.submitted = u->submitted, .window_from = -1, .window_to = -1,
		.brief = { .unreadable = strdup(fault_line(why, line, sizeof line)) } };
}

static enum status
requeue(void *arg, const struct unfinished *u)
{
	struct recovery		*r = arg;
	struct queued_job	 j;
	struct fault		 why = { .text = "its document is damaged" };
	struct job		 job;
	json_t			*doc = read_again(r, u);
	enum status		 st = ST_OK;

	if (doc != NULL && job_decode(&job, doc, &why) == ST_OK) {
		j = scheduled(&job, u->id, u->sweep_id, u->submitter, u->submitted);
		st = brief_again(r, u, &job, doc, &j.brief);
		job_release(&job);
	} else
		j = unreadable(u, &why);
	json_decref(doc);
	if (st == ST_OK && (st = queue_add(r->in->queue, &j, NULL)) != ST_OK)
		brief_release(&j.brief);
	return st == ST_CONFLICT ? ST_OK : st;
}

enum status
intake_recover(struct intake *in, struct fault *why)
{
	struct recovery	r = { .in = in };
	enum status	st = store_each_unfinished(in->store, requeue, &r, why);

	brief_unshare(r.shared);
	json_decref(r.spec);
	if (st == ST_OK && queue_live(in->queue) != 0) {
		log_info("queue recovered=%zu", queue_live(in->queue));
		in->on_work(in->on_work_arg);
	}
	return st;
}
