/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "worker/plan/rotation.h"
#include "worker/plan/sizes.h"

#define PROBE_BYTES	((uint64_t)64 << 20)	/* drawn for a sample, unless asked for */
#define MOST_BYTES	((uint64_t)4 << 30)
#define SMALL_L1	32768u			/* where none is known */

/* ---- which inputs ---- */

static unsigned
inputs_of(const struct operand *o)
{
	return o->data.kind == DATA_ROTATE ? o->data.rotate : spec_inputs_by_turns(o);
}

/* What takes long is drawn for each sample only if asked for. */
static bool
may_draw(const struct operand *o)
{
	return o->data.kind == DATA_ROTATE || !spec_is_slow_to_draw(o);
}

/* Have the operands of this kind rotate; their bytes. */
static uint64_t
choose(struct plan *p, const struct spec *s, enum data_kind kind)
{
	uint64_t	bytes = 0;
	unsigned	k = 0;

	for (size_t i = 0; i < s->routine.nparams; i++) {
		const struct operand	*o = &s->args[i].operand;

		if (!s->args[i].is_operand)
			continue;
		if (o->data.kind == kind && spec_inputs(o) > 1 && may_draw(o)) {
			p->inputs[k] = (uint16_t)inputs_of(o);
			bytes += o->elements * spec_element_bytes(o);
		}
		k++;
	}
	return bytes;
}

/* An operand that is only read shall be as clean as before it was drawn. */
static void
read_clean(struct plan *p, const struct spec *s)
{
	unsigned	k = 0;

	for (size_t i = 0; i < s->routine.nparams; i++) {
		const struct operand	*o = &s->args[i].operand;

		if (!s->args[i].is_operand)
			continue;
		if (p->inputs[k] != 0 && o->access == ACCESS_IN && o->cache != CACHE_COLD &&
		    o->state == LINE_CLEAN && p->can_flush)
			p->drawn_clean |= (uint64_t)1 << k;
		k++;
	}
}

/* Operands that are asked to rotate do so alone. */
static void
read_inputs(struct plan *p, const struct spec *s)
{
	static const enum data_kind	kinds[] = { DATA_ROTATE, DATA_AUTO, DATA_ONE };

	for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		uint64_t	bytes = choose(p, s, kinds[i]);

		p->data = kinds[i];
		if (bytes > PROBE_BYTES && kinds[i] != DATA_ROTATE)
			memset(p->inputs, 0, sizeof p->inputs);
		if (bytes != 0)
			return;
	}
}

static bool
has_inputs(const struct plan *p)
{
	for (unsigned k = 0; k < RUNNER_OPERANDS; k++)
		if (p->inputs[k] != 0)
			return true;
	return false;
}

/* ---- the sets of a stroll ---- */

static bool
can_stroll(const struct plan *p)
{
	return !p->flushes && p->guard != GUARD_SEPARATE && p->guard != GUARD_ALTERNATE &&
	    p->guard != GUARD_PAIR;
}

/* As many as stay in the cache that holds one; no more than one: too few for a stroll. */
static uint64_t
fitting(const struct slot *slot, uint64_t bytes)
{
	const uint64_t	l1 = slot->l1_bytes != 0 ? slot->l1_bytes : SMALL_L1;

	if (bytes == 0)
		return 0;
	if (bytes <= l1)
		return l1 / 4 * 3 / bytes;
	return slot->l2_bytes / 2 / bytes;
}

static void
find_stroll(struct plan *p, const struct plan_wants *w)
{
	const struct timing	*t = &w->spec->timing;
	const unsigned		 times = t->difference ? 2 : 1;
	struct runner_sets	*far = &p->stroll;
	uint64_t		 cached, spaced;

	for (unsigned k = 0; k < RUNNER_OPERANDS; k++)
		far->moving |= p->inputs[k] != 0 ? (uint64_t)1 << k : 0;
	sizes_of_call(w->spec, w->slot, far->moving, &cached, &spaced);
	far->sets = fitting(w->slot, spaced);
	far->sets = far->sets < times ? times : far->sets;
	if (t->calls > 1)
		far->sets = (uint64_t)t->calls * times;
	if (far->sets < 2 || far->sets > MOST_BYTES / spaced)
		far->sets = 0;
}

void
rotation_read(struct plan *p, const struct plan_wants *w)
{
	read_inputs(p, w->spec);
	read_clean(p, w->spec);
	if (has_inputs(p) && can_stroll(p))
		find_stroll(p, w);
}

/* ---- samples ---- */

bool
rotation_is_on(const struct plan *p)
{
	return p->run.data == RUNNER_ROTATE;
}

bool
rotation_may_matter(const struct plan *p)
{
	return has_inputs(p) && !plan_is_challenge(p);
}

static void
stroll(struct plan *p, uint64_t calls)
{
	p->run.walk = RUNNER_STROLL;
	p->run.calls = calls;
}

enum status
rotation_begin(struct plan *p, const struct spec *s, const struct slot *slot, struct fault *why)
{
	const unsigned	calls = s->timing.calls;

	(void)slot;
	if (!p->flushes && calls > 1 && p->stroll.sets == 0)
		return fault_at(why, ST_BAD_SPEC, "spec.timing.calls",
		    "%u calls, each on an input of its own, would need more than 4 GiB", calls);
	p->run.data = RUNNER_ROTATE;
	memcpy(p->run.inputs, p->inputs, sizeof p->run.inputs);
	p->run.clean |= p->drawn_clean;
	if (!p->flushes && calls > 1)
		stroll(p, calls);
	return ST_OK;
}

void
rotation_know_call(struct plan *p, double call_ns)
{
	if (!rotation_is_on(p) || p->flushes || p->run.walk == RUNNER_STROLL)
		return;
	p->most_calls = 1;
	if (p->stroll.sets == 0 || (call_ns >= ROTATION_CALL_NS && !p->difference))
		return;
	p->most_calls = p->stroll.sets / (p->difference ? 2 : 1);
	stroll(p, 1);
}

/* Sets in random order do not have the inputs by turns: of `most`, so many are expected. */
static uint64_t
at_random(uint64_t met, uint64_t most)
{
	return (uint64_t)((double)most * (1 - exp(-(double)met / (double)most)) + 0.5);
}

uint64_t
rotation_inputs(const struct plan *p, uint64_t samples)
{
	const uint64_t	calls = plan_walks(p) ? p->run.calls : runner_region_inputs(&p->run);
	uint64_t	met = samples * calls, most = 1;

	if (!rotation_is_on(p))
		return 1;
	if (plan_walks(p) && p->sets < met)
		met = p->sets;
	for (unsigned k = 0; k < RUNNER_OPERANDS; k++)
		most = p->inputs[k] > most ? p->inputs[k] : most;
	if (plan_walks(p) && p->run.walk == RUNNER_RANDOM && most < p->sets)
		return at_random(met, most);
	return met < most ? met : most;
}

/* ---- what novelty costs ---- */

#define WALKED_SETS	64u			/* of a multi-call method, in a probe */

struct plan
rotation_probe(const struct plan *from, double call_ns)
{
	const struct runner_sets	far = plan_far(from);
	struct plan			p = *from;

	if (plan_walks(&p))
		plan_warm_operands(&p);
	p.run.data = RUNNER_SAME;
	memcpy(p.run.inputs, p.inputs, sizeof p.run.inputs);
	p.run.clean |= p.drawn_clean;
	p.run.calls = 1;
	if ((!p.flushes || plan_walks(&p)) && far.sets != 0 && call_ns < ROTATION_CALL_NS)
		stroll(&p, far.sets < WALKED_SETS ? far.sets : WALKED_SETS);
	return p;
}
