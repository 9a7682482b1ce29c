/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "worker/plan/method.h"
#include "worker/plan/rotation.h"
#include "worker/plan/sizes.h"

#define AIM		1.5	/* × the shortest region: 20 to 100 µs is short for a switch */
#define MOST_GROWTH	16.0
#define WAKE_NS		2e6	/* waking takes 20 µs at half speed: 1 % of this */

/* In the order in which they are asked whether they apply. */
static const struct plan_method *const	methods[] = {
	&plan_program, &plan_image, &plan_challenge, &plan_warm, &plan_multi, &plan_one_lru,
	&plan_one_x86,
};

enum { METHODS = sizeof methods / sizeof methods[0] };

/* ---- what all methods share ---- */

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
 * How the lines of operand k get into their state: by stores, or written back and read again.  Can
 * it be in working sets?
 */
static void
read_state(struct plan *p, const struct spec *s, size_t arg, uint64_t bit)
{
	const bool	one_call = spec_is_for_one_call(s, arg);
	const bool	dirty = s->args[arg].operand.state == LINE_DIRTY;

	p->run.dirty |= dirty ? bit : 0;
	p->run.clean |= one_call && !dirty ? bit : 0;
	p->one_call |= one_call;
	p->fixed |= s->args[arg].operand.memory == MEMORY_STATIC ? bit : 0;
}

/* Places, and which operands are cold, are written, are put somewhere; whether any is inout. */
static void
read_operands(struct plan *p, struct plan_wants *w)
{
	uint64_t	bytes = 0, bit = 1;
	unsigned	k = 0;

	for (size_t i = 0; i < w->spec->routine.nparams; i++) {
		const struct operand	*o = &w->spec->args[i].operand;

		if (!w->spec->args[i].is_operand)
			continue;
		p->run.place[k++] = (uint8_t)place_of(o->cache);
		read_state(p, w->spec, i, bit);
		p->moving |= o->cache == CACHE_COLD ? bit : 0;
		p->has_inout |= o->access == ACCESS_INOUT;
		w->places |= o->cache == CACHE_L2 || o->cache == CACHE_L3;
		w->written |= o->access != ACCESS_IN ? bit : 0;
		bytes += o->elements * spec_element_bytes(o);
		bit <<= 1;
	}
	p->may_wake = bytes <= PLAN_WAKE_BYTES;
}

/* Part of a cache that operands can have beside all else that is in it. */
static uint64_t
room_in(enum runner_place place, const struct slot *slot)
{
	switch (place) {
	case RUNNER_IN_L1:	return slot->l1_bytes / 4 * 3;
	case RUNNER_IN_L2:	return slot->l2_bytes / 2;
	case RUNNER_IN_L3:	return slot->l3_bytes / 4;
	case RUNNER_WARM:	return sizes_largest_cache(slot) / 4;
	default:		return UINT64_MAX;
	}
}

static uint64_t
fits(const struct plan *p, const struct slot *slot)
{
	const unsigned	operands = plan_operands(p);
	uint64_t	all = 0;

	for (unsigned place = 0; place < RUNNER_NPLACES; place++) {
		uint64_t	there = 0, cached, spaced;

		for (unsigned k = 0; k < operands; k++)
			there |= p->run.place[k] == place ? (uint64_t)1 << k : 0;
		sizes_of_call(p->spec, slot, there, &cached, &spaced);
		all |= cached <= room_in(place, slot) ? there : 0;
	}
	return all;
}

bool
plan_is_warm(const struct plan *p, const struct plan_wants *w)
{
	return p->moving == 0 && !w->places && w->spec->code == CODE_WARM;
}

void
plan_set_samples(struct plan *p, const struct timing *t, unsigned usual)
{
	unsigned	most = t->max_samples != 0 ? t->max_samples : SPEC_MOST_SAMPLES;

	p->samples = t->samples != 0 ? t->samples : usual;
	if (t->samples == 0 && t->max_samples != 0 && p->samples > most)
		p->samples = most;
	p->samples_given = t->samples != 0;
	p->processes_given = t->processes != 0;
	p->processes = t->processes != 0 ? t->processes : 1;
	p->interval = t->interval;
	p->max_samples = most > p->samples ? most : p->samples;
	/* a clock that was set is no slow one */
	p->normalised = t->clock != CLK_CPU && t->frequency_khz == 0 &&
	    t->estimator == EST_NORMALISED;
	p->has_frequency = t->frequency_khz != 0;
	p->gating = t->gate;
	p->waits_all = t->gate == GATING_ON || t->has_budget;
	p->serialised = t->serialised;
	p->difference = t->difference;
	p->budget_ns = (uint64_t)t->budget_ms * 1000000u;
}

/* A partial flush shall leave the rest in the caches. */
static bool
wants_cold_tlb(const struct plan *p, const struct spec *s)
{
	return s->timing.tlb != TLB_AUTO ? s->timing.tlb == TLB_COLD : !p->is_partial;
}

/*
 * Flush passes and walks drive page tables out with what they are for, and the instruction that
 * flushes a line reads them.  Without this, methods would differ in that alone.  The TLB is full of
 * other translations either way, since those of cold operands would make their tables of no use.
 */
void
plan_set_tables(struct plan *p, const struct spec *s)
{
	const bool	cached = s->timing.page_tables == TABLES_CACHED;

	p->run.pollute = !wants_cold_tlb(p, s) ? RUNNER_POLLUTE_NONE :
	    cached || p->is_partial ? RUNNER_POLLUTE_INNER : RUNNER_POLLUTE_ALL;
	p->run.look_up = cached && p->can_flush && !p->is_partial;
}

void
plan_one_call(struct plan *p, const struct plan_wants *w, enum runner_flush flush)
{
	const bool	flushes = p->moving != 0;

	p->flushes = true;
	p->run.flush = flushes ? flush : RUNNER_FLUSH_NONE;
	if (flushes)
		plan_set_tables(p, w->spec);
	p->is_whole = flushes && !p->is_partial;
	p->run.memory_canary = p->is_whole;
	p->run.calls = p->most_calls = 1;
	p->run.cold_code = w->spec->code == CODE_COLD;
	p->cpus = sizes_cpus(w->slot);
}

enum status
plan_refuse(struct fault *why, const char *text)
{
	return fault_at(why, ST_BAD_SPEC, "spec.timing.flush.method", "%s", text);
}

/* The last of them applies where no other does. */
static const struct plan_method *
choose(const struct plan *p, const struct plan_wants *w)
{
	for (unsigned i = 0; i + 1 < METHODS; i++)
		if (methods[i]->applies(p, w))
			return methods[i];
	return methods[METHODS - 1];
}

static enum status
make_by_method(struct plan *p, const struct plan_wants *w, struct fault *why)
{
	enum status	st;

	if ((st = p->method->make(p, w, why)) != ST_OK || w->spec->checkpoint != NULL)
		return st;
	rotation_read(p, w);
	if (p->data != DATA_ROTATE || plan_is_challenge(p))
		return ST_OK;
	return rotation_begin(p, w->spec, w->slot, why);
}

enum status
plan_make(struct plan *p, const struct spec *s, const struct slot *slot, bool can_flush,
    struct fault *why)
{
	struct plan_wants	w = { .spec = s, .slot = slot, .can_flush = can_flush };

	if (s->context == CONTEXT_FLUSH_LEVEL && sizes_cache(slot, s->context_level) == 0)
		return fault_at(why, ST_BAD_SPEC, "spec.context.flush_level",
		    "this machine has no %s", cache_state_name(s->context_level));
	if (s->code == CODE_COLD && !can_flush)
		return fault_at(why, ST_BAD_SPEC, "spec.code",
		    "this machine cannot flush a line of code by instruction");
	memset(p, 0, sizeof *p);
	p->can_flush = can_flush;
	read_operands(p, &w);
	if (p->run.clean != 0 && !can_flush)
		return fault_at(why, ST_BAD_SPEC, "spec.args",
		    "this machine cannot write a line back by instruction: no operand that the "
		    "routine writes can be clean");
	p->guard = spec_range_guard(s);
	p->calls_given = s->timing.calls != 0;
	p->run.restore = spec_restores(s) ? RUNNER_RESTORE : RUNNER_KEEP;
	p->run.warm_calls = 1;
	plan_set_samples(p, &s->timing,
	    plan_is_warm(p, &w) ? PLAN_SAMPLES_WARM : PLAN_SAMPLES_COLD);
	p->spec = s;
	p->is_partial = sizes_are_partial(s, slot);
	p->fits = fits(p, slot);
	p->method = choose(p, &w);
	return make_by_method(p, &w, why);
}

void
plan_warm_operands(struct plan *p)
{
	memset(p->run.place, RUNNER_WARM, sizeof p->run.place);
	p->run.flush = RUNNER_FLUSH_NONE;
	p->run.dirty = p->run.clean = 0;
	p->run.pollute = p->run.look_up = p->run.memory_canary = p->run.cold_code = 0;
	p->run.walk = RUNNER_STAY;
	p->run.data = RUNNER_GIVEN;
}

void
plan_close(struct plan *p, const struct spec *s, const struct slot *slot, const struct tick *tick,
    double call_ns)
{
	if (p->is_open && call_ns < PLAN_TIMES_RESOLUTION * tick->resolution_ns)
		(void)plan_use_multi(p, s, slot);
	p->is_open = false;
}

/* ---- what its samples are like ---- */

const char *
plan_method_name(const struct plan *p)
{
	return p->method->name;
}

bool
plan_flushes(const struct plan *p)
{
	return p->flushes;
}

bool
plan_walks(const struct plan *p)
{
	return p->method->walks;
}

bool
plan_has_fences(const struct plan *p)
{
	return (p->run.walk != RUNNER_STAY && p->run.walk != RUNNER_STROLL) || p->serialised;
}

bool
plan_is_challenge(const struct plan *p)
{
	return p->method->is_challenge;
}

bool
plan_subtracts(const struct plan *p)
{
	return !p->difference && !p->keeps_overhead;
}

bool
plan_has_cold_tlb(const struct plan *p)
{
	return p->run.pollute || p->method->walks;
}

const char *
plan_page_tables(const struct plan *p)
{
	if (p->run.pollute == RUNNER_POLLUTE_ALL)
		return tables_name(TABLES_MEMORY);
	if (p->method->reads_tables || p->run.look_up)
		return tables_name(TABLES_CACHED);
	return p->method->drops_tables && p->is_whole ? tables_name(TABLES_MEMORY) : NULL;
}

bool
plan_has_cold_code(const struct plan *p)
{
	return p->run.cold_code;
}

bool
plan_has_code_in_cache(const struct plan *p)
{
	return p->method->code_in_cache && !p->run.cold_code;
}

/* ---- where its operands are ---- */

unsigned
plan_operands(const struct plan *p)
{
	unsigned	n = 0;

	if (p->spec == NULL || p->spec->checkpoint != NULL)
		return p->spec != NULL;
	for (size_t i = 0; i < p->spec->routine.nparams; i++)
		n += p->spec->args[i].is_operand;
	return n;
}

const char *
plan_operand_name(const struct plan *p, unsigned k)
{
	if (p->spec->checkpoint != NULL)
		return "image";
	for (size_t i = 0; i < p->spec->routine.nparams; i++)
		if (p->spec->args[i].is_operand && k-- == 0)
			return p->spec->routine.params[i].name;
	return "";
}

const char *
plan_state_name(const struct plan *p, unsigned k)
{
	static const enum cache_state	states[RUNNER_NPLACES] = {
		[RUNNER_COLD] = CACHE_COLD, [RUNNER_WARM] = CACHE_WARM, [RUNNER_IN_L1] = CACHE_L1,
		[RUNNER_IN_L2] = CACHE_L2, [RUNNER_IN_L3] = CACHE_L3,
	};

	return p->run.place[k] == RUNNER_COLD && !p->is_whole ? "partial" :
	    cache_state_name(states[p->run.place[k]]);
}

unsigned
plan_levels(const struct plan *p, unsigned k)
{
	static const unsigned	levels[RUNNER_NPLACES] = {
		[RUNNER_COLD] = 1u << RUNNER_MEMORY, [RUNNER_IN_L1] = 1u << RUNNER_L1,
		[RUNNER_WARM] = 1u << RUNNER_L1 | 1u << RUNNER_L2 | 1u << RUNNER_L3,
		[RUNNER_IN_L2] = 1u << RUNNER_L2, [RUNNER_IN_L3] = 1u << RUNNER_L3,
	};
	const enum runner_place	place = p->run.place[k];

	if (!(p->fits >> k & 1) || (place == RUNNER_COLD && !p->is_whole) ||
	    p->run.walk == RUNNER_AGAIN)
		return 0;
	return levels[place];
}

const char *
plan_origin_name(enum plan_origin origin)
{
	static const char *const	names[PLAN_NORIGINS] = {
		NULL, "default", "calibrated", "given",
	};

	return names[origin];
}

/* ---- how many calls ---- */

uint64_t
plan_more_calls(const struct plan *p, const struct tick *tick, uint64_t calls, double region_ns)
{
	double	fine = PLAN_FINE * tick->resolution_ns;
	double	least = fine > PLAN_REGION_NS ? fine : PLAN_REGION_NS;
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

bool
plan_one_call_will_do(const struct plan *p, double call_ns)
{
	return p->method->one_call_will_do != NULL && p->method->one_call_will_do(p, call_ns);
}

/* Not a routine that would get its own output as input, where that is not asked for. */
bool
plan_may_repeat(const struct plan *p)
{
	return p->method->repeats && !p->one_call && !(p->has_inout && p->run.calls == 1) &&
	    p->guard != GUARD_SEPARATE;
}

bool
plan_may_warm_up(const struct plan *p)
{
	return p->method->repeats && p->run.walk == RUNNER_STAY &&
	    p->run.flush == RUNNER_FLUSH_NONE && !p->run.cold_code;
}

bool
plan_wakes(const struct plan *p, double call_ns)
{
	return p->may_wake && call_ns < WAKE_NS;
}

/* ---- memory ---- */

struct runner_sets
plan_far(const struct plan *p)
{
	struct runner_sets	far = { .sets = p->sets, .moving = p->moving };

	if (p->sets == 0)
		return p->stroll;
	if (plan_walks(p) && rotation_is_on(p))
		memcpy(far.inputs, p->inputs, sizeof far.inputs);
	return far;
}

uint64_t
plan_flush_area(const struct plan *p)
{
	return p->run.flush_bytes * p->cpus;
}

uint64_t
plan_area_bytes(const struct plan *p, const struct spec *s, const struct slot *slot)
{
	const struct runner_sets	far = plan_far(p);
	uint64_t			cached, spaced;

	sizes_of_call(s, slot, far.moving, &cached, &spaced);
	return plan_flush_area(p) + far.sets * (spaced + PLAN_SET_BYTES);
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
