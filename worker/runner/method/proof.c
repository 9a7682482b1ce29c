/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/runner/method/proof.h"
#include "worker/runner/sample/fill.h"
#include "worker/runner/sample/ticks.h"

static volatile uint64_t	sink;

_Static_assert((int)RT_PROOF_LINES == (int)RT_SENTINEL_LINES, "its readings are the measure");

static uint64_t
chance(void)
{
	return rt_number(rt_ticks_start(), 0);
}

int
rt_proof_is_due(void)
{
	return chance() % RT_PROOF_CHANCE == 0;
}

/* ---- which lines ---- */

static uint64_t
lines_of_piece(const struct rt_range *r, uint32_t line_bytes)
{
	return (r->piece_bytes + line_bytes - 1) / line_bytes;
}

/* Pieces in one line count once each: the number is never too small. */
static uint64_t
lines_of(const struct rt_range *r, uint32_t line_bytes)
{
	return r->step_bytes < line_bytes ? r->pieces * r->step_bytes / line_bytes :
	    r->pieces * lines_of_piece(r, line_bytes);
}

static const char *
line_at(const struct rt_range *r, uint64_t n, uint32_t line_bytes)
{
	const uint64_t	in_piece = lines_of_piece(r, line_bytes);

	if (r->step_bytes < line_bytes)
		return r->at + n * line_bytes;
	return r->at + n / in_piece * r->step_bytes + n % in_piece * line_bytes;
}

static struct rt_range
part_for(const struct rt_live *l, const uint32_t *walk, int n)
{
	return rt_live_part(l, walk != NULL && l->far != NULL ? rt_live_far(l, *walk) : l->home, n);
}

struct search {
	const struct rt_timer	*timer;
	const struct runner_run	*run;
	const uint32_t		*walk;		/* its entry; NULL: at home */
	uint64_t		 wanted;	/* a line, if all cold operands lay in a row */
	const char		*at;		/* found there */
};

/* The lines of one operand, with `before` in front of it; and where the one wanted lies. */
static uint64_t
look_in(struct search *s, const struct rt_live *l, uint64_t before)
{
	const uint32_t	line_bytes = s->timer->sets.line_bytes;
	uint64_t	lines = 0;

	for (int part = 0; part < rt_live_parts(l); part++) {
		struct rt_range	r = part_for(l, s->walk, part);
		uint64_t	own = lines_of(&r, line_bytes);
		uint64_t	n = s->wanted - before - lines;	/* huge, if it lies before */

		if (n < own)
			s->at = line_at(&r, n, line_bytes);
		lines += own;
	}
	return lines;
}

/* Returns how many cold lines there are. */
static uint64_t
go_through(struct search *s)
{
	const struct rt_sets	*sets = &s->timer->sets;
	uint64_t		 lines = 0;

	for (uint32_t k = 0; k < sets->driver->rt_operands; k++)
		if (s->run->place[k] == RUNNER_COLD)
			lines += look_in(s, &sets->live[k], lines);
	return lines;
}

static uint64_t
count(struct search *s)
{
	s->wanted = UINT64_MAX;
	return go_through(s);
}

static uint32_t
number_of(uint64_t lines)
{
	const uint64_t	n = lines / RT_PROOF_STEP;

	return n > RT_PROOF_LINES ? RT_PROOF_LINES : n > 0 ? (uint32_t)n : lines > 0;
}

/*
 * One line in each of as many equal parts of them, from a beginning anywhere, in an order that no
 * prefetcher knows.
 */
static uint32_t
choose(struct search *s, const char *at[RT_PROOF_LINES])
{
	const uint64_t	all = count(s), secret = chance();
	const uint32_t	n = number_of(all);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t	part = n == RT_PROOF_LINES ? (5 * i + 3) % n : n - 1 - i;
		uint64_t	lines = all / n, gap = n > 1 ? RT_PROOF_STEP / 2 : 0;

		s->wanted = (rt_number(secret, n) % all + part * lines +
		    rt_number(secret, i) % (lines - gap)) % all;
		(void)go_through(s);
		at[i] = s->at;
	}
	return n;
}

/* ---- reading them ---- */

/*
 * For the processor, the next one's address depends on what was read: it reads none of them early.
 */
uint32_t
rt_proof_read(const char *const *at, uint32_t n)
{
	uint64_t	zero = 0, next = 0, began;
	uint32_t	took;

	__asm__ volatile("" : "+r"(zero));
	began = rt_ticks_start();
	for (uint32_t i = 0; i < n; i++)
		next = *(const volatile unsigned char *)(at[i] + next) & zero;
	took = rt_ticks_since(began);
	sink = next;
	return took;
}

static int
are_apart(uint32_t nearer, uint32_t farther)
{
	return 5 * (uint64_t)nearer < 4 * (uint64_t)farther;
}

uint32_t
rt_proof_found(const struct runner_sentinel *known, uint32_t lines, uint32_t ticks)
{
	const uint32_t	nearer = are_apart(known->near, known->far) ? known->near : known->hot;
	const uint64_t	far = (uint64_t)known->far * lines, near = (uint64_t)nearer * lines;
	const uint64_t	took = (uint64_t)ticks * RT_PROOF_LINES;
	uint64_t	found;

	if (!are_apart(nearer, known->far) || took >= far)
		return 0;
	found = (lines * (far - took) + (far - near) / 2) / (far - near);
	return found < lines ? (uint32_t)found : lines;
}

void
rt_proof_look(const struct rt_timer *t, const struct runner_run *run, const uint32_t *walk,
    struct runner_sample *out)
{
	struct search	 s = { .timer = t, .run = run,
			    .walk = walk != NULL ? &walk[chance() % run->calls] : NULL };
	const char	*at[RT_PROOF_LINES];
	uint32_t	 n = choose(&s, at);

	if (n == 0 || !are_apart(t->sentinel.known.hot, t->sentinel.known.far))
		return;
	out->found += rt_proof_found(&t->sentinel.known, n, rt_proof_read(at, n));
	out->proved += n;
}
