/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "daemon/usage/vitals.h"

const struct histogram_bounds	vitals_job_bounds = { 14,
	{ 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 60, 300, 900, 3600, 14400, 86400 } };
const struct histogram_bounds	vitals_moment_bounds = { 12,
	{ 0.0001, 0.0003, 0.001, 0.003, 0.005, 0.01, 0.03, 0.1, 0.3, 1, 3, 10 } };

void
vitals_release(struct vitals *v)
{
	struct vitals_user	*u, *next;

	HASH_ITER(hh, v->users, u, next) {
		HASH_DEL(v->users, u);
		free(u);
	}
}

void
vitals_note_commit(struct vitals *v, double seconds, bool failed)
{
	histogram_add(&v->commit, &vitals_moment_bounds, seconds);
	v->commits_failed += failed;
}

void
vitals_note_tick(struct vitals *v, double now_s, double period_s)
{
	if (v->last_tick_s > 0)
		histogram_add(&v->lag, &vitals_moment_bounds, now_s - v->last_tick_s - period_s);
	v->last_tick_s = now_s;
}

/* NULL: too many users, or no memory. */
static struct vitals_user *
user_of(struct vitals *v, uid_t uid)
{
	struct vitals_user	*u;

	HASH_FIND(hh, v->users, &uid, sizeof uid, u);
	if (u != NULL || HASH_COUNT(v->users) >= VITALS_MAX_USERS)
		return u;
	if ((u = calloc(1, sizeof *u)) == NULL)
		return NULL;
	u->uid = uid;
	HASH_ADD(hh, v->users, uid, sizeof uid, u);
	return u;
}

void
vitals_note_timed(struct vitals *v, uid_t uid, double seconds)
{
	struct vitals_user	*u = user_of(v, uid);

	*(u != NULL ? &u->timed_s : &v->others_timed_s) += seconds;
}

void
vitals_note_result(struct vitals *v, const struct news *n)
{
	if (n->stages.build_s >= 0)
		histogram_add(&v->build, &vitals_job_bounds, n->stages.build_s);
	if (n->stages.timing_s >= 0) {
		histogram_add(&v->waiting, &vitals_job_bounds, n->stages.waiting_s);
		histogram_add(&v->timing, &vitals_job_bounds, n->stages.timing_s);
	}
	if (n->timed_s > 0)
		vitals_note_timed(v, n->submitter, n->timed_s);
	v->samples += n->stages.samples;
	v->canary_rejected += n->stages.canary_rejected;
	v->memory_rejected += n->stages.memory_rejected;
}

void
vitals_note_http(struct vitals *v, int code)
{
	if (code >= 0 && code < VITALS_HTTP_CODES)
		v->http[code]++;
}
