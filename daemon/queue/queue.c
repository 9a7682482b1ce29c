/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/queue/queue_impl.h"
#include "proto/base/log.h"

#define BIT(s)	(1u << (s))
#define FINAL	(BIT(JOB_FAILED) | BIT(JOB_CANCELLED) | BIT(JOB_EXPIRED))

/* Row: a job's state.  Bits: its legal next states.  The last four are final. */
static const unsigned may_go[JOB_NSTATES] = {
	[JOB_QUEUED]	= BIT(JOB_BUILDING) | FINAL,
	[JOB_BUILDING]	= BIT(JOB_BUILT) | BIT(JOB_QUEUED) | FINAL,
	[JOB_BUILT]	= BIT(JOB_TIMING) | BIT(JOB_QUEUED) | BIT(JOB_DONE) | FINAL,
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
}

/* The widest ones share an index if there are too many. */
void
queue_set_widths(struct queue *q, const unsigned *width, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (q->nwidths < QUEUE_WIDTHS)
			q->nwidths++;
		q->width[q->nwidths - 1] = width[i];
	}
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
	brief_free(j->brief);
	build_record_free(j->build);
	free(j->due);
	free(j);
}

void
queue_release(struct queue *q)
{
	struct queued_job	*j, *next;

	RB_FOREACH_SAFE(j, jobs_by_id, &q->by_id, next) {
		(void)RB_REMOVE(jobs_by_id, &q->by_id, j);
		job_free(j);
	}
	queue_free_groups(q);
	queue_free_pauses(q);
}

size_t
queue_live(const struct queue *q)
{
	return q->live + q->unread;
}

/* NULL: no memory, and the template's briefs are still its own. */
static struct queued_job *
job_new(const struct queued_job *template)
{
	struct queued_job	*j = malloc(sizeof *j);

	if (j == NULL)
		return NULL;
	*j = *template;
	j->state = JOB_QUEUED;
	j->place = PLACE_NONE;
	j->due = NULL;
	if (j->deadline == 0)
		return j;
	if ((j->due = calloc(1, sizeof *j->due)) == NULL) {
		free(j);
		return NULL;
	}
	j->due->job = j;
	return j;
}

enum status
queue_add(struct queue *q, const struct queued_job *template, struct queued_job **out)
{
	if (out != NULL)
		*out = NULL;
	return queue_live(q) < q->limit ? queue_add_stored(q, template, out) : ST_FULL;
}

enum status
queue_add_stored(struct queue *q, const struct queued_job *template, struct queued_job **out)
{
	struct queued_job	*j;

	if (out != NULL)
		*out = NULL;
	if (queue_find(q, template->id) != NULL)
		return ST_CONFLICT;
	if ((j = job_new(template)) == NULL)
		return ST_NOMEM;
	if (bunch_join(q, j) != ST_OK) {
		free(j->due);
		free(j);
		return ST_NOMEM;
	}
	(void)RB_INSERT(jobs_by_id, &q->by_id, j);
	q->live++;
	q->count[JOB_QUEUED]++;
	job_enter(q, j);
	if (out != NULL)
		*out = j;
	return ST_OK;
}

struct queued_job *
queue_find(const struct queue *q, int64_t id)
{
	struct queued_job	key = { .id = id };

	return RB_FIND(jobs_by_id, (struct jobs_by_id *)(uintptr_t)&q->by_id, &key);
}

/* The only place where a job changes state, so that trees, counts and field agree. */
void
job_move(struct queue *q, struct queued_job *j, enum job_state to)
{
	if (is_final(j) || !(may_go[j->state] & BIT(to)))
		bug("job=%" PRId64 " illegal move %s -> %s", j->id, names[j->state],
		    job_state_name(to));

	job_leave(q, j);
	q->count[j->state]--;
	j->state = to;
	q->count[to]++;
	job_enter(q, j);
}

void
queue_set_ending(struct queue *q, struct queued_job *j, bool is_ending)
{
	job_leave(q, j);
	j->ending = is_ending;
	job_enter(q, j);
}

void
queue_set_cancelled(struct queue *q, struct queued_job *j)
{
	job_leave(q, j);
	j->cancel = true;
	job_enter(q, j);
}

void
queue_forget(struct queue *q, struct queued_job *j)
{
	if (!is_final(j))
		bug("job=%" PRId64 " forgotten while %s", j->id, names[j->state]);
	job_leave(q, j);
	load_learn(q, j);
	bunch_leave(q, j);
	(void)RB_REMOVE(jobs_by_id, &q->by_id, j);
	q->live--;
	job_free(j);
}
