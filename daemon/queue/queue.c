/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/queue/queue.h"
#include "proto/base/log.h"

#define BIT(s)	(1u << (s))
#define FINAL	(BIT(JOB_FAILED) | BIT(JOB_CANCELLED) | BIT(JOB_EXPIRED))

/* Row: a job's state.  Bits: its legal next states.  The last four are final. */
static const unsigned may_go[JOB_NSTATES] = {
	[JOB_QUEUED]	= BIT(JOB_BUILDING) | FINAL,
	[JOB_BUILDING]	= BIT(JOB_BUILT) | BIT(JOB_QUEUED) | FINAL,
	[JOB_BUILT]	= BIT(JOB_TIMING) | BIT(JOB_QUEUED) | FINAL,
	[JOB_TIMING]	= BIT(JOB_DONE) | BIT(JOB_BUILT) | BIT(JOB_QUEUED) | FINAL,
};

static const char *const names[JOB_NSTATES] = {
	"queued", "building", "built", "timing", "done", "failed", "cancelled", "expired",
};

const char *
job_state_name(enum job_state s)
{
	return (unsigned)s < JOB_NSTATES ? names[s] : "?";
}

static bool
is_final(const struct queued_job *j)
{
	return j->state >= JOB_DONE;
}

void
queue_init(struct queue *q, size_t limit)
{
	memset(q, 0, sizeof *q);
	q->limit = limit;
	for (unsigned s = 0; s < JOB_NSTATES; s++)
		TAILQ_INIT(&q->in[s]);
}

void
build_record_free(struct build_record *b)
{
	if (b == NULL)
		return;
	if (b->has_report)
		shape_release(&built_shape, &b->report);
	json_decref(b->doc);
	free(b);
}

static void
job_free(struct queued_job *j)
{
	brief_release(&j->brief);
	build_record_free(j->build);
	free(j);
}

/* The documents of a long queue wait in the store. */
static void
keep_text(struct queue *q, struct queued_job *j)
{
	const size_t	bytes = j->brief.rest != NULL ? strlen(j->brief.rest) : 0;

	if (q->text_bytes + bytes > QUEUE_TEXT_BYTES) {
		free(j->brief.rest);
		j->brief.rest = NULL;
		return;
	}
	j->text_bytes = bytes;
	q->text_bytes += bytes;
}

void
queue_release(struct queue *q)
{
	struct queued_job	*j, *next;

	HASH_ITER(hh, q->by_id, j, next) {
		HASH_DEL(q->by_id, j);
		job_free(j);
	}
}

size_t
queue_live(const struct queue *q)
{
	return HASH_COUNT(q->by_id);
}

/* Highest priority first, then lowest id.  New jobs belong near the end, so search from there. */
static void
insert_in_order(struct job_list *list, struct queued_job *j)
{
	struct queued_job	*before;

	TAILQ_FOREACH_REVERSE(before, list, job_list, entry) {
		if (before->priority > j->priority ||
		    (before->priority == j->priority && before->id < j->id)) {
			TAILQ_INSERT_AFTER(list, before, j, entry);
			return;
		}
	}
	TAILQ_INSERT_HEAD(list, j, entry);
}

enum status
queue_add(struct queue *q, const struct queued_job *template, struct queued_job **out)
{
	struct queued_job	*j;

	if (out != NULL)
		*out = NULL;
	if (queue_live(q) >= q->limit)
		return ST_FULL;
	if (queue_find(q, template->id) != NULL)
		return ST_CONFLICT;
	if ((j = malloc(sizeof *j)) == NULL)
		return ST_NOMEM;
	*j = *template;
	j->state = JOB_QUEUED;
	keep_text(q, j);
	HASH_ADD(hh, q->by_id, id, sizeof j->id, j);
	insert_in_order(&q->in[JOB_QUEUED], j);
	q->count[JOB_QUEUED]++;
	if (out != NULL)
		*out = j;
	return ST_OK;
}

struct queued_job *
queue_find(const struct queue *q, int64_t id)
{
	struct queued_job	*j;

	HASH_FIND(hh, q->by_id, &id, sizeof id, j);
	return j;
}

/* The only place where a job changes state, so that list, count and field agree. */
void
job_move(struct queue *q, struct queued_job *j, enum job_state to)
{
	if (is_final(j) || !(may_go[j->state] & BIT(to)))
		bug("job=%" PRId64 " illegal move %s -> %s", j->id, names[j->state],
		    job_state_name(to));

	TAILQ_REMOVE(&q->in[j->state], j, entry);
	q->count[j->state]--;
	j->state = to;
	q->count[to]++;
	insert_in_order(&q->in[to], j);
}

void
queue_forget(struct queue *q, struct queued_job *j)
{
	if (!is_final(j))
		bug("job=%" PRId64 " forgotten while %s", j->id, names[j->state]);
	TAILQ_REMOVE(&q->in[j->state], j, entry);
	HASH_DEL(q->by_id, j);
	q->text_bytes -= j->text_bytes;
	job_free(j);
}

static bool
inside_window(const struct queued_job *j, int minute)
{
	if (j->window_from < 0)
		return true;
	if (j->window_from <= j->window_to)
		return minute >= j->window_from && minute < j->window_to;
	return minute >= j->window_from || minute < j->window_to;	/* passes midnight */
}

bool
job_may_start(const struct queued_job *j, int64_t now, int minute)
{
	return !j->ending && !j->cancel && j->not_before <= now && inside_window(j, minute);
}

struct queued_job *
queue_next_to_build(const struct queue *q, int64_t now, int minute)
{
	struct queued_job	*j;

	TAILQ_FOREACH(j, &q->in[JOB_QUEUED], entry)
		if (job_may_start(j, now, minute))
			return j;
	return NULL;
}
