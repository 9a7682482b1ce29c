/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>

#include "daemon/dispatch/dispatch_impl.h"
#include "proto/base/log.h"

/* Jobs that are cancelled: at once where they wait, by an order where they are at work. */

static void
send_cancel(struct dispatch *d, const struct queued_job *j)
{
	struct msg	m = { .kind = MSG_CANCEL, .job_id = j->id };

	for (unsigned i = 0; i < d->nstations; i++)
		if (d->stations[i].job == j && d->stations[i].child != NULL)
			(void)child_send(d->stations[i].child, &m, NULL);
}

static bool
is_at_work(const struct dispatch *d, const struct queued_job *j)
{
	for (unsigned i = 0; i < d->nstations; i++)
		if (d->stations[i].job == j)
			return true;
	return false;
}

/* A waiting job ends now, or later where the disk has just refused a result. */
static void
end_cancelled(struct dispatch *d, struct queued_job *j)
{
	const bool	is_new = !j->cancel;

	queue_set_cancelled(d->queue, j);
	if (is_at_work(d, j)) {
		if (is_new)
			send_cancel(d, j);
	} else if (dispatch_may_store(d)) {
		(void)retry_forget(&d->retry, j->id);
		dispatch_finish(d, j, ST_CANCELLED, NULL, NULL);
	}
}

/* One with a result on the way to the disk waits for that. */
bool
dispatch_go_on_cancelling(void *arg, int64_t id)
{
	struct dispatch		*d = arg;
	struct queued_job	*j = queue_find(d->queue, id);

	if (j != NULL && !j->ending)
		end_cancelled(d, j);
	return j != NULL;
}

void
dispatch_cancel_later(struct dispatch *d, int64_t id)
{
	if (cancels_reserve(&d->cancels, 1) == ST_OK)
		cancels_add(&d->cancels, id);
	else
		(void)dispatch_go_on_cancelling(d, id);
}

size_t
dispatch_cancel_sweep(struct dispatch *d, int64_t sweep_id)
{
	int64_t	*ids;
	size_t	 n = 0, live = 0;

	if (cancels_add_sweep(&d->cancels, sweep_id) != ST_OK)
		log_error("sweep=%" PRId64 " out of memory: jobs of it may be timed before they "
		    "end cancelled", sweep_id);
	for (unsigned i = 0; i < d->nstations; i++) {
		struct queued_job	*j = d->stations[i].job;

		if (j != NULL && j->sweep_id == sweep_id)
			end_cancelled(d, j);
	}
	/* collected first: ending a job moves it to another tree */
	if ((ids = queue_sweep_ids(d->queue, sweep_id, &n)) == NULL)
		log_error("sweep=%" PRId64 " out of memory for its cancel", sweep_id);
	for (size_t i = 0; i < n; i++) {
		dispatch_cancel_later(d, ids[i]);
		live += !queue_find(d->queue, ids[i])->ending;
	}
	free(ids);
	return live;
}

enum status
dispatch_cancel(struct dispatch *d, int64_t id, struct fault *why)
{
	struct queued_job	*j = queue_find(d->queue, id);

	if (j == NULL)
		return fault_set(why, ST_NOT_FOUND, "job %" PRId64 " is not in the queue", id);
	if (j->ending)
		return fault_set(why, ST_CONFLICT, "job %" PRId64 " is over", id);
	dispatch_cancel_later(d, id);
	end_cancelled(d, j);
	return ST_OK;
}
