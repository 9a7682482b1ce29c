/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/quiet/gate.h"

#define QUIET_SHARE	50u		/* the least but one part in so many of the readings */
#define MEMORY_SHARE	10u

static bool
is_fine(const struct gate *g, uint32_t ticks)
{
	return ticks != 0 && ticks >= GATE_FINE * g->resolution_ticks;
}

static bool
tells_pace(const struct gate *g, uint32_t pace)
{
	return pace != 0 && pace >= GATE_PACE_STEPS * g->resolution_ticks;
}

/* The canary relative to the pace beside it, times GATE_UNIT, or alone where there is none; 0: no reading. */
static uint32_t
crowding(const struct gate *g, uint32_t canary, uint32_t pace)
{
	uint64_t	c = tells_pace(g, pace) ? (uint64_t)canary * GATE_UNIT / pace : canary;

	return !is_fine(g, canary) ? 0 : c < UINT32_MAX ? (uint32_t)c : UINT32_MAX;
}

/* ---- what was known before ---- */

struct gate_quiet
gate_known(const struct gate *g)
{
	const struct gate_memory	*m = &g->memory;
	const struct gate_quiet		 q = {
		.canary = rolling_known(&g->longer, ROLLING_MOST, QUIET_SHARE, GATE_TOLERANCE),
		.pace = rolling_known(&g->rests, ROLLING_MOST, QUIET_SHARE, GATE_CLOCK_NOISE),
		.memory = rolling_known(&m->readings, GATE_MEMORY_READINGS, MEMORY_SHARE, GATE_MEMORY_TOLERANCE),
		.memory_jobs = m->jobs, .memory_worth = m->worth,
	};

	return q;
}

void
gate_begin(struct gate *g, const struct gate_quiet *q)
{
	rolling_keep(&g->longer, q->canary);
	rolling_keep(&g->rests, q->pace);
	rolling_keep(&g->memory.readings, q->memory);
	g->base = rolling_base(&g->longer, QUIET_SHARE);
	g->memory.jobs = q->memory_jobs < GATE_MEMORY_JOBS ? q->memory_jobs : GATE_MEMORY_JOBS;
	g->memory.worth = q->memory_worth;
}

/* ---- readings ---- */

void
gate_rest(struct gate *g, uint32_t pace, uint64_t now_ns)
{
	if (!tells_pace(g, pace))
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

/* One sample of an order at most, but at first as many as there is room for, to know quiet soon if it is not known. */
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
gate_see(struct gate *g, uint32_t i, struct gate_reading r)
{
	see(g, i, r.before, r.pace_before);
	see(g, i, r.after, r.pace_after);
}

/* ---- what they tell ---- */

double
gate_ratio(const struct gate *g, struct gate_reading r)
{
	uint32_t	before = crowding(g, r.before, r.pace_before), after = crowding(g, r.after, r.pace_after);

	if (g->base == 0 || before == 0 || after == 0)
		return 0;
	return 0.5 * ((double)before + (double)after) / (double)g->base;
}

/* The clock has not changed in the midst of the sample. */
static bool
is_steady(const struct gate *g, struct gate_reading r)
{
	const double	before = (double)r.pace_before, after = (double)r.pace_after;

	if (!tells_pace(g, r.pace_before) || !tells_pace(g, r.pace_after))
		return true;
	return before <= GATE_STEADY * after && after <= GATE_STEADY * before;
}

bool
gate_is_quiet(const struct gate *g, struct gate_reading r)
{
	return is_quiet(g, crowding(g, r.before, r.pace_before)) && is_quiet(g, crowding(g, r.after, r.pace_after)) &&
	    is_steady(g, r);
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
		if (g->rest[i].pace != 0 && g->rest[i].pace < least && last->at_ns - g->rest[i].at_ns <= GATE_REST_NS)
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
gate_pace(const struct gate *g, struct gate_reading r)
{
	uint32_t	best = gate_best_pace(g);

	if (best == 0 || !tells_pace(g, r.pace_before) || !tells_pace(g, r.pace_after))
		return 0;
	return 0.5 * ((double)r.pace_before + (double)r.pace_after) / (double)best;
}

uint64_t
gate_base_ticks(const struct gate *g)
{
	uint32_t	best = gate_best_pace(g);

	return best != 0 ? (uint64_t)g->base * best / GATE_UNIT : g->base;
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
	uint32_t	base = rolling_base(&g->memory.readings, MEMORY_SHARE);

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
	return rolling_base(&g->memory.readings, MEMORY_SHARE) == 0;
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
