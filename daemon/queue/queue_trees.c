/* SPDX-License-Identifier: Apache-2.0 */
/* The orders of the queue's trees.  An id or an address at the end makes each of them strict. */
#include "daemon/queue/queue_impl.h"

#define ORDER(a, b)	(((a) > (b)) - ((a) < (b)))

static int
compare_ids(const struct queued_job *a, const struct queued_job *b)
{
	return ORDER(a->id, b->id);
}

int
queue_compare_turns(const struct queued_job *a, const struct queued_job *b)
{
	if (a->priority != b->priority)
		return ORDER(b->priority, a->priority);
	if ((a->sweep_id != 0) != (b->sweep_id != 0))
		return a->sweep_id != 0 ? 1 : -1;
	return ORDER(a->id, b->id);
}

static int
compare_starts(const struct queued_job *a, const struct queued_job *b)
{
	return a->not_before != b->not_before ? ORDER(a->not_before, b->not_before) :
	    ORDER(a->id, b->id);
}

static int
compare_dues(const struct due *a, const struct due *b)
{
	return a->job->deadline != b->job->deadline ? ORDER(a->job->deadline, b->job->deadline) :
	    ORDER(a->job->id, b->job->id);
}

static int
compare_users(const struct queue_user *a, const struct queue_user *b)
{
	return ORDER(a->uid, b->uid);
}

static int
compare_paused(const struct paused_sweep *a, const struct paused_sweep *b)
{
	return ORDER(a->id, b->id);
}

/* Builders take the user with the fewest jobs that could be timed. */
static int
compare_to_build(const struct queue_user *a, const struct queue_user *b)
{
	if (a->build_rank != b->build_rank)
		return ORDER(a->build_rank, b->build_rank);
	if (a->build_ahead != b->build_ahead)
		return ORDER(a->build_ahead, b->build_ahead);
	return a->build_s != b->build_s ? ORDER(a->build_s, b->build_s) : ORDER(a->uid, b->uid);
}

static int
compare_to_time(const struct queue_user *a, const struct queue_user *b)
{
	if (a->time_rank != b->time_rank)
		return ORDER(a->time_rank, b->time_rank);
	return a->time_s != b->time_s ? ORDER(a->time_s, b->time_s) : ORDER(a->uid, b->uid);
}

/* A sweep has one submitter; the single jobs of each user are a group too. */
static int
compare_groups(const struct queue_group *a, const struct queue_group *b)
{
	return a->sweep_id != b->sweep_id || a->sweep_id != 0 ? ORDER(a->sweep_id, b->sweep_id) :
	    ORDER(a->user->uid, b->user->uid);
}

static int
compare_bunches(const struct bunch *a, const struct bunch *b)
{
	if (a->width != b->width)
		return ORDER(a->width, b->width);
	return a->window.from != b->window.from ? ORDER(a->window.from, b->window.from) :
	    ORDER(a->window.to, b->window.to);
}

static int
compare_heads(const struct bunch *a, const struct bunch *b)
{
	return queue_compare_turns(RB_MIN(jobs_by_turn, (struct jobs_by_turn *)&a->queued),
	    RB_MIN(jobs_by_turn, (struct jobs_by_turn *)&b->queued));
}

static int
compare_changes(const struct bunch *a, const struct bunch *b)
{
	return a->change != b->change ? ORDER(a->change, b->change) : ORDER(a, b);
}

RB_GENERATE(paused_sweeps, paused_sweep, entry, compare_paused)
RB_GENERATE(jobs_by_id, queued_job, by_id, compare_ids)
RB_GENERATE(jobs_at_work, queued_job, turn, compare_ids)
RB_GENERATE(jobs_by_start, queued_job, turn, compare_starts)
RB_GENERATE(dues, due, entry, compare_dues)
RB_GENERATE(users_by_uid, queue_user, entry, compare_users)
RB_GENERATE(users_to_build, queue_user, build_turn, compare_to_build)
RB_GENERATE(users_to_time, queue_user, time_turn, compare_to_time)
RB_GENERATE(groups, queue_group, entry, compare_groups)
RB_GENERATE(bunches, bunch, entry, compare_bunches)
RB_GENERATE(bunches_by_head, bunch, by_head, compare_heads)
RB_GENERATE(bunches_by_change, bunch, by_change, compare_changes)
