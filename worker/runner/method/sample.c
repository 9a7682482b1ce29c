/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One sample, in this order; only the line with the arrow is timed.
 *
 *	the memory canary		it moves things in caches, so it is the first.
 *	restore inout operands		they are the same in every sample.
 *	or draw the next input		of the operands whose inputs take turns.
 *	flush the cold operands		or do nothing: in a walk other sets have.
 *	look up their pages		page tables are in a cache again.
 *	read a little of many pages	inner caches are full of other data, the TLB too.
 *	read the sentinel lines		they show whether it is cold now.
 *	read the kernel's counters	for the way there alone.
 *	calls on other operands		the vector units are at full speed, code and stack there.
 *	read the kernel's counters, and which CPU this is.
 *	touch the warm operands		place those for L3, L2, L1; by stores where dirty.
 *	flush the routine's code	if that shall be cold.
 *	or, now and then, a proof	lines of the cold operands and code; then all again.
 *					That of the state is without calls on other operands.
 *	meet the other copies		only where copies run at once: none is asleep any more.
 *	the canary, the clock's pace	registers alone: they move nothing in or out of a cache.
 *	meet them again			all begin at once.
 *	start the evaluation		only where a metric is measured, and no time.
 *	settle				no store or load is under way any more.
 *   →	the driver's region.
 *	stop the evaluation.
 *	more calls, not timed		until the last of the copies has left its region.
 *	the canary, the clock's pace.
 *	read the kernel's counters.
 *	look at the numbers		only where a census was ordered.
 *	restore the sets that moved	now, because restoring brings them into the cache.
 */
#include <sched.h>
#include <string.h>
#include <sys/resource.h>

#include "worker/runner/method/awake.h"
#include "worker/runner/method/code_proof.h"
#include "worker/runner/method/levels.h"
#include "worker/runner/method/meeting.h"
#include "worker/runner/method/method.h"
#include "worker/runner/method/place.h"
#include "worker/runner/method/proof.h"
#include "worker/runner/method/result.h"
#include "worker/runner/method/sample.h"
#include "worker/runner/method/state.h"
#include "worker/runner/method/surroundings.h"
#include "worker/runner/sample/canary.h"
#include "worker/runner/sample/inputs.h"
#include "worker/runner/sample/stack.h"

/* ---- is it an order, and are we ready for it ---- */

int
rt_run_is_sound(const struct rt_timer *t, const struct runner_run *run)
{
	const struct rt_method	*m;

	if (run->kind >= RUNNER_NKINDS || run->walk >= RUNNER_NWALKS ||
	    run->flush >= RUNNER_NFLUSHES || run->data >= RUNNER_NDATA ||
	    run->pollute >= RUNNER_NPOLLUTIONS)
		return 0;
	if (run->pollute == RUNNER_POLLUTE_ALL && t->pollution.tables == NULL)
		return 0;
	if (run->kind == RUNNER_CHECK)
		return 1;
	if (run->stack_offset >= RT_STACK_PAGE || run->stack_offset % RT_STACK_STEP != 0)
		return 0;
	if (run->samples == 0 || run->samples > RUNNER_SAMPLES || run->calls == 0)
		return 0;
	if ((run->look_up || run->cold_code) && !rt_flush_lines_can())
		return 0;
	if (run->cold_code && (run->calls != 1 || run->walk != RUNNER_STAY))
		return 0;
	if (!rt_place_is_sound(&t->sets, run))
		return 0;
	if (run->copies > RUNNER_MOST_COPIES || (run->copies > 1 && t->meeting.first == NULL))
		return 0;
	m = rt_method_of(t, run);
	return m != NULL && (m->is_sound == NULL || m->is_sound(t, run));
}

/* Its samples shall be cold, and prove it by the sentinel lines. */
static int
is_cold(const struct runner_run *run)
{
	return run->kind == RUNNER_SAMPLE &&
	    (run->flush != RUNNER_FLUSH_NONE || rt_walk_is_cold(run->walk));
}

/* The empty routine's code stays where it is. */
static int
has_cold_code(const struct runner_run *run)
{
	return run->cold_code && run->kind != RUNNER_EMPTY;
}

static int
sentinel_ready(struct rt_timer *t, const struct runner_run *run)
{
	const uint64_t	far_sets = rt_walk_is_cold(run->walk) ? t->sets.sets : t->sentinel.far_sets;

	if (!rt_sentinel_make(&t->sentinel, far_sets))
		return 0;
	rt_sentinel_know(&t->sentinel, &t->pollution, t->setup.line_bytes);
	return 1;
}

int
rt_run_ready(struct rt_timer *t, const struct runner_run *run)
{
	const struct rt_method	*m = rt_method_of(t, run);

	if (m != NULL && m->enter != NULL)
		m->enter(t);
	if (run->awake && !rt_awake_ready(t))
		return 0;
	if (run->kind == RUNNER_SAMPLE && run->proves)
		rt_levels_know(t);
	return (!is_cold(run) && !has_cold_code(run)) || sentinel_ready(t, run);
}

/* ---- what the kernel counts ---- */

struct kernel_counts {
	uint64_t	faults, switches;
	int		cpu;		/* -1: not known */
};

/* Of this thread: threads that a routine starts interrupt each other by themselves. */
static struct kernel_counts
counts_now(void)
{
	int		cpu = sched_getcpu();
	struct rusage	u;

	if (getrusage(RUSAGE_THREAD, &u) != 0)
		return (struct kernel_counts){ 0, 0, cpu };
	return (struct kernel_counts){ (uint64_t)(u.ru_minflt + u.ru_majflt),
	    (uint64_t)u.ru_nivcsw, cpu };
}

/* Counts since then. */
static void
put_counts(struct runner_sample *out, const struct kernel_counts *before)
{
	struct kernel_counts	after = counts_now();

	out->faults = (uint32_t)(after.faults - before->faults);
	out->switches = (uint32_t)(after.switches - before->switches);
	out->migrations = before->cpu >= 0 && after.cpu >= 0 && after.cpu != before->cpu;
}

/* ---- one sample ---- */

static void
look_at_core(uint32_t *canary, uint32_t *pace)
{
	*canary = rt_canary();
	*pace = rt_pace();
}

static uint32_t
ask_memory(const struct rt_timer *t, const struct runner_run *run)
{
	return run->memory_canary ? rt_memory_canary(t->setup.line_bytes) : 0;
}

static uint32_t
read_sentinel(const struct rt_sentinel *s, const struct runner_run *run, const uint32_t *walk)
{
	if (!is_cold(run) || s->home == NULL)
		return 0;
	return walk != NULL ? rt_sentinel_read_far(s, walk, run->calls) : rt_sentinel_read(s);
}

/*
 * A cold call must meet the state that the calls before it left, not ours.  Some cores fetch the
 * beginning of the next page while a routine reads this one to its end.  They do not after accesses
 * here and there in some dozens of pages, until they have seen as many pages read again: on a Xeon
 * of 2019 0.4 µs for each page of a cold operand, 3 to 7 % of gemm.  The sentinel's lines are such
 * accesses, and so are the kernel's own pages, if they come from memory.  So the sentinel is read,
 * and the kernel's pages are brought in, before the calls that keep the core awake.
 */
static void
go_before(struct rt_timer *t, const struct runner_run *run, const struct rt_region *r,
    struct runner_sample *out)
{
	out->sentinel = read_sentinel(&t->sentinel, run, r->walk);
	if (!run->awake)
		return;
	(void)counts_now();
	if (run->flush != RUNNER_FLUSH_NONE || r->walk != NULL || run->cold_code)
		rt_awake(t, r->code);
}

static uint64_t
region(struct rt_sets *s, const struct runner_run *run, const struct rt_region *r)
{
	const struct rt_driver	*d = s->driver;
	uint64_t		 ticks;

	if (r->walk != NULL) {
		rt_settle();
		return (run->walk == RUNNER_STROLL ? d->rt_stroll : d->rt_rotate)(r->code, r->at,
		    r->step, r->walk, run->calls);
	}
	if (d->rt_turn != NULL)
		*d->rt_turn = s->turn;
	rt_settle();
	ticks = d->rt_repeat(r->code, r->at, run->calls);
	s->turn = (s->turn + run->calls) % 2;
	return ticks;
}

/*
 * A copy whose region is over goes on for as long as another's is not.  Where calls are flushed, or
 * their working sets move on, the state before the next region would not be what it should be.
 */
static void
keep_others_company(struct rt_timer *t, const struct runner_run *run, const struct rt_region *r)
{
	if (r->walk != NULL || run->flush != RUNNER_FLUSH_NONE || run->data != RUNNER_GIVEN)
		return;
	while (!rt_meet_is_over(&t->meeting))
		(void)t->sets.driver->rt_repeat(r->code, r->at, 2);	/* signs turn twice */
}

/* It passes over sets of a walk, and signs that turn need each set in each traversal. */
static int
may_be_proof(const struct rt_timer *t, const struct runner_run *run, const struct rt_region *r)
{
	if (run->cold_code)
		return run->kind == RUNNER_SAMPLE;
	return is_cold(run) && run->awake && (r->walk == NULL || t->sets.driver->rt_turn == NULL);
}

static void
make_state(struct rt_timer *t, const struct rt_method *m, const struct runner_run *run,
    struct rt_region *r)
{
	m->aim(t, run, r);
	if (run->restore == RUNNER_RESTORE && m->restore != NULL)
		m->restore(t);
	rt_inputs_draw(&t->sets, run, r->walk, r->input);
	if (m->flush != NULL)
		m->flush(t, run);
	rt_surround(t, run, r->walk);
}

/* A sample without its region, and without a call of the routine. */
static void
prove_state(struct rt_timer *t, const struct rt_method *m, const struct runner_run *run,
    struct rt_region *r, struct runner_proof *out)
{
	struct kernel_counts	before = counts_now(), after;

	make_state(t, m, run, r);
	if (m->warm != NULL)
		m->warm(t, run, r);
	rt_place(t, run);
	rt_state_look(t, run, r->walk);
	after = counts_now();
	rt_state_keep(t, out, after.switches == before.switches && after.cpu == before.cpu);
}

/* 0: it was a proof, and no time was taken. */
static int
sample(struct rt_timer *t, const struct rt_method *m, const struct runner_run *run,
    struct rt_region *r, struct runner_lane *lane, struct runner_sample *out)
{
	struct kernel_counts	before;
	int			is_proof;

	if (rt_state_is_due(&t->state)) {
		prove_state(t, m, run, r, &lane->proof);
		return 0;
	}
	out->memory_canary = ask_memory(t, run);
	make_state(t, m, run, r);
	go_before(t, run, r, out);
	if (m->warm != NULL)
		m->warm(t, run, r);
	before = counts_now();
	rt_place(t, run);
	is_proof = may_be_proof(t, run, r) && rt_proof_is_due();
	if (has_cold_code(run))
		rt_code_leave(t, is_proof ? out : NULL);
	if (is_proof && is_cold(run))
		rt_proof_look(t, run, r->walk, out);
	if (is_proof && t->image == NULL)
		return 0;
	if (rt_meet(&t->meeting))
		before = counts_now();	/* a switch while it waited disturbed nothing */
	look_at_core(&out->canary_before, &out->pace_before);
	rt_meet_to_begin(&t->meeting, out);
	rt_evaluation_start(&t->evaluation);
	out->ticks = region(&t->sets, run, r);
	out->metric = rt_evaluation_stop(&t->evaluation);
	rt_meet_leave(&t->meeting, out);
	keep_others_company(t, run, r);
	look_at_core(&out->canary_after, &out->pace_after);
	put_counts(out, &before);
	if (has_cold_code(run))
		rt_code_left(t);
	return !is_proof;
}

/* The empty routine moves nothing on; a census sees what the routine left. */
static void
sample_and_after(struct rt_timer *t, const struct rt_method *m, const struct runner_run *run,
    struct rt_region *r, struct runner_lane *lane, struct runner_sample *out)
{
	const uint64_t	position = t->sets.walk.position, turn = t->sets.turn;

	out->proved = out->found = out->code_proved = out->code_found = 0;
	while (!sample(t, m, run, r, lane, out))
		;
	if (run->kind == RUNNER_EMPTY) {
		t->sets.walk.position = position;
		t->sets.turn = turn;
	}
	if (run->kind == RUNNER_CENSUS)
		rt_result_count(&t->sets, r->walk, run->calls, lane->census);
	if (m->after != NULL)
		m->after(t, run, r, out->sentinel != 0);
}

/* ---- an order ---- */

/*
 * InstLdGuard, section 5.4: the routine's code is in memory, and in the cache, before anything is
 * flushed.  Where a sign alternates, an even number of calls adds nothing up.
 */
static void
warm_up(struct rt_timer *t, rt_code *code, const struct runner_run *run)
{
	const struct rt_driver	*d = t->sets.driver;
	void			*at[RT_SETS_AT];

	if (run->awake)
		rt_awake_anew(t, code);
	rt_sets_home(&t->sets, at);
	if (d->rt_turn != NULL) {
		*d->rt_turn = t->sets.turn;
		d->rt_repeat(code, at, 2 * (uint64_t)run->warm_calls);
		return;
	}
	for (uint32_t i = 0; i < run->warm_calls; i++) {
		if (run->restore == RUNNER_RESTORE)
			rt_timer_restore_inout(t);
		d->rt_call(code, at);
	}
}

void
rt_run_samples(struct rt_timer *t, rt_code *code, const struct runner_run *run,
    struct runner_lane *lane)
{
	const struct rt_method	*m = rt_method_of(t, run);
	struct rt_region	 r;
	struct runner_sample	 one;

	r.code = run->kind == RUNNER_EMPTY ? t->sets.driver->rt_empty : code;
	rt_meet_order(&t->meeting, run);
	rt_inputs_enter(&t->sets, run);
	rt_walk_pass(&t->sets.walk, run->passes);
	lane->phase = RUNNER_WARMING;
	warm_up(t, r.code, run);

	lane->sets_seen = run->kind == RUNNER_SAMPLE && m->witness != NULL ? m->witness(t, run) : 0;
	rt_state_begin(t, run);
	if (lane->proof.proofs != 0)
		memset(&lane->proof, 0, sizeof lane->proof);
	lane->phase = RUNNER_TIMING;
	for (uint32_t i = 0; i < run->samples; i++) {
		r.input = i * runner_region_inputs(run);
		sample_and_after(t, m, run, &r, lane, &one);
		lane->sample[i] = one;
	}
	rt_inputs_leave(&t->sets, run);
	if (run->awake)
		rt_awake_left(t);
	if (is_cold(run) && t->sentinel.known.hot != 0)
		rt_sentinel_doubt(&t->sentinel, &t->pollution, t->setup.line_bytes, lane->sample,
		    run->samples);
	lane->sentinel = t->sentinel.known;
	lane->image_calls = rt_image_calls();
}
