/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/quiet/gate.h"

#define QUIET_SHARE	50u		/* the base is the 2nd percentile */

static bool
is_fine(const struct gate *g, uint32_t ticks)
{
	return ticks != 0 && ticks >= GATE_FINE * g->resolution_ticks;
}

static bool
shows_pace(const struct gate *g, uint32_t pace)
{
	return pace != 0 && pace >= GATE_PACE_STEPS * g->resolution_ticks;
}

/*
 * The canary relative to the pace beside it, times GATE_UNIT, or alone where there is none; 0: no
 * reading.
 */
static uint32_t
crowding(const struct gate *g, uint32_t canary, uint32_t pace)
{
	uint64_t	c = shows_pace(g, pace) ? (uint64_t)canary * GATE_UNIT / pace : canary;

	return !is_fine(g, canary) ? 0 : c < UINT32_MAX ? (uint32_t)c : UINT32_MAX;
}

/* ---- what was known before ---- */

struct gate_quiet
gate_known(const struct gate *g)
{
	return (struct gate_quiet){
		.canary = rolling_known(&g->longer, ROLLING_MOST, QUIET_SHARE, GATE_TOLERANCE),
		.pace = rolling_known(&g->rests, ROLLING_MOST, QUIET_SHARE, GATE_CLOCK_NOISE),
		.memory = memory_gate_known(&g->memory),
	};
}

void
gate_begin(struct gate *g, const struct gate_quiet *q)
{
	rolling_keep(&g->longer, q->canary);
	rolling_keep(&g->rests, q->pace);
	g->base = rolling_base(&g->longer, QUIET_SHARE);
	memory_gate_begin(&g->memory, q->memory);
}

/* ---- readings ---- */

void
gate_rest(struct gate *g, uint32_t pace, uint64_t now_ns)
{
	if (!shows_pace(g, pace))
		return;
	g->rest[g->next_rest] = (struct gate_rest){ now_ns, pace };
	g->next_rest = (g->next_rest + 1) % GATE_RESTS;
	rolling_see(&g->rests, ROLLING_MOST, pace);
}

void
gate_order(struct gate *g, uint64_t now_ns)
{
	g->order_ns = now_ns;
	g->is_due = now_ns - g->seen_ns >= GATE_SLICE_NS;
	g->is_long_due = now_ns - g->long_seen_ns >= GATE_LONG_NS;
	if (g->is_due)
		g->seen_ns = now_ns;
	if (g->is_long_due)
		g->long_seen_ns = now_ns;
}

/*
 * At most one sample of an order, but at first all that fit, to know quiet soon if it is not known.
 */
static void
remember(struct gate *g, uint32_t i, uint32_t crowding)
{
	if (g->readings <= ROLLING_MOST || (g->is_due && i == 0))
		rolling_see(&g->recent, ROLLING_MOST, crowding);
	if ((g->readings <= GATE_FIRST && g->longer.kept.left == 0) || (g->is_long_due && i == 0))
		rolling_see(&g->longer, ROLLING_MOST, crowding);
}

static bool
is_quiet(const struct gate *g, uint32_t crowding)
{
	return crowding != 0 && (double)crowding <= GATE_TOLERANCE * (double)g->base;
}

static void
see(struct gate *g, uint32_t i, uint32_t canary, uint32_t pace)
{
	uint32_t	c = crowding(g, canary, pace), recent, longer;

	if (c == 0)
		return;
	g->readings++;
	remember(g, i, c);
	recent = rolling_base(&g->recent, QUIET_SHARE);
	longer = rolling_base(&g->longer, QUIET_SHARE);
	g->base = recent < longer ? recent : longer;
	if (is_quiet(g, c))
		g->met_ns = g->order_ns;
}

void
gate_see(struct gate *g, uint32_t i, const struct runner_sample *s)
{
	see(g, i, s->canary_before, s->pace_before);
	see(g, i, s->canary_after, s->pace_after);
	memory_gate_see(&g->memory, g->resolution_ticks, s->memory_canary);
}

static uint32_t
crowding_before(const struct gate *g, const struct runner_sample *s)
{
	return crowding(g, s->canary_before, s->pace_before);
}

static uint32_t
crowding_after(const struct gate *g, const struct runner_sample *s)
{
	return crowding(g, s->canary_after, s->pace_after);
}

/* ---- what they show ---- */

double
gate_ratio(const struct gate *g, const struct runner_sample *s)
{
	uint32_t	before = crowding_before(g, s), after = crowding_after(g, s);

	if (g->base == 0 || before == 0 || after == 0)
		return 0;
	return 0.5 * ((double)before + (double)after) / (double)g->base;
}

/* The clock has not changed in the midst of the sample. */
static bool
is_steady(const struct gate *g, const struct runner_sample *s)
{
	const double	before = (double)s->pace_before, after = (double)s->pace_after;

	if (!shows_pace(g, s->pace_before) || !shows_pace(g, s->pace_after))
		return true;
	return before <= GATE_STEADY * after && after <= GATE_STEADY * before;
}

bool
gate_is_quiet(const struct gate *g, const struct runner_sample *s)
{
	return is_quiet(g, crowding_before(g, s)) && is_quiet(g, crowding_after(g, s)) &&
	    is_steady(g, s);
}

bool
gate_is_coarse(const struct gate *g)
{
	return g->base == 0;
}

/* The least of the last readings; 0: there is none. */
static uint32_t
rest_lately(const struct gate *g)
{
	const struct gate_rest	*last = &g->rest[(g->next_rest + GATE_RESTS - 1) % GATE_RESTS];
	uint32_t		 least = last->pace;

	for (unsigned i = 0; i < GATE_RESTS; i++)
		if (g->rest[i].pace != 0 && g->rest[i].pace < least &&
		    last->at_ns - g->rest[i].at_ns <= GATE_REST_NS)
			least = g->rest[i].pace;
	return least;
}

uint32_t
gate_best_pace(const struct gate *g)
{
	return rolling_base(&g->rests, QUIET_SHARE);
}

double
gate_clock(const struct gate *g)
{
	double	best = (double)gate_best_pace(g), rest = (double)rest_lately(g);

	if (best == 0)
		return 0;
	return rest <= GATE_CLOCK_NOISE * best && best <= GATE_CLOCK_NOISE * rest ? 1 : rest / best;
}

double
gate_pace(const struct gate *g, const struct runner_sample *s)
{
	uint32_t	best = gate_best_pace(g);

	if (best == 0 || !shows_pace(g, s->pace_before) || !shows_pace(g, s->pace_after))
		return 0;
	return 0.5 * ((double)s->pace_before + (double)s->pace_after) / (double)best;
}

uint64_t
gate_base_ticks(const struct gate *g)
{
	uint32_t	best = gate_best_pace(g);

	return best != 0 ? (uint64_t)g->base * best / GATE_UNIT : g->base;
}
