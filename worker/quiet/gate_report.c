/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "worker/quiet/gate_report.h"

/* it is measured within 1e-5 or so; another model's differs by 1e-2 or more */
#define SAME_RATE	1e-3

static struct base_state
state_of(const struct rolling_kept *b, const struct tick *t, uint64_t ticks)
{
	return (struct base_state){ b->base, b->left, tick_ns(t, ticks) };
}

struct gate_state
gate_state_of(const struct gate *g, const struct tick *t, uint64_t now_ns)
{
	const struct gate_quiet	q = gate_known(g);
	const uint64_t		canary = q.pace.base != 0 ?
	    (uint64_t)q.canary.base * q.pace.base / GATE_UNIT : q.canary.base;

	return (struct gate_state){ .clock = clock_name(t->clock), .tick_hz = t->hz,
	    .met_s = g->met_ns != 0 ? (double)(now_ns - g->met_ns) / 1e9 : NAN,
	    .canary = state_of(&q.canary, t, canary), .pace = state_of(&q.pace, t, q.pace.base),
	    .memory = state_of(&q.memory, t, q.memory.base) };
}

static bool
get_base(struct rolling_kept *b, const struct base_state *s)
{
	*b = (struct rolling_kept){ (uint32_t)s->base, (unsigned)s->left };
	return s->base <= UINT32_MAX && s->left <= 2 * ROLLING_MOST;
}

static bool
is_of_clock(const struct gate_state *s, const struct tick *t)
{
	return s->clock != NULL && strcmp(s->clock, clock_name(t->clock)) == 0 &&
	    fabs(s->tick_hz / t->hz - 1) <= SAME_RATE;
}

bool
gate_begin_with(struct gate *g, const struct tick *t, const struct gate_state *s)
{
	struct gate_quiet	q;

	if (g->readings != 0 || !is_of_clock(s, t) || !get_base(&q.canary, &s->canary) ||
	    !get_base(&q.pace, &s->pace) || !get_base(&q.memory, &s->memory))
		return false;
	gate_begin(g, &q);
	return true;
}

struct canary_report
gate_canary_report(const struct gate *g, const struct tick *t)
{
	const uint64_t	base_ticks = gate_base_ticks(g);

	return (struct canary_report){
	    .state = gate_is_coarse(g) ? "off: no reading is long enough for the clock" : "on",
	    .base_ticks = base_ticks, .base_ns = tick_ns(t, base_ticks),
	    .clock_slowness = gate_clock(g), .readings = g->readings,
	    .barren_jobs = g->patience.barren };
}
