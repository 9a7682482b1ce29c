/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "daemon/dispatch/premises.h"
#include "daemon/dispatch/retry.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"

enum {
	LONG_REST = 8,		/* intervals of a pause: others are tried meanwhile */
	REST_DOUBLES = 6,	/* times, at most */
};

static int
number_of(const struct retry *r, const struct station *l)
{
	return (int)(l - r->stations);
}

/* ---- faults ---- */

/* The first faults of a streak counted before it was known for one. */
static void
excuse_earlier(struct retry *r, const struct streak *s)
{
	for (unsigned i = 0; i < s->njobs; i++) {
		struct queued_job	*j = queue_find(r->queue, s->jobs[i]);

		if (j != NULL && j->attempts > 0 && !j->ending)
			j->attempts--;
	}
}

/* A fault at a station that is paused, or is from now on, costs no attempt. */
static bool
is_excused(struct retry *r, struct station *l, struct queued_job *j, const char *reason)
{
	struct fault	why;
	const bool	is_proven = premises_check(r->state_dir, &why) != ST_OK;

	if (streak_fault(&l->streak, j->id, is_proven ? why.text : reason, is_proven,
	    clock_now_s())) {
		log_error("cpu=%d %s paused: %s", l->cpu,
		    l->role == STATION_BUILD ? "building" : "timing", l->streak.reason);
		if (is_proven)
			excuse_earlier(r, &l->streak);
	}
	if (l->streak.pause_s == 0)
		return false;
	if (is_proven)
		return true;
	if (j->excused == RETRY_EXCUSES)
		return false;
	j->excused++;
	return true;
}

static void
go_on(struct retry *r, struct queued_job *j)
{
	job_move(r->queue, j, j->state == JOB_BUILDING ? JOB_QUEUED : JOB_BUILT);
}

/* Longer with each attempt, so that two jobs do not take all turns of a worker that dies slowly. */
static unsigned
rest_s_of(const struct station *l, const struct queued_job *j)
{
	if (l->streak.pause_s != 0)
		return LONG_REST * l->streak.pause_s;
	return j->attempts > REST_DOUBLES ? RETRY_REST_S << REST_DOUBLES :
	    RETRY_REST_S << (j->attempts > 0 ? j->attempts - 1 : 0);
}

static void
rest(struct retry *r, const struct station *l, struct queued_job *j)
{
	const unsigned		rest_s = rest_s_of(l, j);
	const struct rest	one = { .id = j->id, .station = number_of(r, l),
				    .is_charged = l->streak.pause_s != 0 && !l->streak.is_proven,
				    .until = clock_now_s() + rest_s };

	if (rests_add(&r->rests, &one) != ST_OK)
		go_on(r, j);
}

/* A job that is known to be good failed as well: it is the host. */
static void
trial_failed(struct retry *r, struct station *l, const char *reason)
{
	if (!retry_doubts(l))
		return;
	trial_is_done(&r->trial);
	excuse_earlier(r, &l->streak);
	streak_later(&l->streak, clock_now_s());
	log_error("cpu=%d the daemon's own job fails there as well: %s; next try in %u s", l->cpu,
	    reason, l->streak.pause_s);
}

bool
retry_later(struct retry *r, struct station *l, struct queued_job *j, const char *reason)
{
	reason = reason != NULL ? reason : "no reason was given";
	if (j == trial_job(&r->trial, r->queue)) {
		trial_failed(r, l, reason);
		return false;
	}
	if (!is_excused(r, l, j, reason)) {
		if (j->attempts == j->retries)
			return false;
		j->attempts++;
	}
	log_warn("job=%" PRId64 " attempt=%u failed, again: %s", j->id, j->attempts, reason);
	rest(r, l, j);
	return true;
}

/* ---- later ---- */

static void
end_rest(struct retry *r, const struct rest *one, bool went_well)
{
	struct queued_job	*j = queue_find(r->queue, one->id);
	unsigned		 attempts;

	if (j == NULL || j->ending || (j->state != JOB_BUILDING && j->state != JOB_TIMING))
		return;
	if (went_well && one->is_charged) {
		attempts = (unsigned)j->attempts + j->excused;
		j->attempts = attempts < j->retries ? (uint16_t)attempts : j->retries;
	}
	go_on(r, j);
}

void
retry_went_well(struct retry *r, struct station *l)
{
	struct rest	one;

	const bool	was_in_doubt = retry_doubts(l);

	if (!streak_ends(&l->streak))
		return;
	if (was_in_doubt)
		trial_is_done(&r->trial);
	log_info("cpu=%d %s goes on", l->cpu, l->role == STATION_BUILD ? "building" : "timing");
	while (rests_next(&r->rests, number_of(r, l), 0, &one))
		end_rest(r, &one, true);
}

bool
retry_doubts(const struct station *l)
{
	return l->streak.pause_s != 0 && !l->streak.is_proven;
}

/* A host that is known to be bad is looked at before a job is risked. */
enum retry_turn
retry_turn(struct retry *r, struct station *l)
{
	struct fault	why;
	const double	now = clock_now_s();

	if (!streak_may_take(&l->streak, now))
		return RETRY_NOTHING;
	if (retry_doubts(l))
		return trial_want(&r->trial, r->queue, now) ? RETRY_TRIAL : RETRY_ANY;
	if (!l->streak.is_proven)
		return RETRY_ANY;
	if (premises_check(r->state_dir, &why) == ST_OK) {
		retry_went_well(r, l);
		return RETRY_ANY;
	}
	streak_later(&l->streak, now);
	return RETRY_NOTHING;
}

bool
retry_forget(struct retry *r, int64_t job_id)
{
	return rests_drop(&r->rests, job_id);
}

void
retry_tick(struct retry *r)
{
	const double	now = clock_now_s();
	struct rest	one;

	while (rests_next(&r->rests, -1, now, &one))
		end_rest(r, &one, false);
}

void
retry_release(struct retry *r)
{
	rests_release(&r->rests);
}
