/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/queue/arrivals.h"
#include "daemon/queue/intake.h"
#include "daemon/queue/recovery.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"

enum { SHORT_QUEUE = 256 };

struct intake {
	struct admission	 admission;
	struct arrivals		*arrivals;	/* owned */
};

/* One call on its way to the disk. */
struct batch {
	const struct admission	*in;		/* borrowed; outlives every batch */
	uid_t			 who;
	double			 now;
	int64_t			 sweep_id;
	char			*sweep_name;	/* owned; NULL: not a sweep */
	bool			 existed;	/* the sweep, with all its jobs */
	struct queued_job	*jobs;		/* owned; the new ones */
	int64_t			*ids;		/* owned; of all */
	size_t			 n, njobs, max, repeated;
	struct decoded		 last;
	struct brief_shared	*shared;	/* a reference; of its spec; NULL: none yet */
	struct quota_claim	 claim;
	int64_t			 counted_spec;	/* of the last new job; 0: none yet */
	size_t			 more_bytes;	/* the sweep's document, until a job has it */
	uint64_t		 bytes;		/* of the new jobs */
	admitted_fn		*fn;
	void			*arg;
};

enum status
intake_new(struct intake **out, struct store *store, struct queue *queue,
    void (*on_work)(void *), void *arg, struct fault *why)
{
	enum status	st;

	if ((*out = calloc(1, sizeof **out)) == NULL)
		return fault_set(why, ST_NOMEM, "intake");
	(*out)->admission = (struct admission){ .store = store, .queue = queue,
	    .on_work = on_work, .on_work_arg = arg };
	if ((st = arrivals_new(&(*out)->arrivals, &(*out)->admission, why)) != ST_OK) {
		intake_free(*out);
		*out = NULL;
	}
	return st;
}

void
intake_check_with(struct intake *in, admission_check_fn *check, void *arg)
{
	in->admission.check = check;
	in->admission.check_arg = arg;
}

void
intake_free(struct intake *in)
{
	if (in == NULL)
		return;
	arrivals_free(in->arrivals);
	free(in);
}

static void
batch_free(struct batch *b)
{
	if (b == NULL)
		return;
	quota_claim_end(&b->claim);
	admission_release(&b->last);
	brief_unshare(b->shared);
	for (size_t i = 0; i < b->njobs; i++)
		brief_free(b->jobs[i].brief);
	free(b->sweep_name);
	free(b->jobs);
	free(b->ids);
	free(b);
}

static struct batch *
batch_new(const struct admission *in, uid_t who, admitted_fn *fn, void *arg)
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

/* b->shared becomes the part of the last job's spec, unless it is already. */
static enum status
share_spec(struct batch *b, const struct stored_job *s)
{
	if (b->shared != NULL && b->shared->spec_id == s->spec_id)
		return ST_OK;
	brief_unshare(b->shared);
	b->shared = brief_share(&b->last.job, b->last.doc, s->spec_id, s->spec);
	return b->shared != NULL ? ST_OK : ST_NOMEM;
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

/* The first jobs of a short queue are built soon: they need not be read again for that. */
static enum status
batch_brief(struct batch *b, const struct stored_job *s, struct queued_job *j)
{
	if (queue_live(b->in->queue) + b->njobs >= SHORT_QUEUE)
		return ST_OK;
	if (share_spec(b, s) != ST_OK)
		return ST_NOMEM;
	j->brief = brief_new(&b->last.job, b->last.doc, b->shared, s->rest, b->sweep_name);
	return j->brief != NULL ? ST_OK : ST_NOMEM;
}

/* One more new job, from what was decoded and stored last. */
static enum status
batch_queue(struct batch *b, const struct stored_job *s, struct fault *why)
{
	const struct waiting_job	 w = { .id = s->id, .sweep_id = b->sweep_id,
					    .submitter = b->who, .submitted = b->now,
					    .bytes = s->bytes,
					    .terms = admission_terms(&b->last.job) };
	struct queued_job		*j = &b->jobs[b->njobs];

	*j = recovery_template(&w);
	if (batch_brief(b, s, j) != ST_OK)
		return fault_set(why, ST_NOMEM, "submission");
	b->njobs++;
	b->bytes += s->bytes;
	b->counted_spec = s->spec_id;
	b->more_bytes = 0;
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
	b->repeated += s.repeated;
	if (!s.repeated)
		st = batch_queue(b, &s, why);
	free(s.rest);
	return st;
}

static enum status
batch_add(struct batch *b, const json_t *doc, struct fault *why)
{
	struct new_job	 row;
	enum status	 st;

	if ((st = batch_grow(b, why)) != ST_OK ||
	    (st = admission_decode(b->in, &b->last, doc, why)) != ST_OK)
		return st;
	row = admission_row(&b->last, b->sweep_id, b->who, b->now);
	row.counted_spec = b->counted_spec;
	row.more_bytes = b->more_bytes;
	return batch_store(b, &row, why);
}

/* The briefs of queued jobs are the queue's from now on. */
static void
batch_hand_over(struct batch *b)
{
	quota_claim_end(&b->claim);
	for (size_t i = 0; i < b->njobs; i++) {
		if (queue_add(b->in->queue, &b->jobs[i], NULL) == ST_OK)
			b->jobs[i].brief = NULL;
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
		.existed = b->existed, .jobs = b->n, .why = why };

	if (st == ST_OK)
		batch_hand_over(b);
	b->fn(b->arg, &a);
	if (st == ST_OK && b->njobs != 0)
		b->in->on_work(b->in->on_work_arg);
	batch_free(b);
}

static enum status
room_for(const struct admission *in, size_t n, struct fault *why)
{
	enum status	st;

	if (n <= INTAKE_MAX_JOBS)
		return admission_room(in, n, why);
	st = fault_set(why, ST_FULL, "%zu jobs in one call, at most %d", n, INTAKE_MAX_JOBS);
	fault_hint(why, "send them in several calls");
	fault_of_user(why);
	return st;
}

/* End a batch: its rows are written (st OK), or it was refused on the way. */
static enum status
batch_close(struct batch *b, enum status st, struct fault *why)
{
	struct store	*store = b->in->store;

	if (st == ST_OK)
		st = quota_claim(&b->claim, b->in->queue, b->who, b->njobs, b->bytes, why);
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
batch_open(struct batch **out, const struct admission *in, uid_t who, admitted_fn *fn, void *arg,
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

	if ((st = room_for(&in->admission, json_array_size(jobs), why)) != ST_OK)
		return st;
	if ((st = batch_open(&b, &in->admission, who, fn, arg, why)) != ST_OK)
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
check_name(const struct intake *in, const char *name, struct fault *why)
{
	enum status	st;

	if (name == NULL || name[0] == '\0' || strlen(name) > SPEC_MAX_NAME)
		return fault_at(why, ST_BAD_SPEC, "name", "must be a string of 1 to %d bytes",
		    SPEC_MAX_NAME);
	if (name[strspn(name, "0123456789")] == '\0') {
		st = fault_at(why, ST_BAD_SPEC, "name",
		    "\"%s\" could be taken for a sweep's number", name);
		fault_hint(why, "use a name with a letter in it");
		return st;
	}
	return arrivals_check_name(in->arrivals, name, why);
}

static enum status
start_sweep(struct batch *b, const json_t *sweep, const char *name, struct fault *why)
{
	json_t		*summary;
	enum status	 st;

	summary = sweep_summary(sweep);
	b->more_bytes = json_dumpb(summary, NULL, 0, JSON_COMPACT);
	if (summary == NULL || (b->sweep_name = strdup(name)) == NULL)
		st = fault_set(why, ST_NOMEM, "sweep");
	else
		st = store_add_sweep(b->in->store, name, b->who, b->now, summary,
		    &b->sweep_id, &b->existed, why);
	json_decref(summary);
	return st;
}

static enum status
sweep_at_once(struct intake *in, const struct submission *s, struct fault *why)
{
	const char		*name = json_string_value(json_object_get(s->doc, "name"));
	struct expansion	 x = { .n = 0 };
	enum status		 st;

	if ((st = batch_open(&x.batch, &in->admission, s->who, s->fn, s->arg, why)) != ST_OK)
		return st;
	if ((st = start_sweep(x.batch, s->doc, name, why)) == ST_OK)
		st = sweep_expand(s->doc, add_point, &x, why);
	return batch_close(x.batch, st, why);
}

/* As written: nothing has been checked yet. */
static bool
is_large(const json_t *sweep)
{
	const char	*name;
	json_t		*values;
	uint64_t	 points = 1;

	if (json_object_get(sweep, "variants") != NULL)
		return false;
	json_object_foreach(json_object_get(sweep, "space"), name, values)
		if (__builtin_mul_overflow(points, json_array_size(values), &points))
			return true;
	return points > INTAKE_MAX_JOBS;
}

enum status
intake_sweep(struct intake *in, uid_t who, const json_t *sweep, admitted_fn *fn, void *arg,
    struct fault *why)
{
	const struct submission	 s = { who, sweep, fn, arg };
	const char		*name = json_string_value(json_object_get(sweep, "name"));
	bool			 arrives = is_large(sweep);
	enum status		 st;

	if ((st = check_name(in, name, why)) != ST_OK)
		return st;
	if (arrives && (st = arrivals_begin(in->arrivals, &s, &arrives, why)) != ST_OK)
		return st;
	return arrives ? ST_OK : sweep_at_once(in, &s, why);
}

enum status
intake_document(struct intake *in, uid_t who, expand_fn *expand, const json_t *doc,
    admitted_fn *fn, void *arg, struct fault *why)
{
	struct expansion	 x = { .n = 0 };
	enum status		 st;

	if ((st = batch_open(&x.batch, &in->admission, who, fn, arg, why)) != ST_OK)
		return st;
	return batch_close(x.batch, expand(doc, add_point, &x, why), why);
}

struct arrivals *
intake_arrivals(struct intake *in)
{
	return in->arrivals;
}
