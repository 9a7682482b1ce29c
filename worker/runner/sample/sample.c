/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One sample, in this order; only the line with the arrow is timed.
 *
 *	the memory canary		it moves things in caches, so it is the first
 *	restore inout operands		they are the same in every sample
 *	flush the cold operands		or do nothing: in a walk other sets have
 *	look up their pages		page tables are in a cache again
 *	read a little of many pages	inner caches are full of other data, the TLB too
 *	read the sentinel lines		they tell whether it is cold now
 *	read the kernel's counters	for the way there alone
 *	calls on other operands		the vector units are at full speed, stack and code are there
 *	read the kernel's counters, and which CPU this is
 *	touch the warm operands		place those for L3, L2, L1
 *	the canary, the clock's pace	registers alone: they move nothing in or out of a cache
 *	settle				no store or load is under way any more
 *   →	the driver's region
 *	the canary, the clock's pace
 *	read the kernel's counters
 *	look at the numbers		only where a census was ordered
 *	restore the sets that moved	now, because restoring brings them into the cache
 */
#include <sched.h>
#include <string.h>
#include <sys/resource.h>

#include "worker/runner/sample/canary.h"
#include "worker/runner/sample/census.h"
#include "worker/runner/sample/sample.h"
#include "worker/runner/sample/stack.h"
#include "worker/runner/sample/witness.h"

#define OUTPUT_ALIGN	64u

struct evidence {
	uint64_t	faults, switches;
	int		cpu;		/* -1: not known */
};

/* Of this thread: those that a routine starts interrupt each other by themselves. */
static struct evidence
evidence_now(void)
{
	int		cpu = sched_getcpu();
	struct rusage	u;

	if (getrusage(RUSAGE_THREAD, &u) != 0)
		return (struct evidence){ 0, 0, cpu };
	return (struct evidence){ (uint64_t)(u.ru_minflt + u.ru_majflt), (uint64_t)u.ru_nivcsw, cpu };
}

/*
 * What a cold call meets must be of the calls before it, not of ours.  Some cores fetch the beginning of the next page
 * while a routine reads this one to its end, but not after accesses here and there in some dozens of pages, until they
 * have seen as many pages read again (a Xeon of 2019: 0.4 µs for each page of a cold operand, 3 to 7 % of gemm).  The
 * kernel's own pages are such, and the sentinel's lines, if they come from memory; the kernel's are not if they are in
 * the cache.
 */
static void
go_before(const struct rt_sets *s, const uint32_t *walk, const struct runner_run *run, struct runner_sample *out)
{
	rt_sets_look(s, walk, run, out);
	if (run->awake)
		(void)evidence_now();
}

/* What has happened since. */
static void
put_evidence(struct runner_sample *out, const struct evidence *before)
{
	struct evidence	after = evidence_now();

	out->faults = (uint32_t)(after.faults - before->faults);
	out->switches = (uint32_t)(after.switches - before->switches);
	out->migrations = before->cpu >= 0 && after.cpu >= 0 && after.cpu != before->cpu;
}

static void
look_at_core(uint32_t *canary, uint32_t *pace)
{
	*canary = rt_canary();
	*pace = rt_pace();
}

static uint32_t
ask_memory(const struct rt_sets *s, const struct runner_run *run)
{
	return run->memory_canary ? rt_memory_canary(s->setup.line_bytes) : 0;
}

static int
is_set_up(const struct rt_sets *s, const struct runner_run *run)
{
	if (run->flush == RUNNER_FLUSH_LRU && run->flush_bytes > s->flush_bytes / rt_crew_size(s->crew))
		return 0;
	if ((run->flush == RUNNER_FLUSH_LINES || run->look_up) && !rt_flush_lines_can())
		return 0;
	return run->walk == RUNNER_STAY || (s->sets != 0 && run->calls <= s->sets);
}

int
rt_run_is_sound(const struct rt_sets *s, const struct runner_run *run)
{
	if (run->kind >= RUNNER_NKINDS || run->walk >= RUNNER_NWALKS || run->flush >= RUNNER_NFLUSHES)
		return 0;
	if (run->kind == RUNNER_CHECK)
		return 1;
	if (run->stack_offset >= RT_STACK_PAGE || run->stack_offset % RT_STACK_STEP != 0)
		return 0;
	if (run->samples == 0 || run->samples > RUNNER_SAMPLES || run->calls == 0)
		return 0;
	return is_set_up(s, run);
}

static void
region_stay(struct rt_sets *s, rt_code *code, const struct runner_run *run, struct runner_sample *out)
{
	struct evidence	 before;
	void		*at[RT_SETS_AT];

	out->memory_canary = ask_memory(s, run);
	rt_sets_home(s, at);
	if (run->restore == RUNNER_RESTORE)
		rt_sets_restore_inout(s);
	rt_sets_flush(s, run);
	go_before(s, NULL, run, out);
	if (run->flush != RUNNER_FLUSH_NONE)
		rt_sets_awake(s, code, run);
	before = evidence_now();
	rt_sets_place(s, run);
	look_at_core(&out->canary_before, &out->pace_before);
	if (s->driver->rt_turn != NULL)
		*s->driver->rt_turn = s->turn;
	rt_settle();
	out->ticks = s->driver->rt_repeat(code, at, run->calls);
	s->turn = (s->turn + run->calls) % 2;
	look_at_core(&out->canary_after, &out->pace_after);
	put_evidence(out, &before);
}

static void
region_rotate(struct rt_sets *s, rt_code *code, const struct runner_run *run, const uint32_t *walk,
    struct runner_sample *out)
{
	struct evidence	 before;
	uint64_t	 step[RT_MAX_OPERANDS];
	void		*at[RT_SETS_AT];

	out->memory_canary = ask_memory(s, run);
	rt_sets_far(s, at, step);
	rt_sets_flush_far(s, run, walk);
	go_before(s, walk, run, out);
	rt_sets_awake(s, code, run);
	if (run->walk == RUNNER_AGAIN)
		rt_sets_place_far(s, walk, run->calls);
	before = evidence_now();
	rt_sets_place(s, run);
	look_at_core(&out->canary_before, &out->pace_before);
	rt_settle();
	out->ticks = s->driver->rt_rotate(code, at, step, walk, run->calls);
	look_at_core(&out->canary_after, &out->pace_after);
	put_evidence(out, &before);
}

/* The result's bytes, RT_MAX_RESULT at most. */
void
rt_run_result(const struct rt_driver *d, char *to)
{
	const volatile char	*from = d->rt_result;

	for (uint32_t i = 0; i < d->rt_result_bytes && i < RT_MAX_RESULT; i++)
		to[i] = from[i];
}

void
rt_run_count(const struct rt_sets *s, const uint32_t *walk, uint64_t calls, struct runner_lane *lane)
{
	const struct rt_driver	*d = s->driver;
	struct runner_census	*of_result = &lane->census[RUNNER_OPERANDS];
	char			 result[RT_MAX_RESULT];

	rt_sets_census(s, walk, calls, lane->census);
	*of_result = (struct runner_census){ 0, 0, 0, 0 };
	rt_run_result(d, result);
	if (d->rt_result_bytes != 0)
		rt_census((char)d->rt_result_class, d->rt_result_bytes, result, 1, 1, of_result);
}

/* One sample of the routine, or of the empty one, which moves nothing on; a census sees what it left. */
static void
region(struct rt_sets *s, rt_code *code, const struct runner_run *run, struct runner_lane *lane,
    struct runner_sample *out)
{
	uint64_t	 position = s->position, turn = s->turn;
	const uint32_t	*walk = NULL;

	if (run->walk == RUNNER_STAY)
		region_stay(s, code, run, out);
	else {
		walk = rt_sets_walk(s, run->walk, run->calls);
		region_rotate(s, code, run, walk, out);
	}
	if (run->kind == RUNNER_EMPTY) {
		s->position = position;
		s->turn = turn;
	}
	if (run->kind == RUNNER_CENSUS)
		rt_run_count(s, walk, run->calls, lane);
	if (walk != NULL && out->sentinel != 0)
		rt_sentinel_touch_far(&s->sentinel, walk, run->calls);
	if (walk != NULL && run->restore == RUNNER_RESTORE)
		rt_sets_restore_far(s, walk, run->calls);
}

/*
 * InstLdGuard, section 5.4: the routine's code is in memory, and in the cache, before anything is flushed.  Where a
 * sign alternates, an even number of calls adds nothing up.  A core that has just run the routine is still awake.
 */
static void
warm_up(struct rt_sets *s, rt_code *code, const struct runner_run *run)
{
	void	*at[RT_SETS_AT];

	if (rt_wall_ns() - s->awake_ns > RUNNER_AWAKE_NS)
		rt_sets_awake(s, code, run);
	rt_sets_home(s, at);
	if (s->driver->rt_turn != NULL) {
		*s->driver->rt_turn = s->turn;
		s->driver->rt_repeat(code, at, 2 * (uint64_t)run->warm_calls);
		return;
	}
	for (uint32_t i = 0; i < run->warm_calls; i++) {
		if (run->restore == RUNNER_RESTORE)
			rt_sets_restore_inout(s);
		s->driver->rt_call(code, at);
	}
}

/* The walk of the samples to come, as the driver's witness sees it. */
static uint64_t
see_walk(struct rt_sets *s, const struct runner_run *run)
{
	uint64_t	calls = run->calls * run->samples;

	if (!rt_walk_is_cold(run->walk) || run->kind != RUNNER_SAMPLE)
		return 0;
	return rt_witness_walk(s, rt_sets_walk(s, run->walk, 0), calls < s->sets ? calls : s->sets);
}

void
rt_run_samples(struct rt_sets *s, rt_code *code, const struct runner_run *run, struct runner_lane *lane)
{
	rt_code			*subject = run->kind == RUNNER_EMPTY ? s->driver->rt_empty : code;
	struct runner_sample	 sample;

	lane->phase = RUNNER_WARMING;
	warm_up(s, subject, run);

	lane->sentinel = s->known;
	lane->sets_seen = see_walk(s, run);
	lane->phase = RUNNER_TIMING;
	for (uint32_t i = 0; i < run->samples; i++) {
		region(s, subject, run, lane, &sample);
		lane->sample[i] = sample;
	}
	if (run->awake)
		s->awake_ns = rt_wall_ns();
	lane->image_calls = rt_image_calls();
}

/* Where the next output goes; NULL: it does not fit. */
static char *
output_place(char *out, uint64_t bytes, uint64_t *used, uint64_t wanted)
{
	uint64_t	at = *used;

	if (at > bytes || wanted > bytes - at)
		return NULL;
	*used = (at + wanted + OUTPUT_ALIGN - 1) / OUTPUT_ALIGN * OUTPUT_ALIGN;
	return out + at;
}

int
rt_run_check(struct rt_sets *s, rt_code *code, char *out, uint64_t bytes)
{
	uint64_t	 used = 0;
	void		*at[RT_SETS_AT];
	char		*to;

	rt_sets_restore(s);
	rt_sets_home(s, at);
	rt_image_count_time(1);
	s->driver->rt_call(code, at);
	rt_image_count_time(0);

	if (s->image != NULL)
		return rt_image_put(s->image, s->driver->rt_result_bytes, out, bytes);
	if ((to = output_place(out, bytes, &used, OUTPUT_ALIGN)) == NULL)
		return 0;
	rt_run_result(s->driver, to);
	for (uint32_t k = 0; k < s->driver->rt_operands; k++) {
		const struct rt_live	*l = &s->live[k];

		if (l->operand->rt_access == 'i')
			continue;
		if ((to = output_place(out, bytes, &used, l->bytes)) == NULL)
			return 0;
		memcpy(to, l->home, l->bytes);
	}
	return 1;
}
