/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "proto/base/clock.h"
#include "proto/wire/runner_desk.h"
#include "worker/runner/challenge.h"
#include "worker/runner/chance.h"
#include "worker/runner/exports.h"
#include "worker/runner/filter.h"
#include "worker/runner/lane.h"
#include "worker/runner/method/levels.h"
#include "worker/runner/method/result.h"
#include "worker/runner/method/sample.h"
#include "worker/runner/sample/canary.h"
#include "worker/runner/sample/restore.h"
#include "worker/runner/sample/stack.h"
#include "worker/runner/openmp.h"
#include "worker/runner/pin.h"
#include "worker/runner/segv.h"
#include "worker/runner/sign.h"
#include "worker/runner/team.h"

enum {
	REST_NEAR	= 64,		/* a pace within a 64th of the best: the same clock */
	REST_READINGS	= 5,		/* at least */
};

/*
 * Wide vectors that ran here keep the clock down for a while, a neighbour's for longer than we
 * wait.  A process waits even where those before it did in vain: the least of several counts.
 */
static uint32_t
pace_at_rest(uint32_t best, uint64_t wait_ns)
{
	const uint64_t	began = clock_now_ns();
	uint32_t	least = UINT32_MAX;

	for (unsigned i = 0; i < REST_READINGS || clock_now_ns() - began < wait_ns; i++) {
		uint32_t	pace = rt_pace();

		least = pace < least ? pace : least;
		if (least <= best + best / REST_NEAR)
			break;
	}
	return least > 0 ? least : 1;
}

static void
say(struct runner_lane *lane, const char *words)
{
	snprintf(lane->words, sizeof lane->words, "%s", words != NULL ? words : "");
}

/*
 * Why an object cannot be loaded, in the linker's words.  They do not explain what the filter
 * refuses: code that is written to, and data that is executed.
 */
static void
say_linker(struct runner_lane *lane, const char *words)
{
	const char	*advice = "";

	if (words == NULL)
		words = "";
	if (strstr(words, "executable stack") != NULL)
		advice = " (link it with -Wl,-z,noexecstack)";
	else if (strstr(words, "segment writable for relocation") != NULL)
		advice = " (compile it with -fPIC)";
	snprintf(lane->words, sizeof lane->words, "%s%s", words, advice);
}

/* A copy that is only read takes the header's place. */
static bool
leave_header(struct runner_shm *shm)
{
	const size_t	 bytes = RUNNER_HEADER_BYTES;
	char		*copy = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (copy == MAP_FAILED)
		return false;
	memcpy(copy, shm, offsetof(struct runner_shm, words));
	return mprotect(copy, bytes, PROT_READ) == 0 &&
	    mremap(copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, shm) != MAP_FAILED;
}

static bool
leave_range(char *from, char *to)
{
	return from == to || mmap(from, (size_t)(to - from), PROT_NONE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == (void *)from;
}

/* Copies see each other's spots, and write to their own alone. */
static bool
leave_spots(const struct runner_shm *shm, uint32_t copy)
{
	char	*spots = (char *)runner_spot_at(shm, shm->lane_bytes, shm->lanes, 0);
	char	*end = (char *)(uintptr_t)shm + shm->bytes;

	if (copy >= shm->spots)
		return leave_range(spots, end);
	return mprotect(spots, (size_t)(end - spots), PROT_READ) == 0 &&
	    mprotect(spots + (size_t)copy * RUNNER_PAGE_BYTES, RUNNER_PAGE_BYTES,
	    PROT_READ | PROT_WRITE) == 0;
}

/* Of what the template shares with the supervisor only this lane is left to the child. */
static bool
leave_others(struct runner_shm *shm, struct runner_lane *lane, uint32_t copy)
{
	char	*lanes = (char *)runner_lane_at(shm, shm->lane_bytes, 0), *own = (char *)lane;
	char	*spots = (char *)runner_spot_at(shm, shm->lane_bytes, shm->lanes, 0);

	return leave_range(lanes, own) && leave_range(own + shm->lane_bytes, spots) &&
	    leave_spots(shm, copy) && leave_header(shm);
}

/*
 * A crew for them, and how many arenas malloc may have, the usual number: with a ninth thread it
 * would look for the number of CPUs in a file.
 */
static void
bind_threads(struct rt_timer *t)
{
	rt_team_bind(t->crew = rt_crew_new());
	mallopt(M_ARENA_MAX, (int)(RUNNER_ARENAS_PER_CPU * rt_crew_size(t->crew)));
}

/* Nothing of the variant runs where a step before it went wrong. */
_Noreturn static void
give_up(struct runner_lane *lane, enum runner_reply reply, uint32_t order)
{
	lane->reply = reply;
	desk_reply(&lane->desk, order);
	_exit(0);
}

/* What this child was given stays as it is mapped, so long as it runs. */
static void
narrow_to_load(const struct runner_shm *shm, struct runner_lane *lane, const struct rt_timer *t,
    uint32_t order)
{
	static struct rt_kept	kept;

	if (!t->setup.filtered)
		return;
	rt_kept_add_code(&kept, t->image);
	rt_kept_add_operands(&kept, t);
	rt_kept_add(&kept, lane, shm->lane_bytes);
	rt_kept_add(&kept, t->meeting.first, (uint64_t)shm->spots * RUNNER_PAGE_BYTES);
	if (!rt_filter_load(&t->setup, &kept))
		give_up(lane, RUNNER_NO_FILTER, order);
}

static void
narrow_to_run(struct runner_lane *lane, const struct runner_setup *setup, uint32_t order)
{
	if (setup->filtered && !rt_filter_run())
		give_up(lane, RUNNER_NO_FILTER, order);
}

/* The routine under the name that its language gives it. */
static rt_code *
find_routine(void *handle, const struct rt_driver *d)
{
	const char *const	names[] = { d->rt_routine, d->rt_cxx, d->rt_fortran };
	rt_code			*code = NULL;

	for (unsigned i = 0; code == NULL && i < sizeof names / sizeof names[0]; i++)
		if (names[i] != NULL)
			*(void **)&code = dlsym(handle, names[i]);
	return code;
}

static rt_code *
load(struct runner_lane *lane, const struct rt_timer *t, const char *name)
{
	char	 path[RUNNER_NAME_BYTES + 3];
	void	*handle;
	rt_code	*code;

	lane->reply = RUNNER_OK;
	if (name[0] == '\0')
		return t->image != NULL ? rt_image_routine(t->image) : t->sets.driver->rt_empty;
	snprintf(path, sizeof path, "./%s", name);
	if ((handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)) == NULL) {
		say_linker(lane, dlerror());
		lane->reply = RUNNER_NO_OBJECT;
		return NULL;
	}
	if ((code = find_routine(handle, t->sets.driver)) == NULL) {
		rt_exports(handle, lane->words, sizeof lane->words);
		lane->reply = RUNNER_NO_ROUTINE;
		return NULL;
	}
	rt_openmp_start(handle, t->setup.threads);
	lane->code_at = (uintptr_t)code;
	return code;
}

/* An evaluation library beside it; NULL: there is one, and it cannot be used. */
static rt_code *
load_evaluation(rt_code *code, struct runner_lane *lane, struct rt_timer *t, const char *name)
{
	char	path[RUNNER_NAME_BYTES + 3];

	if (code == NULL || name[0] == '\0')
		return code;
	snprintf(path, sizeof path, "./%.*s", RUNNER_NAME_BYTES - 1, name);
	if (rt_evaluation_load(&t->evaluation, path, lane))
		return code;
	lane->reply = RUNNER_NO_METRIC;
	return NULL;
}

/* No linker knows an image's own routine: there the segment that has it is meant. */
static void
find_code(struct rt_timer *t, rt_code *code)
{
	rt_code_lines_find(&t->code, code);
	if (t->code.n == 0 && t->image != NULL)
		rt_image_add_code(t->image, &t->code);
}

/*
 * Wait for an order other than the last; copy it, so that it cannot change while it is carried out.
 * After a challenge the CPU is the scribe's at once.
 */
static uint32_t
next_order(struct runner_lane *lane, uint32_t last, struct runner_run *run)
{
	const uint64_t	spin_ns = run->kind == RUNNER_CHALLENGE ? 0 : RUNNER_SPIN_NS;

	for (;;) {
		uint32_t	heard = desk_bell(&lane->desk), order = desk_order(&lane->desk);

		if (order != last) {
			*run = lane->run;
			return order;
		}
		if (spin_ns != 0)
			desk_spin(&lane->desk, heard, spin_ns);
		if (desk_bell(&lane->desk) == heard)
			desk_sleep(&lane->desk, heard, 0);
	}
}

/* ---- its orders ---- */

struct order {
	struct rt_timer			*timer;
	rt_code				*code;
	const struct runner_run		*run;
	struct runner_lane		*lane;
};

static void
sample_here(void *arg)
{
	const struct order	*o = arg;

	rt_run_samples(o->timer, o->code, o->run, o->lane);
}

static enum runner_reply
check(const struct runner_shm *shm, const struct order *o)
{
	const uint64_t	bytes = shm->challenge_at - shm->output_at;

	o->lane->phase = RUNNER_CHECKING;
	if (!rt_result_check(o->timer, o->code, (char *)o->lane + shm->output_at, bytes))
		return RUNNER_BAD_ORDER;
	rt_result_count(&o->timer->sets, NULL, 0, o->lane->census);
	return RUNNER_OK;
}

static enum runner_reply
answer(const struct runner_shm *shm, const struct order *o)
{
	o->lane->phase = RUNNER_TIMING;
	return rt_challenge_call(o->timer, o->code, shm, o->lane) ? RUNNER_OK : RUNNER_BAD_ORDER;
}

static enum runner_reply
measure_levels(const struct order *o)
{
	rt_levels_forget(o->timer);
	rt_levels_know(o->timer);
	rt_levels_leave(o->timer, &o->lane->levels);
	return RUNNER_OK;
}

static enum runner_reply
carry_out(const struct runner_shm *shm, struct order *o)
{
	const struct runner_run	*run = o->run;

	if (run->kind == RUNNER_CHALLENGE)
		return answer(shm, o);
	if (run->kind == RUNNER_CLOSE)
		return rt_evaluation_close(&o->timer->evaluation, o->lane) ? RUNNER_OK :
		    RUNNER_NO_METRIC;
	if (run->kind == RUNNER_LEVELS)
		return measure_levels(o);
	if (!rt_run_is_sound(o->timer, run))
		return RUNNER_BAD_ORDER;
	if (!rt_run_ready(o->timer, run))
		return RUNNER_NO_MEMORY;
	rt_levels_leave(o->timer, &o->lane->levels);
	if (run->kind == RUNNER_CHECK)
		return check(shm, o);
	rt_stack_at(run->stack_offset, sample_here, o);
	return RUNNER_OK;
}

_Noreturn static void
serve(const struct runner_shm *shm, struct runner_lane *lane, struct rt_timer *t, rt_code *code,
    uint32_t order)
{
	struct runner_run	run = { .kind = RUNNER_CHECK };
	struct order		o = { t, code, &run, lane };

	for (;;) {
		order = next_order(lane, order, &run);
		lane->reply = carry_out(shm, &o);
		lane->phase = RUNNER_IDLE;
		desk_reply(&lane->desk, order);
	}
}

_Noreturn void
rt_lane_serve(struct runner_shm *shm, uint32_t number, struct rt_timer *t, const char *name)
{
	struct runner_lane	*lane = runner_lane_at(shm, shm->lane_bytes, number);
	const uint32_t		 order = desk_order(&lane->desk);
	rt_code			*code;

	lane->phase = RUNNER_LOADING;
	if (!leave_others(shm, lane, runner_copy_of(number))) {
		say(lane, strerror(errno));
		give_up(lane, RUNNER_NO_OBJECT, order);
	}
	if (runner_copy_of(number) < shm->spots)
		t->meeting = (struct rt_meeting){ runner_spot_at(shm, shm->lane_bytes, shm->lanes,
		    0), runner_copy_of(number), 0, 0 };
	if (shm->cpu >= 0)
		t->setup.cpu = shm->cpu;
	rt_pin(&t->setup, t->setup.threads > 1);
	rt_sign(number, pace_at_rest(shm->best_pace, shm->rest_ns));
	rt_filter_note(&lane->refused);
	rt_segv_note(&lane->touch);
	if (t->setup.threads > 1)
		bind_threads(t);
	if (number != RUNNER_BLANK && t->image == NULL)
		rt_chance_draw();
	rt_sets_bring_in(&t->sets);
	narrow_to_load(shm, lane, t, order);
	code = load_evaluation(load(lane, t, name), lane, t, shm->evaluation);
	rt_timer_enter(t);
	rt_levels_inherit(t, &lane->levels);
	narrow_to_run(lane, &t->setup, order);
	lane->phase = RUNNER_IDLE;
	desk_reply(&lane->desk, order);
	if (code == NULL)
		_exit(0);
	find_code(t, code);
	serve(shm, lane, t, code, order);
}
