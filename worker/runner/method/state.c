/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "worker/runner/method/levels.h"
#include "worker/runner/method/lines.h"
#include "worker/runner/method/state.h"
#include "worker/runner/sample/fill.h"
#include "worker/runner/sample/gauge.h"
#include "worker/runner/sample/ticks.h"

#define PAGE_BYTES	4096u

/* ---- when ---- */

static uint64_t
chance(void)
{
	return rt_number(rt_ticks_start(), 1);
}

/* A proof passes over sets of a walk, and signs that turn need each set in each traversal. */
static int
may_prove(const struct rt_timer *t, const struct runner_run *run)
{
	if (run->kind != RUNNER_SAMPLE || !run->proves)
		return 0;
	if (t->image != NULL && run->flush == RUNNER_FLUSH_NONE)
		return 0;
	return !rt_walk_is_cold(run->walk) || t->sets.driver->rt_turn == NULL;
}

void
rt_state_begin(struct rt_timer *t, const struct runner_run *run)
{
	const uint32_t	within = run->samples < RT_STATE_EVERY ? run->samples : RT_STATE_EVERY;
	struct rt_state	*s = &t->state;

	s->is_on = may_prove(t, run);
	if (s->is_on && s->until == 0)
		s->until = 1 + (uint32_t)(chance() % within);
}

/* On average once in so many. */
int
rt_state_is_due(struct rt_state *s)
{
	if (!s->is_on || --s->until > 0)
		return 0;
	s->until = 1 + (uint32_t)(chance() % (2 * RT_STATE_EVERY - 1));
	return 1;
}

/* ---- where ---- */

/* Lines in a row: those of an operand, or of an image. */
struct row {
	const struct rt_timer	*timer;
	const struct rt_live	*live;		/* NULL: the image */
	const uint32_t		*walk;
	uint64_t		 lines;
	uint64_t		 secret;
	uint32_t		 chains;	/* one in so many readings is a chain; 0: none is */
};

static const char *
line_of(const struct row *r, uint64_t n)
{
	const uint32_t	line_bytes = r->timer->sets.line_bytes;

	return r->live != NULL ? rt_line(r->live, r->walk, line_bytes, n) :
	    rt_image_line(r->timer->image, line_bytes, n);
}

/*
 * From there on; moved back a little, so that all lines of a proof are at the same place in blocks
 * of RT_GAUGE_STEP.  Pages are looked up by lines at another.
 */
static uint64_t
aligned(const struct row *r, uint64_t n)
{
	const uintptr_t	line = (uintptr_t)line_of(r, n) / r->timer->sets.line_bytes;
	const uint64_t	back = (line - r->secret) % RT_GAUGE_STEP;

	return n >= back ? n - back : n;
}

/* The n-th of `parts` equal parts, from a random line in it that leaves room for `span`. */
static uint64_t
begin_of(const struct row *r, uint32_t n, uint32_t parts, uint64_t span)
{
	const uint64_t	each = r->lines / parts;

	return aligned(r, n * each + (each > span ? rt_number(r->secret, n) % (each - span + 1) :
	    0) + (each > RT_GAUGE_STEP ? RT_GAUGE_STEP - 1 : 0));
}

/* Parts in an order that no prefetcher knows. */
static uint32_t
shuffled(uint32_t i, uint32_t parts)
{
	return (i * (parts % 5 != 0 ? 5 : 7) + 3) % parts;
}

static uint32_t
at_most(uint64_t n)
{
	return n < RT_STATE_MOST ? (uint32_t)n : RT_STATE_MOST;
}

/* One line, or RUNNER_CHAIN of those from there on. */
static void
read_at(const struct row *r, uint64_t first, int chained, uint64_t secret, struct runner_lines *to)
{
	const char	*at[RUNNER_CHAIN];
	unsigned	 slot[RUNNER_CHAIN] = { 0 };

	if (chained)
		rt_gauge_choose(secret, RT_GAUGE_SLOTS, slot);
	for (unsigned n = 0; n < (chained ? RUNNER_CHAIN : 1); n++)
		at[n] = line_of(r, first + slot[n] * RT_GAUGE_STEP);
	rt_gauge_read(at, chained ? RUNNER_CHAIN : 1, secret, to);
}

/*
 * Lines of one reading and those to the next.  From memory it is a page: some processors bring more
 * lines of a region once two were read there.
 */
static uint64_t
span_of(const struct row *r)
{
	if (r->chains == 0)
		return PAGE_BYTES / r->timer->sets.line_bytes;
	return r->lines >= RT_STATE_SPAN ? RT_STATE_SPAN : RT_GAUGE_STEP;
}

static void
read_row(const struct row *r, struct runner_lines *to)
{
	const int	has_room = r->chains != 0 && r->lines >= RT_STATE_SPAN;
	const uint64_t	span = span_of(r);
	const uint32_t	parts = at_most((r->lines + (has_room ? 0 : span - 1)) / span);

	for (uint32_t i = 0; i < parts; i++)
		read_at(r, begin_of(r, shuffled(i, parts), parts, span),
		    has_room && i % r->chains == 0, r->secret + i, to);
}

/*
 * Chains separate inner caches.  From memory, prefetchers may bring their next lines: then each
 * line is read alone.  After a partial flush both are of use.
 */
static uint32_t
chains_for(const struct runner_run *run, enum runner_place place)
{
	if (place != RUNNER_COLD)
		return 1;
	return run->flush == RUNNER_FLUSH_LRU && !run->pollute ? 2 : 0;
}

static void
look_at(const struct rt_timer *t, const struct runner_run *run, const uint32_t *walk,
    enum runner_place place, struct runner_proof *to)
{
	for (uint32_t k = 0; k < t->sets.driver->rt_operands; k++) {
		struct row	r = { .timer = t, .live = &t->sets.live[k], .walk = walk,
				    .secret = chance(), .chains = chains_for(run, place) };

		if (run->place[k] != place)
			continue;
		r.lines = rt_lines(r.live, walk, t->sets.line_bytes);
		read_row(&r, &to->operand[k]);
	}
}

/* Inner ones first: reading moves lines in. */
static void
look_at_all(struct rt_timer *t, const struct runner_run *run, const uint32_t *walk)
{
	static const enum runner_place	order[] = {
		RUNNER_IN_L1, RUNNER_WARM, RUNNER_IN_L2, RUNNER_IN_L3, RUNNER_COLD,
	};

	for (unsigned i = 0; i < sizeof order / sizeof order[0]; i++)
		look_at(t, run, walk, order[i], &t->state.fresh);
}

static void
look_at_image(struct rt_timer *t)
{
	struct row	r = { .timer = t, .secret = chance(),
			    .lines = rt_image_lines(t->image, t->sets.line_bytes) };

	read_row(&r, &t->state.fresh.operand[0]);
}

void
rt_state_look(struct rt_timer *t, const struct runner_run *run, const uint32_t *walk)
{
	if (t->image != NULL)
		look_at_image(t);
	else
		look_at_all(t, run, walk != NULL ? &walk[chance() % run->calls] : NULL);
	rt_levels_read(t, t->state.fresh.known);
}

/* ---- what comes of it ---- */

static void
add(struct runner_lines *to, const struct runner_lines *from)
{
	for (unsigned i = 0; i < RUNNER_BINS; i++) {
		to->single[i] = (uint16_t)(to->single[i] + from->single[i]);
		to->chain[i] = (uint16_t)(to->chain[i] + from->chain[i]);
	}
}

void
rt_state_keep(struct rt_timer *t, struct runner_proof *to, int counts)
{
	struct runner_proof	*fresh = &t->state.fresh;

	for (uint32_t k = 0; counts && k < RUNNER_OPERANDS; k++)
		add(&to->operand[k], &fresh->operand[k]);
	for (uint32_t i = 0; counts && i < RUNNER_NLEVELS; i++)
		add(&to->known[i], &fresh->known[i]);
	to->proofs += counts != 0;
	memset(fresh->operand, 0, sizeof fresh->operand);
}
