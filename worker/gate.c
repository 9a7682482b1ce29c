/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/gate.h"

static void
see(struct gate *g, uint32_t ticks)
{
	if (ticks == 0)
		return;
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
	return (double)g->base_ticks < GATE_FINE * g->resolution_ticks;
}

void
gate_end(struct gate *g, bool helped)
{
	if (helped) {
		g->barren = 0;
		return;
	}
	if (++g->barren == 1)
		g->recent_ticks = 0;		/* what was seen before may be what is wrong */
	if (g->barren < GATE_BARREN || g->recent_ticks == 0)
		return;
	g->base_ticks = g->recent_ticks;
	g->barren = 0;
}

uint64_t
gate_patience(const struct gate *g, uint64_t budget_ns)
{
	return budget_ns >> 2 * (g->barren < 3 ? g->barren : 3);
}
