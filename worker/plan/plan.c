/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "worker/plan/plan.h"

#define AIM		1.5			/* × the shortest region: 20 to 100 µs is short for interruptions */
#define MOST_GROWTH	16.0
#define DEFAULT_CACHE	((uint64_t)32 << 20)	/* where nobody knows of any */
#define MOST_AREA	((uint64_t)4 << 30)
#define WAKE_NS		2e6			/* waking takes 20 µs at half speed: 1 % of this */
#define WAKE_FROM_BYTES	((uint64_t)4 << 20)
#define METHOD		"spec.timing.flush.method"

static const struct {
	const char		*name;
	enum runner_flush	 flush;
} methods[PLAN_NMETHODS] = {
	[PLAN_WARM]	= { "none", RUNNER_FLUSH_NONE },
	[PLAN_ONE_X86]	= { "OneCallFlushX86", RUNNER_FLUSH_LINES },
	[PLAN_ONE_LRU]	= { "OneCallFlushLRU", RUNNER_FLUSH_LRU },
	[PLAN_MULTI]	= { "MultiCallFlushLRU", RUNNER_FLUSH_NONE },
	[PLAN_CHECKPOINT] = { "Checkpoint", RUNNER_FLUSH_LINES },
	[PLAN_CHALLENGE]= { "ChallengeResponse", RUNNER_FLUSH_NONE },
};

const char *
plan_method_name(enum plan_method m)
{
	return methods[m].name;
}

bool
plan_can_flush_lines(void)
{
#if defined(__x86_64__) || defined(__aarch64__)
	return true;
#else
	return false;
#endif
}

static uint64_t
largest_cache(const struct slot *slot)
{
	uint64_t	largest = slot->l1_bytes;

	if (slot->l2_bytes > largest)
		largest = slot->l2_bytes;
	if (slot->l3_bytes > largest)
		largest = slot->l3_bytes;
	return largest != 0 ? largest : DEFAULT_CACHE;
}

/* Operands, in order; the number of the first at or after argument *i, or false. */
static const struct operand *
next_operand(const struct spec *s, size_t *i)
{
	while (*i < s->routine.nparams)
		if (s->args[(*i)++].is_operand)
			return &s->args[*i - 1].operand;
	return NULL;
}

static enum runner_place
place_of(enum cache_state c)
{
	static const enum runner_place	places[CACHE_N] = {
		[CACHE_COLD] = RUNNER_COLD, [CACHE_WARM] = RUNNER_WARM, [CACHE_L1] = RUNNER_IN_L1,
		[CACHE_L2] = RUNNER_IN_L2, [CACHE_L3] = RUNNER_IN_L3,
	};

	return places[c];
}

/*
 * Fills in places, the cold operands, those that are written and whether any is inout; true: some operand must be put
 * somewhere by reading other memory.
 */
static bool
read_operands(struct plan *p, const struct spec *s, uint64_t *written)
{
	const struct operand	*o;
	size_t			 i = 0;
	uint64_t		 bytes = 0;
	bool			 placed = false;

	for (unsigned k = 0; (o = next_operand(s, &i)) != NULL; k++) {
		p->run.place[k] = (uint8_t)place_of(o->cache);
		if (o->cache == CACHE_COLD)
			p->moving |= (uint64_t)1 << k;
		placed |= o->cache == CACHE_L2 || o->cache == CACHE_L3;
		p->has_inout |= o->access == ACCESS_INOUT;
		bytes += o->elements * ctype_bytes(o->type);
		if (o->access != ACCESS_IN)
			*written |= (uint64_t)1 << k;
	}
	p->may_wake = bytes <= PLAN_WAKE_BYTES;
	return placed;
}

/* What one call of the routine takes from the caches, and from memory, of the operands that move (W38). */
static void
moving_bytes(const struct plan *p, const struct spec *s, const struct slot *slot, uint64_t *cached, uint64_t *spaced)
{
	const struct operand	*o;
	size_t			 i = 0;
	uint64_t		 line = slot->line_bytes != 0 ? slot->line_bytes : 64;

	*cached = *spaced = 0;
	for (unsigned k = 0; (o = next_operand(s, &i)) != NULL; k++) {
		uint64_t	element = ctype_bytes(o->type), bytes = o->elements * element, unit = line;

		if (!(p->moving >> k & 1))
			continue;
		if (o->stride * element <= line)
			*cached += (bytes + line - 1) / line * line;
		else
			*cached += (o->elements + o->stride - 1) / o->stride * ((element + line - 1) / line * line);
		if (unit < o->align)
			unit = o->align;
		if (unit < o->misalign)
			unit = o->misalign;
		*spaced += (bytes + unit - 1) / unit * unit * (spec_is_paired(s, i - 1) ? 2 : 1);
	}
}

/* A routine with threads has its operands in the caches of each (section 5.6). */
static unsigned
cpus_of(const struct slot *slot)
{
	return slot->cpus > 1 ? slot->cpus : 1;
}

static uint64_t
cache_bytes(enum cache_state level, const struct slot *slot)
{
	return level == CACHE_L1 ? slot->l1_bytes : level == CACHE_L2 ? slot->l2_bytes : slot->l3_bytes;
}

/* Enough to drive out what is in the caches up to this one; the last is not quite LRU. */
static uint64_t
level_bytes(enum cache_state level, const struct slot *slot)
{
	uint64_t	bytes = cache_bytes(level, slot);

	return bytes * (bytes == largest_cache(slot) ? PLAN_LRU_CACHES : PLAN_LEVEL_CACHES);
}

static uint64_t
chosen_bytes(const struct spec *s, const struct slot *slot, unsigned caches)
{
	if (s->timing.flush_bytes != 0)
		return s->timing.flush_bytes;
	if (s->context == CONTEXT_FLUSH_BYTES)
		return s->context_flush_bytes;
	if (s->context == CONTEXT_FLUSH_LEVEL)
		return level_bytes(s->context_level, slot);
	return caches * largest_cache(slot);
}

/* What is flushed has a size of its own. */
static bool
is_partial(const struct spec *s)
{
	return s->timing.flush_bytes != 0 || s->context == CONTEXT_FLUSH_BYTES || s->context == CONTEXT_FLUSH_LEVEL;
}

/* A flush of a given size is to leave as much as that leaves. */
static bool
wants_cold_tlb(const struct spec *s)
{
	return s->timing.tlb != TLB_AUTO ? s->timing.tlb == TLB_COLD : !is_partial(s);
}

/*
 * Other memory drives page tables out with what they are for.  Without this, methods would differ in that alone: by the
 * instruction that flushes a line they are read.
 */
static bool
wants_look_up(const struct plan *p, const struct spec *s)
{
	return p->can_flush && !is_partial(s) && s->timing.page_tables != TABLES_MEMORY;
}

/* Of what is read to flush: as the spec says, else as calibration found it on this host (W26). */
static uint64_t
lru_bytes(const struct spec *s, const struct slot *slot, enum plan_area *area)
{
	uint64_t	bytes = chosen_bytes(s, slot, PLAN_LRU_CACHES);

	*area = PLAN_AREA_DEFAULT;
	if (is_partial(s)) {
		*area = PLAN_AREA_GIVEN;
	} else if (slot->flush_bytes != 0) {
		*area = PLAN_AREA_CALIBRATED;
		bytes = slot->flush_bytes;
	}
	return bytes;
}

const char *
plan_area_name(enum plan_area area)
{
	static const char *const	names[PLAN_NAREAS] = { NULL, "default", "calibrated", "given" };

	return names[area];
}

static void
use_one_call(struct plan *p, const struct spec *s, const struct slot *slot, enum plan_method m)
{
	p->method = m;
	p->run.walk = RUNNER_STAY;
	p->run.flush = p->moving != 0 ? methods[m].flush : RUNNER_FLUSH_NONE;
	p->run.pollute = p->run.flush != RUNNER_FLUSH_NONE && wants_cold_tlb(s);
	p->run.look_up = p->run.flush == RUNNER_FLUSH_LRU && wants_look_up(p, s);
	p->is_whole = p->run.flush != RUNNER_FLUSH_NONE && !is_partial(s);
	p->run.calls = p->most_calls = 1;
	p->run.memory_canary = p->is_whole;
	p->sets = 0;
	p->flush_bytes = p->run.flush_bytes = 0;
	p->cpus = cpus_of(slot);
	if (p->run.flush == RUNNER_FLUSH_LRU)
		p->flush_bytes = p->run.flush_bytes = lru_bytes(s, slot, &p->area);
}

/* false: the working sets would take too much memory. */
static bool
use_many_calls(struct plan *p, const struct spec *s, const struct slot *slot)
{
	static const enum runner_walk	walks[WALK_N] = {
		[WALK_AUTO] = RUNNER_RANDOM, [WALK_BACKWARD] = RUNNER_BACKWARD,
		[WALK_FORWARD] = RUNNER_FORWARD, [WALK_RANDOM] = RUNNER_RANDOM,
	};
	uint64_t	cached, spaced, area = cpus_of(slot) * chosen_bytes(s, slot, PLAN_MULTI_CACHES), sets;

	moving_bytes(p, s, slot, &cached, &spaced);
	if (cached == 0)
		return false;
	sets = (area + cached - 1) / cached;
	if (sets < 2)
		sets = 2;
	if (sets > MOST_AREA / spaced)
		return false;
	p->method = PLAN_MULTI;
	p->run.walk = walks[s->timing.walk];
	p->run.flush = RUNNER_FLUSH_NONE;
	/* once looked up, translations are in the TLB */
	p->run.pollute = p->run.look_up = wants_look_up(p, s);
	p->run.memory_canary = p->is_whole = !is_partial(s);
	p->run.flush_bytes = 0;
	p->flush_bytes = area;
	p->cpus = cpus_of(slot);
	p->sets = sets;
	p->most_calls = s->timing.difference ? sets / 2 : sets;
	p->most_calls = p->most_calls < SPEC_MAX_CALLS ? p->most_calls : SPEC_MAX_CALLS;
	p->run.calls = s->timing.calls != 0 ? s->timing.calls : 1;
	return true;
}

static void
use_warm(struct plan *p, const struct spec *s)
{
	p->method = PLAN_WARM;
	p->moving = 0;
	p->most_calls = SPEC_MAX_CALLS;
	p->run.calls = s->timing.calls != 0 ? s->timing.calls : 1;
}

/*
 * Separate outputs for a warm routine: as many as the calls of a sample, and the same in every sample, so that they are
 * in the cache; that holds half of them at least.
 */
static void
use_separate(struct plan *p, const struct spec *s, const struct slot *slot, uint64_t written)
{
	uint64_t	cached, spaced, fit, times = s->timing.difference ? 2 : 1;

	p->moving = written;
	moving_bytes(p, s, slot, &cached, &spaced);
	fit = largest_cache(slot) / 2 / spaced;
	fit = fit < 2 ? 2 : fit > PLAN_SEPARATE_SETS ? PLAN_SEPARATE_SETS : fit;
	p->most_calls = s->timing.calls != 0 ? s->timing.calls : fit / times;
	p->sets = p->most_calls * times;
	p->run.walk = RUNNER_AGAIN;
}

static void
use_challenges(struct plan *p)
{
	p->method = PLAN_CHALLENGE;
	p->moving = 0;
	p->run.calls = p->most_calls = 1;
	p->samples = p->samples != 0 ? p->samples : PLAN_SAMPLES_COLD;
}

static void
set_samples(struct plan *p, const struct timing *t, bool warm)
{
	unsigned	most = t->max_samples != 0 ? t->max_samples : SPEC_MOST_SAMPLES;

	p->samples = t->samples != 0 ? t->samples : warm ? PLAN_SAMPLES_WARM : PLAN_SAMPLES_COLD;
	if (t->samples == 0 && t->max_samples != 0 && p->samples > most)
		p->samples = most;
	p->interval = t->interval;
	p->max_samples = most > p->samples ? most : p->samples;
	p->normalised = t->clock != CLK_CPU && (t->estimator == EST_AUTO || t->estimator == EST_NORMALISED);
	p->gating = t->gate;
	p->waits_all = t->gate == GATING_ON || t->has_budget;
	p->difference = t->difference;
	p->budget_ns = (uint64_t)t->budget_ms * 1000000u;
}

/*
 * An image's memory is as at first in every sample, and what goes before the last call is the image's own; the caches are
 * as that leaves them, or, cold, all is flushed before the image runs.
 */
static enum status
use_image(struct plan *p, const struct spec *s, bool can_flush, struct fault *why)
{
	const bool	cold = s->context == CONTEXT_COLD;

	if (cold && !can_flush)
		return fault_at(why, ST_BAD_SPEC, "spec.context", "this machine cannot flush an image by instruction");
	p->method = PLAN_CHECKPOINT;
	p->guard = GUARD_NONE;
	p->run.calls = p->most_calls = 1;
	p->calls_given = true;
	p->run.restore = RUNNER_RESTORE;
	p->run.flush = cold ? methods[PLAN_CHECKPOINT].flush : RUNNER_FLUSH_NONE;
	p->may_wake = false;
	p->is_whole = cold;
	set_samples(p, &s->timing, false);
	return ST_OK;
}

static enum status
refuse(struct fault *why, const char *member, const char *text)
{
	return fault_at(why, ST_BAD_SPEC, member, "%s", text);
}

static enum status
make_many_calls(struct plan *p, const struct spec *s, const struct slot *slot, bool placed, struct fault *why)
{
	if (placed || p->moving == 0)
		return refuse(why, METHOD, "MultiCallFlushLRU moves cold operands; it cannot hold one in L2 or L3");
	if (!use_many_calls(p, s, slot))
		return refuse(why, METHOD, "MultiCallFlushLRU would need more than 4 GiB of working sets");
	if (s->timing.calls > p->most_calls)
		return fault_at(why, ST_BAD_SPEC, "spec.timing.calls",
		    "%u calls%s, but there are %llu working sets: a set would be used again within a sample",
		    s->timing.calls, s->timing.difference ? " and then twice as many" : "", (unsigned long long)p->sets);
	return ST_OK;
}

/* The method that nobody named.  What else the spec says may leave one only; else the routine's length will decide. */
static enum status
make_auto(struct plan *p, const struct spec *s, const struct slot *slot, bool placed, bool can_flush, struct fault *why)
{
	if (s->timing.calls > 1 || s->timing.walk != WALK_AUTO || s->timing.difference ||
	    p->guard == GUARD_SEPARATE)
		return make_many_calls(p, s, slot, placed, why);
	if (placed || is_partial(s) || s->timing.page_tables == TABLES_MEMORY || !can_flush) {
		use_one_call(p, s, slot, PLAN_ONE_LRU);
		return ST_OK;
	}
	use_one_call(p, s, slot, PLAN_ONE_X86);
	p->is_open = s->timing.calls == 0 && s->timing.tlb != TLB_WARM && !s->data_sensitive;
	return ST_OK;
}

enum status
plan_make(struct plan *p, const struct spec *s, const struct slot *slot, bool can_flush, struct fault *why)
{
	uint64_t	written = 0;
	bool		placed;

	if (s->context == CONTEXT_FLUSH_LEVEL && cache_bytes(s->context_level, slot) == 0)
		return fault_at(why, ST_BAD_SPEC, "spec.context.flush_level", "this machine has no %s",
		    cache_state_name(s->context_level));
	memset(p, 0, sizeof *p);
	p->can_flush = can_flush;
	placed = read_operands(p, s, &written);
	p->guard = spec_range_guard(s);
	p->calls_given = s->timing.calls != 0;
	p->run.restore = spec_restores(s) ? RUNNER_RESTORE : RUNNER_KEEP;
	p->run.warm_calls = 1;
	set_samples(p, &s->timing, p->moving == 0 && !placed);
	if (s->checkpoint != NULL)
		return use_image(p, s, can_flush, why);
	if (s->timing.trust == TRUST_ASKED_VERIFIED) {
		use_challenges(p);
		return ST_OK;
	}
	if (p->moving == 0 && !placed) {
		use_warm(p, s);
		if (p->guard == GUARD_SEPARATE)
			use_separate(p, s, slot, written);
		return ST_OK;
	}

	switch (s->timing.method) {
	case FLUSH_ONE_CALL_X86:
		if (!can_flush)
			return refuse(why, METHOD, "this machine cannot flush a line by instruction");
		use_one_call(p, s, slot, PLAN_ONE_X86);
		return ST_OK;
	case FLUSH_ONE_CALL_LRU:
		use_one_call(p, s, slot, PLAN_ONE_LRU);
		return ST_OK;
	case FLUSH_MULTI_CALL_LRU:
		return make_many_calls(p, s, slot, placed, why);
	default:
		return make_auto(p, s, slot, placed, can_flush, why);
	}
}

bool
plan_flushes(const struct plan *p)
{
	return p->method == PLAN_CHECKPOINT ? p->run.flush != RUNNER_FLUSH_NONE : p->method != PLAN_WARM;
}

void
plan_warm_operands(struct plan *p)
{
	memset(p->run.place, RUNNER_WARM, sizeof p->run.place);
	p->run.flush = RUNNER_FLUSH_NONE;
	p->run.pollute = p->run.look_up = p->run.memory_canary = 0;
	p->run.walk = RUNNER_STAY;
}

void
plan_close(struct plan *p, const struct spec *s, const struct slot *slot, const struct tick *tick, double call_ns)
{
	if (p->is_open && call_ns < PLAN_TIMES_RESOLUTION * tick->resolution_ns)
		use_many_calls(p, s, slot);
	p->is_open = false;
}

bool
plan_wakes(const struct plan *p, double call_ns)
{
	if (p->run.flush == RUNNER_FLUSH_LRU && p->run.flush_bytes < WAKE_FROM_BYTES)
		return false;		/* its calls would flush more than was asked for, and it is over soon */
	return p->may_wake && call_ns < WAKE_NS;
}

uint64_t
plan_more_calls(const struct plan *p, const struct tick *tick, uint64_t calls, double region_ns)
{
	double	fine = PLAN_FINE * tick->resolution_ns, least = fine > PLAN_REGION_NS ? fine : PLAN_REGION_NS;
	double	growth = AIM * least / (region_ns > 1 ? region_ns : 1);

	if (region_ns >= least || calls >= p->most_calls)
		return calls;
	if (growth < 2)
		growth = 2;
	if (growth > MOST_GROWTH)
		growth = MOST_GROWTH;
	if ((double)calls * growth >= (double)p->most_calls)
		return p->most_calls;
	return (uint64_t)((double)calls * growth);
}

uint64_t
plan_area_bytes(const struct plan *p, const struct spec *s, const struct slot *slot)
{
	uint64_t	cached, spaced;

	if (p->sets == 0)
		return p->run.flush_bytes * p->cpus;
	moving_bytes(p, s, slot, &cached, &spaced);
	return p->sets * spaced;
}
