/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The daemon calibrates its host by itself before the first cold job.  That job waits for it, but
 * not longer than calibration_wait_s, and not if the calibration fails: then the default sizes are
 * used, and the result says so.  A host that was too busy, throughout or in part, is asked again
 * when no job is alive, later and later.
 */
#include <unistd.h>

#include "daemon/upkeep/upkeep_impl.h"
#include "proto/base/clock.h"

enum { FIRST_PAUSE_S = 60, LONGEST_PAUSE_S = 3600 };

/* The job is of the calibration itself, or gains nothing by waiting. */
static bool
needs_none(const struct upkeep *u, const struct queued_job *j)
{
	return u->env.calibration_wait_s == 0 || u->is_calibrated || u->stopped ||
	    j->brief == NULL || !j->brief->shared->is_cold ||
	    (j->submitter == geteuid() && json_object_get(j->brief->meta, "upkeep") != NULL);
}

bool
upkeep_may_time(void *arg, const struct queued_job *j)
{
	struct upkeep	*u = arg;
	const double	 now = clock_now_s();

	if (needs_none(u, j))
		return true;
	if (u->first.asked == 0)
		u->first.asked = now;
	return u->first.pause_s != 0 || now - u->first.asked >= u->env.calibration_wait_s;
}

void
upkeep_first_again(struct upkeep *u, double now)
{
	struct upkeep_first	*f = &u->first;

	f->pause_s = f->pause_s == 0 ? FIRST_PAUSE_S : 2 * f->pause_s;
	if (f->pause_s > LONGEST_PAUSE_S)
		f->pause_s = LONGEST_PAUSE_S;
	f->retry = now + f->pause_s;
	f->asked = f->asked == 0 ? now : f->asked;
	if (!u->is_calibrated)
		dispatch_use_calibrated(u->env.dispatch, NULL, u->calibration_failed);
	dispatch_kick(u->env.dispatch);
}

void
upkeep_first_tick(struct upkeep *u, double now)
{
	struct fault	why;
	const bool	is_again = u->first.pause_s != 0;

	if (u->env.calibration_wait_s == 0 || u->first.asked == 0 || now < u->first.retry ||
	    (u->is_calibrated && u->was_quiet))
		return;
	if (u->stopped || u->task != NULL || (is_again && queue_live(u->env.queue) != 0))
		return;
	(void)upkeep_calibrate(u, &why);
}
