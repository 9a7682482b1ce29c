/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/runner/method/lines.h"
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

struct search {
	const struct rt_timer	*timer;
	const struct runner_run	*run;
	const uint32_t		*walk;		/* its entry; NULL: at home */
	uint64_t		 wanted;	/* a line, if all cold operands lay in a row */
	const char		*at;		/* found there */
};

/* Returns how many cold lines there are. */
static uint64_t
go_through(struct search *s)
{
	const struct rt_sets	*sets = &s->timer->sets;
	uint64_t		 lines = 0;

	for (uint32_t k = 0; k < sets->driver->rt_operands; k++) {
		uint64_t	own, n = s->wanted - lines;	/* huge, if it lies before */

		if (s->run->place[k] != RUNNER_COLD)
			continue;
		own = rt_lines(&sets->live[k], s->walk, sets->line_bytes);
		if (n < own)
			s->at = rt_line(&sets->live[k], s->walk, sets->line_bytes, n);
		lines += own;
	}
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
