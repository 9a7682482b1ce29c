/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Challenges.  While one is written, the variant's process is stopped.  It goes on when the clock
 * runs.  The clock ends, and it is stopped again, when it has replied and left its CPU to the
 * scribe: what it left undone stays so.
 */
#include <sched.h>
#include <signal.h>
#include <string.h>

#include "proto/base/clock.h"
#include "proto/wire/runner_desk.h"
#include "worker/bench/bench_parts.h"

#define SCRIBE_PRIORITY	9		/* below the child's */
#define REFUSED_NS	1000000000u	/* the template tells of an end sooner */
#define DISTURBED_NS	20000u	/* a longer wait of the child: another process ran there */

void
bench_continue(struct bench *b, unsigned lane)
{
	if (b->stopped[lane])
		(void)kill(bench_pid(b, lane), SIGCONT);
	b->stopped[lane] = false;
}

static bool
stop(struct bench *b, unsigned lane)
{
	b->stopped[lane] = true;
	return bench_child_halt(b, lane);
}

/* A rival could disturb, and nothing wakes a child that only sleeps. */
static bool
stop_all(struct bench *b)
{
	bool	stopped = true;

	for (unsigned lane = 0; lane < bench_lanes(b); lane++)
		if (b->loaded[lane] && !b->stopped[lane])
			stopped &= stop(b, lane);
	return stopped;
}

static void
give_scribe(struct bench *b, enum runner_scribe_command what, unsigned lane)
{
	b->shm->scribe.command = what;
	b->shm->scribe.lane = b->place[lane];
	desk_give(&b->shm->scribe.desk, ++b->scribe_order);
}

static enum status
scribe_status(struct bench *b, struct bench_reply *a)
{
	const enum event	event = bench_wait(b, &b->shm->scribe.desk, b->scribe_order, NULL,
				    clock_now_ns() + BENCH_DROP_NS, 0);

	if (event == EV_STOPPED)
		return bench_say(a, ST_CANCELLED, "%s", "cancelled");
	if (event != EV_REPLIED || b->shm->scribe.reply != RUNNER_OK)
		return bench_say(a, ST_INTERNAL, "%s", "a challenge could not be given");
	return ST_OK;
}

static enum status
write_sets(struct bench *b, unsigned lane, const struct bench_challenge *c, struct bench_reply *a)
{
	struct runner_scribe	*s = &b->shm->scribe;

	s->challenge = c->place;
	s->flush = c->flush;
	s->pollute = c->pollute;
	memcpy(s->seed, c->seed, c->place.calls * sizeof s->seed[0]);
	give_scribe(b, SCRIBE_WRITE, lane);
	return scribe_status(b, a);
}

/*
 * A scribe that refuses has woken no child.  Either that is over, as its lane says in a moment, or
 * it will never reply.
 */
static bool
is_woken(struct bench *b, unsigned number)
{
	struct runner_lane	*lane = bench_lane_of(b, number);

	return b->shm->scribe.reply == RUNNER_OK || bench_wait(b, &lane->desk,
	    b->lane_order[number], &lane->ended, clock_now_ns() + REFUSED_NS, 0) == EV_ENDED;
}

/* From the scribe's look at the clock, before the child goes on, to that when it has replied. */
static enum status
call(struct bench *b, unsigned number, const struct bench_challenge *c, uint64_t deadline_ns,
    struct challenge_time *t, struct bench_reply *a)
{
	struct runner_scribe	*s = &b->shm->scribe;
	struct runner_lane	*lane = bench_lane_of(b, number);
	const uint64_t		 given_ns = clock_now_ns();
	enum event		 event;
	enum status		 st;

	lane->run = (struct runner_run){ .kind = RUNNER_CHALLENGE, .samples = 1, .calls = 1 };
	lane->challenge = c->place;
	s->order = ++b->lane_order[number];
	b->stopped[number] = false;
	give_scribe(b, SCRIBE_GO, number);
	event = bench_wait_for(b, number, &s->desk, b->scribe_order, deadline_ns, BENCH_SPIN_NS);
	if (event == EV_REPLIED && !is_woken(b, number))
		return scribe_status(b, a);
	st = bench_lane_reply(b, number, given_ns, deadline_ns, BENCH_SPIN_NS, a);
	if (st != ST_OK || (st = scribe_status(b, a)) != ST_OK)
		return st;
	t->took_ns = s->ended_ns - s->began_ns;
	t->pace = s->pace;
	return ST_OK;
}

/* Threads on other CPUs may still run when the scribe's clock ends. */
static enum status
call_stopped(struct bench *b, unsigned lane, const struct bench_challenge *c, uint64_t deadline_ns,
    struct challenge_time *t, struct bench_reply *a)
{
	const uint64_t		delay_ns = bench_delay_ns(b, lane);
	struct challenge_glance	glance;
	enum status		st;

	if ((st = call(b, lane, c, deadline_ns, t, a)) != ST_OK)
		return st;
	challenge_glance(c->of, &c->place, bench_results(b, lane), c->seed[0][0], &glance);
	t->is_hidden &= stop(b, lane);
	t->disturbed = bench_delay_ns(b, lane) - delay_ns > DISTURBED_NS;
	t->early = !challenge_glance_holds(&glance, bench_results(b, lane));
	return ST_OK;
}

/*
 * Other programs on the timing CPU would spoil what the scribe has brought into the caches.  It
 * gives way to the child, which is more urgent, or else would never run; nor would the child's
 * other threads.
 */
static void
raise_scribe(struct bench *b, bool on)
{
	const struct sched_param	param = { .sched_priority = on ? SCRIBE_PRIORITY : 0 };

	if (b->scribe == 0)
		b->scribe = bench_pid(b, RUNNER_SCRIBE);	/* it lives as long as its runner */
	if (b->scribe > 0)
		(void)sched_setscheduler(b->scribe, (on ? SCHED_FIFO : SCHED_OTHER) |
		    SCHED_RESET_ON_FORK, &param);
}

static enum status
give(struct bench *b, unsigned lane, const struct bench_challenge *c, uint64_t deadline_ns,
    struct challenge_time *t, struct bench_reply *a)
{
	enum status	st;

	/* without filters it could have a second process, without a CPU of its own go on */
	*t = (struct challenge_time){ .is_hidden = stop_all(b) && b->filtered &&
	    b->slot->cpu >= 0 };
	bench_choose_policy(b, lane, c->realtime);
	raise_scribe(b, b->raised[lane] && b->threads <= 1);
	if ((st = write_sets(b, lane, c, a)) != ST_OK)
		return st;
	return call_stopped(b, lane, c, deadline_ns, t, a);
}

enum status
bench_challenge(struct bench *b, unsigned lane, const struct bench_challenge *c,
    uint64_t deadline_ns, struct challenge_time *t, struct bench_reply *a)
{
	enum status	st;

	bench_reply_begin(a);
	bench_see_gone(b);
	st = give(b, lane, c, deadline_ns, t, a);
	raise_scribe(b, false);
	b->ran_ns = clock_now_ns();
	a->realtime = b->raised[lane];
	a->pinned = bench_child_is_pinned(b, lane);
	return st;
}

enum status
bench_blank(struct bench *b, const struct bench_challenge *c, uint64_t deadline_ns,
    struct challenge_time *t, struct bench_reply *a)
{
	enum status	st = ST_OK;

	if (!b->loaded[RUNNER_BLANK])
		st = bench_load(b, RUNNER_BLANK, NULL, deadline_ns, a);
	if (st == ST_OK)
		st = bench_challenge(b, RUNNER_BLANK, c, deadline_ns, t, a);
	if (st != ST_OK && st != ST_CANCELLED && st != ST_RUN_TIMEOUT)	/* no variant's fault */
		st = a->status = ST_INTERNAL;
	return st;
}

char *
bench_results(const struct bench *b, unsigned lane)
{
	return (char *)bench_lane_of(b, lane) + b->challenge_at;
}

char *
bench_sets(const struct bench *b, unsigned lane)
{
	return bench_results(b, lane) + RUNNER_SETS_AT;
}

void
bench_homes(const struct bench *b, uint64_t home[RUNNER_OPERANDS])
{
	memcpy(home, b->shm->at, RUNNER_OPERANDS * sizeof home[0]);
}
