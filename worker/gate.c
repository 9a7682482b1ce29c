/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "worker/gate.h"

#define MEMORY_SHARE	10u			/* the base: the least but one part in so many of the readings */

static bool
is_fine(const struct gate *g, uint32_t ticks)
{
	return ticks != 0 && ticks >= GATE_FINE * g->resolution_ticks;
}

static void
see(struct gate *g, uint32_t ticks)
{
	if (!is_fine(g, ticks))
		return;
	g->readings++;
	if (g->base_ticks == 0 || ticks < g->base_ticks)
		g->base_ticks = ticks;
	if (g->recent_ticks == 0 || ticks < g->recent_ticks)
		g->recent_ticks = ticks;
}

void
gate_see(struct gate *g, struct gate_reading r)
{
	see(g, r.before);
	see(g, r.after);
}

double
gate_ratio(const struct gate *g, struct gate_reading r)
{
	if (g->base_ticks == 0 || r.before == 0 || r.after == 0)
		return 0;
	return 0.5 * ((double)r.before + (double)r.after) / (double)g->base_ticks;
}

bool
gate_is_quiet(const struct gate *g, struct gate_reading r)
{
	double	most = GATE_TOLERANCE * (double)g->base_ticks;

	return r.before != 0 && r.after != 0 && (double)r.before <= most && (double)r.after <= most;
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

static void
learn_anew(struct gate *g)
{
	if (++g->barren == 1)
		g->recent_ticks = 0;		/* what was seen before may be what is wrong */
	if (g->barren < GATE_BARREN || g->recent_ticks == 0)
		return;
	g->base_ticks = g->recent_ticks;
	g->barren = g->doubt = 0;
}

void
gate_end(struct gate *g, bool helped, uint64_t spent_ns)
{
	g->purse_ns -= spent_ns < g->purse_ns ? spent_ns : g->purse_ns;
	if (helped) {
		g->barren = 0;
		g->doubt -= g->doubt > 0;
		return;
	}
	g->doubt += spent_ns > 0 && g->doubt < GATE_DOUBT;
	learn_anew(g);
}

/* ---- the memory canary ---- */

/* Where the first one that is not less stands. */
static unsigned
place_of(const struct gate_memory *m, uint32_t ticks)
{
	unsigned	i = 0;

	while (i < m->readings && m->sorted[i] < ticks)
		i++;
	return i;
}

static void
forget(struct gate_memory *m, uint32_t ticks)
{
	unsigned	at = place_of(m, ticks);

	m->readings--;
	memmove(&m->sorted[at], &m->sorted[at + 1], (m->readings - at) * sizeof m->sorted[0]);
}

void
gate_see_memory(struct gate *g, uint32_t ticks)
{
	struct gate_memory	*m = &g->memory;
	unsigned		 at;

	if (!is_fine(g, ticks))
		return;
	if (m->readings == GATE_MEMORY_READINGS)
		forget(m, m->recent[m->next]);
	at = place_of(m, ticks);
	memmove(&m->sorted[at + 1], &m->sorted[at], (m->readings - at) * sizeof m->sorted[0]);
	m->sorted[at] = m->recent[m->next] = ticks;
	m->next = (m->next + 1) % GATE_MEMORY_READINGS;
	m->readings++;
}

double
gate_memory_ratio(const struct gate *g, uint32_t ticks)
{
	const struct gate_memory	*m = &g->memory;

	return m->readings > 0 ? (double)ticks / (double)m->sorted[m->readings / MEMORY_SHARE] : 0;
}

bool
gate_memory_is_quiet(const struct gate *g, uint32_t ticks)
{
	return ticks != 0 && gate_memory_ratio(g, ticks) <= GATE_MEMORY_TOLERANCE;
}

bool
gate_memory_is_coarse(const struct gate *g)
{
	return g->memory.readings == 0;
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
	return g->memory.jobs < GATE_MEMORY_JOBS || g->memory.worth >= GATE_MEMORY_WORTH;
}
