/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a load to a drop.  An object is in the bay for as long as loading takes, and the lane has
 * nothing of an earlier child.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/clock.h"
#include "proto/wire/runner_desk.h"
#include "worker/bench/bench_parts.h"

#define KEPT_BYTES	((off_t)4 << 20)	/* of a lane, whose pages stay */

void
bench_shift(struct bench *b, const uint32_t *shift)
{
	memcpy(b->shm->shift, shift, sizeof b->shm->shift);
}

void
bench_settle(struct bench *b, uint64_t own, const int32_t node[RUNNER_OPERANDS],
    const struct spec *spec)
{
	unsigned	k = 0;

	b->shm->own = own;
	memcpy(b->shm->node, node, sizeof b->shm->node);
	for (size_t i = 0; i < spec->routine.nparams; i++)
		if (spec->args[i].is_operand)
			b->shm->offset[k++] = spec->args[i].operand.offset;
}

static enum status
reply_fault(struct bench_reply *a, const struct fault *why)
{
	snprintf(a->words, sizeof a->words, "%s", why->text);
	return a->status = why->status;
}

/* The end of the pages at an offset, `most` bytes behind it at the latest. */
static off_t
end_of_pages(const struct bench *b, off_t at, off_t most)
{
	const off_t	hole = lseek(b->fd, at, SEEK_HOLE);

	return hole > at && hole - at < most ? hole : at + most;
}

/* To zero, from `at` on; the pages stay. */
static void
clear(const struct bench *b, off_t at, off_t end)
{
	off_t	to;

	for (; at < end && (at = lseek(b->fd, at, SEEK_DATA)) >= 0 && at < end; at = to) {
		to = end_of_pages(b, at, end - at);
		memset((char *)b->shm + at, 0, (size_t)(to - at));
	}
}

/* They read as zero, too, and are given back; most are none. */
static void
give_back(const struct bench *b, off_t at, off_t end)
{
	const off_t	data = at < end ? lseek(b->fd, at, SEEK_DATA) : -1;

	if (data >= 0 && data < end)
		(void)fallocate(b->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at, end - at);
}

/*
 * What an earlier child left there, above all the reference, is none of the next one's business.  A
 * few pages of outputs stay, as new ones cost each process a fault; those of challenges, of which a
 * job has few, do not: each of its processes would clear them.
 */
static void
wipe(const struct bench *b, unsigned lane)
{
	const off_t	first = (off_t)(bench_output(b, lane) - (char *)b->shm);
	const off_t	challenge = first + (off_t)(b->challenge_at - b->output_at);
	const off_t	kept = challenge - first < KEPT_BYTES ? challenge : first + KEPT_BYTES;

	clear(b, first, kept);
	give_back(b, kept, first + (off_t)(b->lane_bytes - b->output_at));
}

/* The template answers, too, but only a child that is there can reply on its lane. */
static void
give_load(struct bench *b, unsigned lane)
{
	__atomic_store_n(&bench_lane_of(b, lane)->ended, 0, __ATOMIC_RELEASE);
	b->shm->lane = b->place[lane];
	b->shm->command = RUNNER_LOAD;
	desk_give(&b->shm->desk, ++b->order);
}

/* While the child loads, the last one ends. */
static void
see_last_gone(struct bench *b)
{
	if (b->leaving >= 0 && bench_template_obeys(b))
		bench_see_gone(b);
}

/* The template's reply to its last order; mostly it is there before the child's. */
static enum event
see_template(struct bench *b)
{
	struct runner_desk	*template = &b->shm->desk;

	if (desk_has_reply(template, b->order))
		return EV_REPLIED;
	return b->gone ? EV_GONE :
	    bench_wait(b, template, b->order, NULL, clock_now_ns() + BENCH_DROP_NS, 0);
}

/*
 * The outcome of a load.  The child may reply before the template, which then still runs, and has
 * not told the scribe of it; where no child replies, the template may know why.
 */
static enum status
see_load(struct bench *b, unsigned number, uint64_t given_ns, uint64_t deadline_ns,
    struct bench_reply *a)
{
	struct runner_lane	*lane = bench_lane_of(b, number);
	const enum event	 event = bench_wait(b, &lane->desk, b->lane_order[number],
				    &lane->ended, deadline_ns, 0);
	const enum event	 forked = see_template(b);
	struct fault		 why = { .status = ST_OK };

	if (bench_template_status(b, forked, &why) != ST_OK)
		return reply_fault(a, &why);
	return bench_lane_outcome(b, number, event, given_ns, a);
}

static void
swap_places(struct bench *b, unsigned one, unsigned other)
{
	const unsigned			place = b->place[one];
	const uint32_t			order = b->lane_order[one];
	const struct runner_levels	levels = bench_lane_of(b, one)->levels;

	bench_lane_of(b, one)->levels = bench_lane_of(b, other)->levels;
	bench_lane_of(b, other)->levels = levels;
	b->place[one] = b->place[other];
	b->place[other] = place;
	b->lane_order[one] = b->lane_order[other];
	b->lane_order[other] = order;
}

/* Not where a child is leaving. */
static void
find_place(struct bench *b, unsigned lane)
{
	const unsigned	other = lane ^ 1;

	if (b->leaving != (int)b->place[lane])
		return;
	if (b->copies == 1 && lane < RUNNER_VARIANTS && !b->loaded[other])
		swap_places(b, lane, other);
	else
		bench_see_gone(b);
}

enum status
bench_load(struct bench *b, unsigned lane, const char *path, uint64_t deadline_ns,
    struct bench_reply *a)
{
	uint64_t	given_ns = clock_now_ns();
	char		name[32] = "";
	struct fault	why = { .status = ST_OK };

	bench_reply_begin(a);
	bench_child_end(b, lane);
	find_place(b, lane);
	if (path != NULL)
		snprintf(name, sizeof name, "v%u.so", ++b->objects);
	if (path != NULL && bay_put(&b->bay, path, name, &why) != ST_OK) {
		bench_end(b);		/* its bay may be gone, and a new runner has a new one */
		return reply_fault(a, &why);
	}
	wipe(b, lane);
	bench_lane_of(b, lane)->desk.order = ++b->lane_order[lane];
	b->shm->cpu = b->copies > 1 ? bench_copy_ready(b, lane) : -1;
	b->shm->best_pace = b->best_pace;
	b->shm->rest_ns = given_ns - b->ran_ns < RUNNER_REST_NS ?
	    RUNNER_REST_NS - (given_ns - b->ran_ns) : 0;
	memcpy(b->shm->name, name, sizeof name);
	b->loaded[lane] = true;
	b->raised[lane] = b->stopped[lane] = false;
	give_load(b, lane);
	see_last_gone(b);
	see_load(b, lane, given_ns, deadline_ns, a);
	bench_child_begin(b, lane, a);
	a->code_at = __atomic_load_n(&bench_lane_of(b, lane)->code_at, __ATOMIC_RELAXED);
	if (path != NULL)
		bay_take(&b->bay, name);
	return a->status;
}

enum status
bench_evaluate(struct bench *b, const char *library, struct fault *why)
{
	static const char	name[] = "evaluation.so";

	memset(b->shm->evaluation, 0, sizeof b->shm->evaluation);
	bay_take(&b->bay, name);
	if (library == NULL)
		return ST_OK;
	memcpy(b->shm->evaluation, name, sizeof name);
	return bay_put(&b->bay, library, name, why);
}
