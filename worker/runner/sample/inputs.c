/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "worker/runner/sample/fill.h"
#include "worker/runner/sample/inputs.h"

#define NOVEL	((uint64_t)1 << 32)	/* inputs from here on are in no rotation */
#define SEEDS	0x9b05688c2b3e6c1fu	/* names the stream of an operand's further seeds */

static uint64_t
bytes_of(const struct rt_operand *o)
{
	return o->rt_count * o->rt_bytes;
}

/* Whole slices of the given data. */
static uint64_t
slices_of(const struct rt_operand *o)
{
	return bytes_of(o) != 0 ? o->rt_data_bytes / bytes_of(o) : 0;
}

int
rt_inputs_vary(const struct rt_operand *o)
{
	return rt_is_random(o) || (o->rt_init == 'd' && slices_of(o) > 1);
}

/* The operand as it would be described if this were its given input. */
static struct rt_operand
with_input(const struct rt_operand *from, uint64_t n)
{
	struct rt_operand	o = *from;

	if (n == 0)
		return o;
	if (o.rt_init == 'd') {
		o.rt_data = (const char *)o.rt_data + n % slices_of(from) * bytes_of(from);
		o.rt_data_bytes = bytes_of(from);
	}
	o.rt_seed = rt_number(o.rt_seed ^ SEEDS, n);
	return o;
}

void
rt_inputs_put(const struct rt_live *l, uint64_t n, char *to)
{
	const struct rt_operand	o = with_input(l->operand, n);

	rt_fill(&o, to);
	if (l->twin_bytes != 0)
		rt_fill_negated(&o, to + l->twin_bytes, to);
}

/* ---- orders ---- */

static uint64_t
number_of(const struct runner_run *run, uint32_t k, uint64_t n)
{
	switch (run->data) {
	case RUNNER_ROTATE:
		return (run->input + n) % run->inputs[k];
	case RUNNER_NOVEL:
		return NOVEL + run->input + n;
	default:
		return 0;
	}
}

static int
draws(const struct rt_sets *s, const struct runner_run *run, uint32_t k)
{
	return run->data != RUNNER_GIVEN && run->inputs[k] != 0 &&
	    rt_inputs_vary(s->live[k].operand);
}

static void
swap_places(struct rt_sets *s, const struct runner_run *run)
{
	for (uint32_t k = 0; k < s->driver->rt_operands; k++) {
		struct rt_live	*l = &s->live[k];
		char		*home = l->home;

		if (run->walk != RUNNER_STAY || !draws(s, run, k) || l->drawn == NULL)
			continue;
		l->home = l->drawn;
		l->drawn = home;
	}
}

void
rt_inputs_enter(struct rt_sets *s, const struct runner_run *run)
{
	swap_places(s, run);
	for (uint32_t k = 0; k < s->driver->rt_operands && run->walk == RUNNER_STAY; k++)
		if (draws(s, run, k))
			rt_inputs_put(&s->live[k], 0, s->live[k].home);
}

void
rt_inputs_leave(struct rt_sets *s, const struct runner_run *run)
{
	swap_places(s, run);
}

void
rt_inputs_draw(const struct rt_sets *s, const struct runner_run *run, const uint32_t *walk,
    uint64_t n)
{
	for (uint32_t k = 0; k < s->driver->rt_operands; k++) {
		const struct rt_live	*l = &s->live[k];

		if (!draws(s, run, k))
			continue;
		if (run->walk == RUNNER_STAY)
			rt_inputs_put(l, number_of(run, k, n), l->home);
		for (uint64_t i = 0; run->walk == RUNNER_STROLL && l->far != NULL &&
		    i < run->calls; i++)
			rt_inputs_put(l, number_of(run, k, n + i), rt_live_far(l, walk[i]));
	}
}
