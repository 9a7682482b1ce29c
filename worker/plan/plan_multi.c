/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MultiCallFlushLRU (section 4): the calls of a sample are on working sets that take turns and are
 * together larger than the caches.  For routines that are too short for the clock.
 */
#include "worker/plan/method.h"
#include "worker/plan/sizes.h"

#define MOST_AREA	((uint64_t)4 << 30)

static bool
applies(const struct plan *p, const struct plan_wants *w)
{
	const struct timing	*t = &w->spec->timing;

	return t->method == FLUSH_MULTI_CALL_LRU || (t->method == FLUSH_AUTO && (t->calls > 1 ||
	    t->walk != WALK_AUTO || t->difference || p->guard == GUARD_SEPARATE));
}

/* 0: too many. */
static uint64_t
sets_of(uint64_t area, uint64_t cached, uint64_t spaced)
{
	uint64_t	sets = (area + cached - 1) / cached;

	if (sets < 2)
		sets = 2;
	return sets <= MOST_AREA / spaced ? sets : 0;
}

static void
set_orders(struct plan *p, const struct spec *s)
{
	static const enum runner_walk	walks[WALK_N] = {
		[WALK_AUTO] = RUNNER_RANDOM, [WALK_BACKWARD] = RUNNER_BACKWARD,
		[WALK_FORWARD] = RUNNER_FORWARD, [WALK_RANDOM] = RUNNER_RANDOM,
	};

	p->run.walk = walks[s->timing.walk];
	p->run.flush = RUNNER_FLUSH_NONE;
	p->run.flush_bytes = 0;
	plan_set_tables(p, s);
	p->run.memory_canary = p->is_whole;
	p->run.calls = s->timing.calls != 0 ? s->timing.calls : 1;
}

/* All sets together: the spec's size, else as the calibration found, at least. */
static uint64_t
area_bytes(const struct spec *s, const struct slot *slot)
{
	const uint64_t	bytes = sizes_to_flush(s, slot, SIZES_MULTI_CACHES);

	return !sizes_are_given(s) && slot->flush_bytes > bytes ? slot->flush_bytes : bytes;
}

bool
plan_use_multi(struct plan *p, const struct spec *s, const struct slot *slot)
{
	const unsigned	cpus = sizes_cpus(slot);
	const uint64_t	area = cpus * area_bytes(s, slot);
	uint64_t	cached, spaced, sets;

	sizes_of_call(s, slot, p->moving, &cached, &spaced);
	if (cached == 0 || (sets = sets_of(area, cached, spaced)) == 0)
		return false;
	p->method = &plan_multi;
	p->flushes = true;
	p->is_whole = !p->is_partial;
	p->flush_bytes = area;
	p->cpus = cpus;
	p->sets = sets;
	p->most_calls = s->timing.difference ? sets / 2 : sets;
	p->most_calls = p->most_calls < SPEC_MAX_CALLS ? p->most_calls : SPEC_MAX_CALLS;
	set_orders(p, s);
	return true;
}

static enum status
make(struct plan *p, const struct plan_wants *w, struct fault *why)
{
	const struct timing	*t = &w->spec->timing;

	if (w->places || p->moving == 0)
		return plan_refuse(why,
		    "MultiCallFlushLRU moves cold operands; it cannot hold one in L2 or L3");
	if (!plan_use_multi(p, w->spec, w->slot))
		return plan_refuse(why,
		    "MultiCallFlushLRU would need more than 4 GiB of working sets");
	if (t->calls > p->most_calls)
		return fault_at(why, ST_BAD_SPEC, "spec.timing.calls", "%u calls%s, but there are "
		    "%llu working sets: a set would be used again within a sample", t->calls,
		    t->difference ? " and then twice as many" : "", (unsigned long long)p->sets);
	return ST_OK;
}

const struct plan_method	plan_multi = {
	.name = "MultiCallFlushLRU", .applies = applies, .make = make,
	.walks = true, .repeats = true, .code_in_cache = true, .drops_tables = true,
};
