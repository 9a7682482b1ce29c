/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/gate.h"

static void
see(struct gate *g, uint32_t ticks)
{
	if (ticks == 0 || ticks < GATE_FINE * g->resolution_ticks)
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
