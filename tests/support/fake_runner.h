/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_TESTS_SUPPORT_FAKE_RUNNER_H
#define ASSAY_TESTS_SUPPORT_FAKE_RUNNER_H

#include "tests/support/chain.h"
#include "tests/support/driver.h"
#include "tests/support/fake_clock.h"

/*
 * For tests of take_samples, included once, after cmocka: at the end of the chain of an order, a
 * runner that is made of numbers: what a call takes, what calling takes, and which samples are
 * disturbed.  Time is what it says it is.
 */
struct fake {
	struct fake_clock clock;
	uint64_t	 call_ticks, empty_ticks, region_ticks;	/* 1 tick = 1 ns */
	uint32_t	 own_faults;
	unsigned	 disturb_every;		/* every n-th sample has a switch; 0: none */
	unsigned	 fault_every;		/* … a page fault beyond its own */
	unsigned	 migrate_every;		/* … a move to another CPU */
	uint32_t	 loud_from, loud_to;	/* by its time a neighbour is there: all takes half
						 * as long again */
	uint32_t	 canary;		/* ticks when it is quiet; 0: 8000 */
	uint32_t	 less_from;		/* by its time the canary takes a quarter less; 0:
						 * never */
	uint32_t	 pace;			/* ticks of it beside that; 0: there is none */
	uint32_t	 coarse;		/* ticks between two steps of its clock; 0: 1 */
	uint64_t	 drain;			/* ticks that a routine's region takes longer,
						 * however many calls */
	unsigned	 falling;		/* calls of an order that take 20 % longer for each
						 * one until the last of them is over */
	bool		 realtime;
	struct runner_sentinel sentinel;	/* hot 0: not looked */
	uint32_t	 sentinel_ticks;
	uint32_t	 code_proved, code_found;	/* before each sample */
	uint64_t	 sets_seen;
	enum status	 fail;			/* what the fail_at-th order answers */
	unsigned	 fail_at;

	unsigned	 orders, samples, most_samples, realtime_orders;
	uint64_t	 renewal_ns;	/* of another process; 0: there is no other */
	uint64_t	 renewal_ticks;	/* by so much its calls are longer than the last one's */
	struct race	 race;
	uint64_t	 paused_ns, most_calls, fifo_since_pause, most_fifo;
	struct runner_run last;
};

static const struct slot	slot = { .cpu = 1, .l1_bytes = 48 << 10, .l2_bytes = 1 << 20,
		    .l3_bytes = 32 << 20,
				    .line_bytes = 64 };
static const struct tick	tick = { .clock = CLK_CYCLE, .hz = 1e9, .resolution_ns = 10 };

static bool
is_due(unsigned every, unsigned n)
{
	return every != 0 && n % every == every - 1;
}

static void
one_sample(struct fake *f, const struct runner_run *run, uint32_t nth, struct runner_sample *s)
{
	uint64_t	call = run->kind == RUNNER_EMPTY ? f->empty_ticks : f->call_ticks;

	f->samples++;
	s->ticks = f->region_ticks + run->calls * call + (run->kind == RUNNER_EMPTY ? 0 : f->drain);
	if (f->coarse != 0)
		s->ticks = (f->clock.now_ns + s->ticks) / f->coarse * f->coarse - f->clock.now_ns /
		    f->coarse * f->coarse;
	if (run->kind == RUNNER_SAMPLE && run->warm_calls + nth < f->falling)
		s->ticks += call * (f->falling - run->warm_calls - nth) / 5;
	s->faults = f->own_faults + is_due(f->fault_every, f->samples);
	s->switches = is_due(f->disturb_every, f->samples);
	s->migrations = is_due(f->migrate_every, f->samples);
	if (s->switches)
		s->ticks += 1000000;
	s->canary_before = f->canary != 0 ? f->canary : 8000;
	if (f->less_from != 0 && f->clock.now_ns >= f->less_from)
		s->canary_before -= s->canary_before / 4;
	s->canary_after = s->canary_before;
	s->pace_before = s->pace_after = f->pace;
	s->code_proved = f->code_proved;
	s->code_found = f->code_found;
	s->sentinel = f->sentinel_ticks;
	if (f->clock.now_ns >= f->loud_from && f->clock.now_ns < f->loud_to) {
		s->ticks += s->ticks / 2;
		s->canary_after += s->canary_after / 2;
	}
}

static enum status
fake_run(void *arg, const struct runner_run *run, struct bench_reply *a)
{
	struct fake	*f = arg;
	uint64_t	 began = f->clock.now_ns;

	f->last = *run;
	f->most_samples = run->samples > f->most_samples ? run->samples : f->most_samples;
	f->most_calls = run->calls > f->most_calls ? run->calls : f->most_calls;
	f->realtime_orders += run->realtime;
	if (++f->orders == f->fail_at)
		return a->status = f->fail;
	a->samples = run->samples;
	for (uint32_t i = 0; i < run->samples; i++) {
		one_sample(f, run, i, &a->sample[i]);
		f->clock.now_ns += a->sample[i].ticks + f->coarse / 7;	/* samples begin anywhere between two steps */
	}
	a->realtime = f->realtime && run->realtime;
	a->pinned = true;
	a->sentinel = f->sentinel;
	a->sets_seen = f->sets_seen;
	a->took_ns = f->clock.now_ns - began;
	if (a->realtime)
		f->fifo_since_pause += a->took_ns;
	if (f->fifo_since_pause > f->most_fifo)
		f->most_fifo = f->fifo_since_pause;
	return a->status = ST_OK;
}

static enum status
renew_fake(void *arg, struct bench_reply *a)
{
	struct fake	*f = arg;

	f->clock.now_ns += f->renewal_ns;
	f->call_ticks += f->renewal_ticks;
	return a->status = ST_OK;
}

static void
pause_fake(void *arg, uint64_t ns)
{
	struct fake	*f = arg;

	fake_pause(&f->clock, ns);
	f->paused_ns += ns;
	f->fifo_since_pause = 0;
}

#define SPEC(context, more)	"{'routine': 'void f(int n, double *y)', 'args': {'n': 9, 'y': {'dims': [9], " \
	    "'access': 'out'}}, 'context': '" context "' " more "}"
#define INOUT(context)		"{'routine': 'void f(int n, double *y)', 'args': {'n': 9, 'y': {'dims': [9]}}, " \
	    "'context': '" context "'}"

static struct plan	plan;
static struct gate	gate;
static const struct tick	*clock_now = &tick;

static inline int
forget_gate(void **state)
{
	(void)state;
	gate = (struct gate){ .resolution_ticks = 26 };
	return 0;
}

static inline enum status
take_for(struct take *k, struct fake *f, const char *spec, uint64_t limit_ns)
{
	static struct bench_reply	answer;
	static struct chain		chain;
	const struct take_clock		clock = { fake_now, pause_fake, f };
	struct take_setting		with;
	struct job			job;
	struct fault			why;
	enum status			st;

	k->sample = NULL;
	support_spec_job(&job, spec);
	assert_int_equal(plan_make(&plan, &job.spec, &slot, true, &why), ST_OK);
	chain_build(&chain, &job, chain_end(fake_run, f), chain_end(NULL, NULL));
	with = chain_setting(&chain, &job, &plan, &clock, clock_now, &gate);
	with.deadline_ns = 1000 + limit_ns;
	if (f->renewal_ns != 0)
		with.renewal = (struct take_renewal){ renew_fake, f, f->renewal_ns };
	with.race = f->race.is_asked ? &f->race : NULL;
	f->clock.now_ns = 1000;
	if (plan.is_open) {
		double	call_ns;

		if ((st = take_call(&plan, &with, &answer, &call_ns)) != ST_OK)
			goto done;
		plan_close(&plan, &job.spec, &slot, clock_now, call_ns);
	}
	st = take_samples(k, &plan, &with, &answer);
done:
	job_release(&job);
	return st;
}

#define SECOND	1000000000u

/* A test before which the gate has seen nothing. */
#define WITH_NEW_GATE(test)	cmocka_unit_test_setup(test, forget_gate)

#endif
