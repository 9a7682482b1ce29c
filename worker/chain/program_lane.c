/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "worker/chain/program_lane.h"

/* A switch in so much CPU time is the scheduler's, and none of it a neighbour's. */
#define NS_OF_A_SWITCH	100000000u

enum status
program_lane_begin(struct program_lane *l, struct program_bench *b, const uint64_t *deadline_ns,
    const struct job *job, struct fault *why)
{
	*l = (struct program_lane){ .bench = b, .deadline_ns = deadline_ns,
	    .clock = job->spec.timing.clock, .copies = job->copies,
	    .shares = job->threads > 1 || job->profile == PROFILE_FORK };
	l->each = calloc(l->copies, sizeof *l->each);
	return l->each != NULL ? ST_OK : fault_set(why, ST_NOMEM, "samples");
}

void
program_lane_release(struct program_lane *l)
{
	program_bench_free(l->bench);
	free(l->each);
	free(l->run);
	memset(l, 0, sizeof *l);
}

static uint32_t
disturbing(const struct program_lane *l, const struct program_run *run)
{
	const uint64_t	usual = run->cpu_ns / NS_OF_A_SWITCH;

	return l->shares || run->switches <= usual ? 0 : (uint32_t)(run->switches - usual);
}

/* Page faults are the program's own: no two runs need have as many. */
static struct runner_sample
sample_of(const struct program_lane *l, const struct program_run *run)
{
	return (struct runner_sample){
		.ticks = l->clock == CLK_CPU ? run->cpu_ns : run->ended_ns - run->began_ns,
		.switches = disturbing(l, run), .canary_before = run->canary_before,
		.canary_after = run->canary_after, .pace_before = run->pace_before,
		.pace_after = run->pace_after, .ready_ns = run->ready_ns,
		.began_ns = run->began_ns, .ended_ns = run->ended_ns };
}

static bool
keep(struct program_lane *l, const struct program_run *run)
{
	const size_t		 room = l->room != 0 ? 2 * l->room : 64;
	struct program_run	*more;

	if (l->runs == l->room) {
		if ((more = realloc(l->run, room * sizeof *more)) == NULL)
			return false;
		l->run = more;
		l->room = room;
	}
	l->run[l->runs++] = *run;
	return true;
}

static enum status
run_once(struct program_lane *l, bool floor, uint64_t deadline_ns, uint32_t nth,
    struct bench_reply *a)
{
	enum status	st = program_bench_run(l->bench, floor, deadline_ns, a);

	for (unsigned i = 0; i < l->copies && st == ST_OK; i++) {
		const struct program_run	*run = program_bench_of(l->bench, i);

		l->each[i].sample[nth] = sample_of(l, run);
		if (!floor && !keep(l, run)) {
			(void)snprintf(a->words, sizeof a->words, "no memory for the runs");
			st = a->status = ST_INTERNAL;
		}
	}
	return st;
}

/* All samples of an order, to `each`; `a` has what is common to all. */
static enum status
run_all(struct program_lane *l, const struct runner_run *run, uint64_t deadline_ns,
    struct bench_reply *a)
{
	const bool	floor = run->kind == RUNNER_EMPTY;
	uint64_t	took_ns = 0;
	enum status	st = ST_OK;

	for (uint32_t i = 0; i < run->samples && st == ST_OK; i++) {
		st = run_once(l, floor, deadline_ns, i, a);
		took_ns += a->took_ns;
	}
	a->took_ns = took_ns;
	a->samples = run->samples;
	a->pinned = program_bench_is_pinned(l->bench);
	return st;
}

static enum status
run_one(void *arg, const struct runner_run *run, struct bench_reply *a)
{
	struct program_lane	*l = arg;
	enum status		 st = run_all(l, run, *l->deadline_ns, a);

	memcpy(a->sample, l->each[0].sample, run->samples * sizeof a->sample[0]);
	return st;
}

struct link
program_lane_link(struct program_lane *l)
{
	return (struct link){ run_one, l };
}

static enum status
run_copies(void *arg, const struct runner_run *run, uint64_t deadline_ns,
    const struct bench_copies *to, struct bench_reply *a)
{
	struct program_lane	*l = arg;
	enum status		 st = run_all(l, run, deadline_ns, a);

	for (unsigned i = 0; i < l->copies && st == ST_OK; i++) {
		l->each[i].samples = run->samples;
		l->each[i].pinned = a->pinned;
		to->see(to->arg, i, &l->each[i]);
	}
	return st;
}

struct copies_source
program_lane_copies(struct program_lane *l)
{
	return (struct copies_source){ run_copies, l };
}
