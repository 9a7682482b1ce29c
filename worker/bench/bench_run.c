/* SPDX-License-Identifier: Apache-2.0 */
/* Orders to a child that is loaded, and the priority that it has meanwhile. */
#include <sched.h>
#include <string.h>

#include "proto/base/clock.h"
#include "proto/wire/runner_desk.h"
#include "worker/bench/bench_parts.h"

#define LEVELS_NS	2000000000u	/* readings of the last cache are good for so long */
#define SPIN_SAMPLES	3u		/* with canaries some 10 us each */
#define FIFO_PRIORITY	10
#define FIFO_MOST_NS	1000000000u	/* 25 times what the longest such order should take */

void
bench_expect_pace(struct bench *b, uint32_t best_pace)
{
	b->best_pace = best_pace;
}

/* A thread that has it already keeps it. */
static void
set_realtime(struct bench *b, unsigned lane, bool on)
{
	struct sched_param	param = { .sched_priority = on ? FIFO_PRIORITY : 0 };
	pid_t			pid;

	if (b->raised[lane] == on || (pid = bench_pid(b, lane)) <= 0)
		return;
	if (sched_setscheduler(pid, (on ? SCHED_FIFO : SCHED_OTHER) | SCHED_RESET_ON_FORK,
	    &param) == 0)
		b->raised[lane] = on;
}

/*
 * SCHED_FIFO is given from outside, where we are permitted to; the filter lets no child.  It lasts
 * until an order comes that does not request it, or one for another lane: of two that are raised,
 * one would wait for the other to fall asleep.
 */
void
bench_choose_policy(struct bench *b, unsigned lane, bool realtime)
{
	for (unsigned i = 0; i < bench_lanes(b); i++)
		if (i != lane)
			set_realtime(b, i, false);
	set_realtime(b, lane, realtime && b->child[lane].may_be_raised);
}

enum event
bench_wait_for(struct bench *b, unsigned lane, struct runner_desk *desk, uint32_t order,
    uint64_t deadline_ns, uint64_t spin_ns)
{
	const uint32_t	*ended = &bench_lane_of(b, lane)->ended;
	const uint64_t	 most_ns = clock_now_ns() + FIFO_MOST_NS;
	enum event	 event;

	if (!b->raised[lane] || most_ns >= deadline_ns)
		return bench_wait(b, desk, order, ended, deadline_ns, spin_ns);
	event = bench_wait(b, desk, order, ended, most_ns, spin_ns);
	if (event != EV_TIMEOUT)
		return event;
	set_realtime(b, lane, false);
	return bench_wait(b, desk, order, ended, deadline_ns, 0);
}

/* An order that keeps the core awake takes longer, and a builder may want our CPU meanwhile. */
static uint64_t
spin_of(const struct runner_run *run)
{
	return run->awake || run->samples > SPIN_SAMPLES ? 0 : BENCH_SPIN_NS;
}

enum status
bench_run(struct bench *b, unsigned number, const struct runner_run *run, uint64_t deadline_ns,
    struct bench_reply *a)
{
	struct runner_lane	*lane = bench_lane_of(b, number);
	uint64_t		 given_ns;
	bool			 samples = run->kind == RUNNER_SAMPLE || run->kind == RUNNER_EMPTY;

	bench_reply_begin(a);
	bench_see_gone(b);
	bench_choose_policy(b, number, run->realtime);
	bench_continue(b, number);
	lane->run = *run;
	given_ns = clock_now_ns();
	desk_give(&lane->desk, ++b->lane_order[number]);
	if (bench_lane_reply(b, number, given_ns, deadline_ns, spin_of(run), a) == ST_OK) {
		if (samples)
			bench_read_samples(b, number, run->samples, a);
		memcpy(a->census, lane->census, sizeof a->census);
	}
	b->ran_ns = clock_now_ns();
	a->realtime = b->raised[number];
	a->pinned = bench_child_is_pinned(b, number);
	return a->status;
}

/* ---- what the blank child knows of the caches ---- */

void
bench_forget_levels(struct bench *b, unsigned lane)
{
	bench_lane_of(b, lane)->levels = b->levels_ns != 0 ?
	    bench_lane_of(b, RUNNER_BLANK)->levels : (struct runner_levels){ .out_of_l2 = 0 };
}

void
bench_learn_levels(struct bench *b, struct bench_reply *a)
{
	const struct runner_run	order = { .kind = RUNNER_LEVELS };
	const uint64_t		now_ns = clock_now_ns();

	if (b->levels_ns == 0 || now_ns - b->levels_ns > LEVELS_NS)
		b->levels_ns = b->loaded[RUNNER_BLANK] &&
		    bench_run(b, RUNNER_BLANK, &order, now_ns + BENCH_DROP_NS, a) == ST_OK ?
		    now_ns : 0;
	for (unsigned i = 0; i < bench_lanes(b); i++)
		if (i != RUNNER_BLANK)
			bench_forget_levels(b, i);
}
