/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/queue/recovery.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"

enum { ROWS = 256 };			/* between two looks at the clock */

/*
 * The instant of a submission on the monotonic clock.  A job of an earlier daemon is as old as the
 * wall clock says, and never of the future.
 */
static double
instant_of(double submitted)
{
	const double	age_s = clock_wall_s() - submitted;

	return clock_now_s() - (age_s > 0 ? age_s : 0);
}

struct queued_job
recovery_template(const struct waiting_job *w)
{
	const struct job_terms	*t = &w->terms;

	return (struct queued_job){
		.id = w->id, .sweep_id = w->sweep_id, .submitter = w->submitter,
		.priority = (int16_t)t->priority, .not_before = t->not_before,
		.deadline = t->deadline,
		.window = { (int16_t)t->window_from, (int16_t)t->window_to },
		.threads = (uint16_t)t->threads, .retries = (uint16_t)t->retries,
		.bytes = w->bytes, .submitted = w->submitted, .since = instant_of(w->submitted),
	};
}

/* Jobs of before count against no limit: they were accepted. */
static enum status
requeue(void *arg, const struct waiting_job *w)
{
	struct recovery		*r = arg;
	struct queued_job	 j = recovery_template(w);
	enum status		 st;

	if (r->left != 0) {
		r->left--;
		r->queue->unread--;
	}
	if (r->claim != NULL)
		quota_claim_less(r->claim, 1, w->bytes);
	j.cancel = w->cancelled;
	if ((st = queue_add_stored(r->queue, &j, NULL)) == ST_OK && w->cancelled)
		r->on_cancelled(r->arg, w->id);
	return st == ST_CONFLICT ? ST_OK : st;
}

enum status
recovery_start(struct recovery *r, struct store *store, struct queue *queue,
    recovery_cancelled_fn *on_cancelled, void *arg, struct fault *why)
{
	enum status	st;

	*r = (struct recovery){ .store = store, .queue = queue, .on_cancelled = on_cancelled,
	    .arg = arg };
	if ((st = store_waiting_start(store, &r->reader, &r->left, why)) == ST_OK)
		queue->unread += r->left;
	return st;
}

void
recovery_start_sweep(struct recovery *r, struct store *store, struct queue *queue,
    int64_t sweep_id, size_t jobs)
{
	*r = (struct recovery){ .store = store, .queue = queue, .left = jobs,
	    .reader = { .sweep_id = sweep_id } };
	queue->unread += jobs;
}

bool
recovery_is_over(const struct recovery *r)
{
	return r->reader.is_over;
}

enum status
recovery_read(struct recovery *r, uint64_t budget_ns, struct fault *why)
{
	const uint64_t	end = clock_now_ns() + budget_ns;
	enum status	st = ST_OK;

	while (st == ST_OK && !r->reader.is_over && clock_now_ns() < end)
		st = store_waiting_read(r->store, &r->reader, ROWS, requeue, r, why);
	if (st != ST_OK || r->reader.is_over) {
		r->queue->unread -= r->left;
		r->left = 0;
	}
	if (st == ST_OK && r->reader.is_over && r->reader.sweep_id == 0 &&
	    queue_live(r->queue) != 0)
		log_info("queue recovered=%zu", queue_live(r->queue));
	return st;
}
