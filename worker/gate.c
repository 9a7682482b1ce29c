/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/gate.h"

#define SHARE		10u		/* the base: the least but one part in so many of the readings */

static bool
is_fine(const struct gate *g, uint32_t ticks)
{
	return ticks != 0 && ticks >= GATE_FINE * g->resolution_ticks;
}

static void
see(const struct gate *g, struct rolling *r, struct gate_reading reading)
{
	if (is_fine(g, reading.before))
		rolling_see(r, ROLLING_MOST, reading.before);
	if (is_fine(g, reading.after))
		rolling_see(r, ROLLING_MOST, reading.after);
}

static void
find_base(struct gate *g)
{
	uint32_t	own = rolling_base(&g->own, SHARE), slots = rolling_base(&g->recent, SHARE);

	g->base_ticks = slots != 0 && (own == 0 || own > GATE_OWN_CLOCK * slots) ? slots : own;
}

void
gate_begin(struct gate *g)
{
	g->own.readings = g->own.next = 0;
}

void
gate_order(struct gate *g, uint64_t now_ns)
{
	g->is_due = now_ns - g->seen_ns >= GATE_SLICE_NS;
	if (g->is_due)
		g->seen_ns = now_ns;
}

bool
gate_wants(const struct gate *g, uint32_t i)
{
	return g->readings < GATE_FIRST || (g->is_due && i == 0);
}

void
gate_see(struct gate *g, struct gate_reading r)
{
	g->readings += is_fine(g, r.before) + is_fine(g, r.after);
	see(g, &g->own, r);
	find_base(g);
}

void
gate_remember(struct gate *g, struct gate_reading r)
{
	see(g, &g->recent, r);
	find_base(g);
}

double
gate_ratio(const struct gate *g, struct gate_reading r)
{
	if (g->base_ticks == 0 || r.before == 0 || r.after == 0)
		return 0;
	return 0.5 * ((double)r.before + (double)r.after) / (double)g->base_ticks;
}

static bool
is_near(const struct gate *g, uint32_t ticks)
{
	return (double)ticks <= GATE_TOLERANCE * (double)g->base_ticks && (double)g->base_ticks <= GATE_TOLERANCE * (double)ticks;
}

bool
gate_is_quiet(const struct gate *g, struct gate_reading r)
{
	return r.before != 0 && r.after != 0 && is_near(g, r.before) && is_near(g, r.after);
}

bool
gate_is_coarse(const struct gate *g)
{
	return g->base_ticks == 0;
}

static void
fill(struct gate *g, uint64_t now_ns)
{
	uint64_t	room = GATE_PURSE_NS - g->purse_ns, more = (now_ns - g->filled_ns) / GATE_SHARE;

	g->purse_ns += g->filled_ns == 0 || more > room ? room : more;
	g->filled_ns = now_ns;
}

uint64_t
gate_patience(struct gate *g, uint64_t now_ns)
{
	uint64_t	most = GATE_PURSE_NS >> g->doubt;

	fill(g, now_ns);
	return most < g->purse_ns ? most : g->purse_ns;
}

void
gate_end(struct gate *g, bool helped, uint64_t spent_ns)
{
	g->purse_ns -= spent_ns < g->purse_ns ? spent_ns : g->purse_ns;
	g->barren = helped ? 0 : g->barren + 1;
	if (helped)
		g->doubt -= g->doubt > 0;
	else
		g->doubt += spent_ns > 0 && g->doubt < GATE_DOUBT;
}

/* ---- the memory canary ---- */

void
gate_see_memory(struct gate *g, uint32_t ticks)
{
	if (is_fine(g, ticks))
		rolling_see(&g->memory.readings, GATE_MEMORY_READINGS, ticks);
}

double
gate_memory_ratio(const struct gate *g, uint32_t ticks)
{
	uint32_t	base = rolling_base(&g->memory.readings, SHARE);

	return base != 0 ? (double)ticks / (double)base : 0;
}

bool
gate_memory_is_quiet(const struct gate *g, uint32_t ticks)
{
	return ticks != 0 && gate_memory_ratio(g, ticks) <= GATE_MEMORY_TOLERANCE;
}

bool
gate_memory_is_coarse(const struct gate *g)
{
	return g->memory.readings.readings == 0;
}

uint64_t
gate_memory_patience(const struct gate *g, uint64_t patience_ns)
{
	return patience_ns / 2 >> g->memory.doubt;	/* the other half is for the core */
}

void
gate_memory_end(struct gate *g, bool helped)
{
	unsigned	*doubt = &g->memory.doubt;

	*doubt = helped ? *doubt - (*doubt > 0) : *doubt + (*doubt < GATE_DOUBT);
}

void
gate_memory_learn(struct gate *g, double share)
{
	struct gate_memory	*m = &g->memory;

	m->jobs += m->jobs < GATE_MEMORY_JOBS;
	m->worth += (share - m->worth) / m->jobs;
}

bool
gate_memory_helps(const struct gate *g)
{
	return g->memory.jobs >= GATE_MEMORY_JOBS && g->memory.worth >= GATE_MEMORY_WORTH;
}
