/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies of one variant at once.  Each is a child on a lane and a CPU of its own.  They meet
 * without us (worker/runner/method/meeting.h): we give each its order and wait for all replies.
 *
 * A copy that has ended keeps the others waiting.  So whichever reply is awaited, all copies are
 * looked at now and then, and the one that failed is blamed.
 */
#include <stdio.h>
#include <string.h>

#include "proto/base/clock.h"
#include "proto/wire/runner_desk.h"
#include "worker/bench/bench_parts.h"
#include "worker/bench/proc/affinity.h"

#define LOOK_NS		5000000u

static struct runner_spot *
spot_of(const struct bench *b, unsigned copy)
{
	return runner_spot_at(b->shm, b->lane_bytes, bench_lanes(b), copy);
}

int
bench_copy_ready(struct bench *b, unsigned lane)
{
	const uint32_t	copy = runner_copy_of(lane);

	if (copy >= b->copies)
		return -1;
	*spot_of(b, copy) = (struct runner_spot){ 0, 0 };
	return affinity_of_copy(b->slot, copy);
}

void
bench_name_copy(const struct bench *b, unsigned copy, struct bench_reply *a)
{
	char		 name[48];
	const size_t	 n = (size_t)snprintf(name, sizeof name, "copy %u on CPU %d: ", copy,
			     affinity_of_copy(b->slot, copy));

	memmove(a->words + n, a->words, sizeof a->words - n);
	memcpy(a->words, name, n);
	a->words[sizeof a->words - 1] = '\0';
}

static bool
has_ended(const struct bench *b, unsigned copy)
{
	return __atomic_load_n(&bench_lane_of(b, runner_copy_lane(copy))->ended,
	    __ATOMIC_ACQUIRE) != 0;
}

static bool
has_one_ended(const struct bench *b)
{
	for (unsigned i = 0; i < b->copies; i++)
		if (has_ended(b, i))
			return true;
	return false;
}

/* It grows with each meeting, and with each region that is over. */
static uint64_t
progress_of(const struct bench *b, unsigned copy)
{
	const struct runner_spot	*s = spot_of(b, copy);

	return __atomic_load_n(&s->arrived, __ATOMIC_RELAXED) +
	    __atomic_load_n(&s->left, __ATOMIC_RELAXED);
}

static bool
has_replied(const struct bench *b, unsigned copy)
{
	const unsigned	lane = runner_copy_lane(copy);

	return desk_has_reply(&bench_lane_of(b, lane)->desk, b->lane_order[lane]);
}

/* Instead of the one that is awaited: the copy that is over, or else one that is behind it. */
static unsigned
find_missing(const struct bench *b, unsigned awaited)
{
	unsigned	last = awaited;

	for (unsigned i = 0; i < b->copies; i++) {
		if (has_ended(b, i))
			return i;
		if (!has_replied(b, i) && progress_of(b, i) < progress_of(b, last))
			last = i;
	}
	return last;
}

static enum event
wait_for(struct bench *b, unsigned copy, uint64_t deadline_ns)
{
	const unsigned		 number = runner_copy_lane(copy);
	struct runner_lane	*lane = bench_lane_of(b, number);
	uint64_t		 until_ns;
	enum event		 event;

	do {
		until_ns = clock_now_ns() + LOOK_NS;
		event = bench_wait(b, &lane->desk, b->lane_order[number], &lane->ended,
		    until_ns < deadline_ns ? until_ns : deadline_ns, BENCH_SPIN_NS);
	} while (event == EV_TIMEOUT && until_ns < deadline_ns && !has_one_ended(b));
	return event;
}

/* Of one copy; or of another that failed meanwhile. */
static enum status
hear(struct bench *b, unsigned copy, uint64_t given_ns, uint64_t deadline_ns,
    struct bench_reply *a)
{
	enum event	event = wait_for(b, copy, deadline_ns);

	if (event == EV_TIMEOUT) {
		copy = find_missing(b, copy);
		event = has_ended(b, copy) ? EV_ENDED : EV_TIMEOUT;
	}
	if (bench_lane_outcome(b, runner_copy_lane(copy), event, given_ns, a) != ST_OK &&
	    a->status != ST_CANCELLED)
		bench_name_copy(b, copy, a);
	return a->status;
}

static void
give(struct bench *b, unsigned copy, const struct runner_run *run)
{
	const unsigned		 number = runner_copy_lane(copy);
	struct runner_lane	*lane = bench_lane_of(b, number);

	lane->run = *run;
	desk_give(&lane->desk, ++b->lane_order[number]);
}

/* A region cannot have begun before the order, nor have ended after its reply. */
static enum status
check_times(const struct bench *b, unsigned copy, uint64_t given_ns, struct bench_reply *a)
{
	const uint64_t	now_ns = clock_now_ns();

	for (uint32_t i = 0; i < a->samples; i++) {
		const struct runner_sample	*s = &a->sample[i];

		if (s->began_ns != 0 && (s->ready_ns < given_ns || s->began_ns < s->ready_ns ||
		    s->ended_ns < s->began_ns || s->ended_ns > now_ns)) {
			(void)bench_say(a, ST_SUSPECT, "%s",
			    "its times lie outside of the order that they are of");
			bench_name_copy(b, copy, a);
			return a->status;
		}
	}
	return ST_OK;
}

static enum status
read_copy(struct bench *b, unsigned copy, const struct runner_run *run, uint64_t given_ns,
    struct bench_reply *a)
{
	const unsigned	number = runner_copy_lane(copy);

	if (run->kind == RUNNER_SAMPLE || run->kind == RUNNER_EMPTY)
		bench_read_samples(b, number, run->samples, a);
	memcpy(a->census, bench_lane_of(b, number)->census, sizeof a->census);
	a->pinned = affinity_is_on(affinity_of_copy(b->slot, copy), bench_pid(b, number));
	return check_times(b, copy, given_ns, a);
}

enum status
bench_run_copies(struct bench *b, const struct runner_run *run, uint64_t deadline_ns,
    const struct bench_copies *to, struct bench_reply *a)
{
	struct runner_run	order = *run;
	const uint64_t		given_ns = clock_now_ns();
	enum status		st = ST_OK;

	bench_reply_begin(a);
	bench_choose_policy(b, 0, false);	/* of all: each is alone on its CPU, and spins */
	order.realtime = 0;
	order.copies = b->copies;
	order.meeting = b->meeting;
	b->meeting += 2 * (uint64_t)run->samples;
	for (unsigned i = 0; i < b->copies; i++)
		give(b, i, &order);
	for (unsigned i = 0; st == ST_OK && i < b->copies; i++)
		st = hear(b, i, given_ns, deadline_ns, a);
	for (unsigned i = 0; st == ST_OK && i < b->copies; i++)
		if ((st = read_copy(b, i, run, given_ns, a)) == ST_OK)
			to->see(to->arg, i, a);
	b->ran_ns = clock_now_ns();
	return st;
}
