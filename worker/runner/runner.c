/* SPDX-License-Identifier: Apache-2.0 */
/*
 * assay-runner: loads driver and variants and takes samples into shared memory.  It runs inside the
 * timing jail, in the directory of the objects, with the shared memory as descriptor 4;
 * worker/RUNNER.md has the protocol.
 *
 * This process is the template.  It loads the driver, sets the operands up, and forks a child for
 * each variant, which inherits them.  It runs none of the variant's code, and sleeps while anything
 * is timed.  It decides nothing: calls, samples and their worth are the supervisor's business.
 */
#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "proto/wire/runner_desk.h"
#include "worker/runner/children.h"
#include "worker/runner/method/method.h"
#include "worker/runner/openmp.h"
#include "worker/runner/scratch.h"

static struct runner_shm	*shm;
static struct rt_timer		 timer;
static struct rt_image		 image;

static void
say(const char *words)
{
	snprintf(shm->words, sizeof shm->words, "%s", words != NULL ? words : "");
}

/* The guard page behind, after what aligning and shifting left; in front, also a part of a page. */
static struct runner_bounds
bounds_of(const struct rt_live *l, const char *at, uint64_t bytes)
{
	const uint64_t	unit = rt_max(l->operand->rt_align, l->operand->rt_misalign);

	if (at == NULL)
		return (struct runner_bounds){ 0, 0, 0 };
	return (struct runner_bounds){ (uintptr_t)at, (uintptr_t)at + bytes,
	    unit + l->shift + 2 * (uint64_t)sysconf(_SC_PAGESIZE) };
}

static void
show_operands(void)
{
	const struct rt_sets	*s = &timer.sets;

	for (uint32_t k = 0; k < s->driver->rt_operands; k++) {
		const struct rt_live	*l = &s->live[k];

		shm->at[k] = (uintptr_t)(l->far != NULL ? l->far : l->home);
		shm->bounds[k] = bounds_of(l, l->home, l->bytes);
		shm->bounds[RUNNER_OPERANDS + k] = bounds_of(l, l->far,
		    s->sets != 0 ? l->step_bytes * (s->sets - 1) + l->bytes : 0);
		shm->bounds[2 * RUNNER_OPERANDS + k] = bounds_of(l, l->drawn, l->bytes);
	}
}

static enum runner_reply
load(uint32_t lane, const char *name, const struct rt_places *places)
{
	enum runner_reply	 reply;
	const char		*why;

	if (lane >= shm->lanes || rt_children_has(lane))
		return RUNNER_BAD_ORDER;
	rt_scratch_clear(timer.setup.scratch);
	if ((why = rt_sets_lay(&timer.sets, places)) != NULL) {
		say(why);
		return RUNNER_NO_MEMORY;
	}
	show_operands();
	if ((reply = rt_children_fork(lane, &timer, name)) == RUNNER_NO_FORK)
		say(strerror(errno));
	return reply;
}

static enum runner_reply
drop(uint32_t lane)
{
	return lane < shm->lanes && lane != RUNNER_BLANK ? rt_children_drop(lane) :
	    RUNNER_BAD_ORDER;
}

static enum runner_reply
make_areas(void)
{
	const struct rt_areas	 areas = { shm->flush_bytes, shm->far };
	const char		*why = rt_methods_make(&timer, &areas);

	say(why);
	return why == NULL ? RUNNER_OK : RUNNER_NO_MEMORY;
}

static enum runner_reply
obey(void)
{
	char		name[RUNNER_NAME_BYTES];
	uint32_t	shift[RUNNER_OPERANDS];
	uint64_t	offset[RUNNER_OPERANDS];
	int32_t		node[RUNNER_OPERANDS];

	switch (shm->command) {
	case RUNNER_LOAD:
		memcpy(shift, shm->shift, sizeof shift);
		memcpy(offset, shm->offset, sizeof offset);
		memcpy(node, shm->node, sizeof node);
		snprintf(name, sizeof name, "%.*s", (int)sizeof shm->name - 1, shm->name);
		return load(shm->lane, name,
		    &(struct rt_places){ shift, offset, node, shm->own });
	case RUNNER_DROP:
		return drop(shm->lane);
	case RUNNER_AREA:
		return make_areas();
	default:
		return RUNNER_BAD_ORDER;
	}
}

static bool
map_shared(void)
{
	size_t	bytes;

	if ((shm = desk_map(RUNNER_HEADER_BYTES, &bytes)) == NULL)
		return false;
	return shm->magic == RUNNER_MAGIC && shm->version == RUNNER_VERSION &&
	    shm->bytes == bytes && shm->lanes <= RUNNER_MOST_LANES;
}

/*
 * The slot's first CPU, which is idle when we have something to do, or the CPUs of no slot: as the
 * kernel likes.  Where a builder is busy on those, that one saves both the wait.
 */
static void
choose_cpus(const struct runner_setup *setup)
{
	cpu_set_t	may;

	if (setup->cpu < 0 || sched_getaffinity(0, sizeof may, &may) != 0)
		return;
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (setup->cpus[cpu / 64] >> cpu % 64 & 1)
			CPU_CLR(cpu, &may);
	CPU_SET((size_t)setup->cpu, &may);
	sched_setaffinity(0, sizeof may, &may);
}

static bool
is_sound(const struct rt_driver *d)
{
	return d->rt_abi == RT_ABI && d->rt_operands <= RT_MAX_OPERANDS &&
	    d->rt_result_bytes <= RT_MAX_RESULT;
}

static const struct rt_driver *
load_driver(void)
{
	const struct rt_driver	*d;
	void			*handle = dlopen("./driver.so", RTLD_NOW | RTLD_LOCAL);

	if (handle == NULL || (d = dlsym(handle, "assay_driver")) == NULL) {
		say(dlerror());
		return NULL;
	}
	if (!is_sound(d)) {
		say("the driver was made for another runner");
		return NULL;
	}
	d->rt_describe();
	return d;
}

static enum runner_reply
open_image(void)
{
	const char		*why;
	enum rt_image_state	 st = rt_image_open(&image, "./image", &why);

	say(why);
	timer.image = &image;
	return st == RT_IMAGE_OK ? RUNNER_OK : st == RT_IMAGE_CLASH ? RUNNER_CLASH :
	    RUNNER_NO_IMAGE;
}

static enum runner_reply
set_up(void)
{
	const struct rt_driver	*d;
	const char		*why;

	choose_cpus(&shm->setup);
	rt_openmp_prepare(shm->setup.threads);
	if ((d = load_driver()) == NULL)
		return RUNNER_NO_DRIVER;
	if ((why = rt_timer_make(&timer, d, &shm->setup)) != NULL) {
		say(why);
		return RUNNER_NO_MEMORY;
	}
	shm->driver.operands = d->rt_operands;
	shm->driver.result_bytes = d->rt_result_bytes;
	for (uint32_t k = 0; k < d->rt_operands; k++)
		shm->driver.count[k] = d->rt_operand[k].rt_count;
	snprintf(shm->driver.routine, sizeof shm->driver.routine, "%s", d->rt_routine);
	snprintf(shm->driver.clock, sizeof shm->driver.clock, "%s", d->rt_clock);
	if (d->rt_checkpoint)
		return open_image();
	if (shm->setup.challenged && !rt_children_fork_scribe(&timer)) {
		say(strerror(errno));
		return RUNNER_NO_FORK;
	}
	return RUNNER_OK;
}

/* Whoever waits for a child's reply hears that there is no child. */
static void
end_lane(uint32_t number)
{
	struct runner_lane	*lane;

	if (number >= shm->lanes)
		return;
	lane = runner_lane_at(shm, shm->lane_bytes, number);
	__atomic_store_n(&lane->ended, 1, __ATOMIC_RELEASE);
	desk_ring(&lane->desk);
}

/* Orders after `order`, until one to quit.  A child that was forked may reply before we do. */
static void
serve(uint32_t order)
{
	for (;;) {
		uint32_t		lane;
		enum runner_reply	reply;
		bool			loads;

		order = desk_next_order(&shm->desk, order);
		if (shm->command == RUNNER_QUIT)
			return;
		lane = shm->lane;
		loads = shm->command == RUNNER_LOAD;
		shm->reply = reply = obey();
		desk_reply(&shm->desk, order);
		if (loads && reply != RUNNER_OK)
			end_lane(lane);
	}
}

int
main(void)
{
	uint32_t	order;

	if (!map_shared()) {
		fprintf(stderr, "assay-runner is started by assay-worker, with shared memory as "
		    "descriptor %d\n", RUNNER_SHM_FD);
		return 64;
	}
	rt_children_watch(shm);
	order = desk_order(&shm->desk);		/* the first: the reply to set-up */
	shm->reply = set_up();
	desk_reply(&shm->desk, order);
	if (shm->reply == RUNNER_OK)
		serve(order);
	return 0;
}
