/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "worker/bench/challenge.h"
#include "worker/runner/sample/fill.h"
#include "worker/runner/sample/rt.h"

#define PAGE_BYTES	4096u
#define LINE_BYTES	64u
#define OUTPUT_ALIGN	64u

static uint64_t
round_up(uint64_t n, uint64_t unit)
{
	return (n + unit - 1) / unit * unit;
}

static uint64_t
largest(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static struct challenge_operand
operand_of(const struct operand *o)
{
	struct challenge_operand	k = { .bytes = o->elements * spec_element_bytes(o) };

	k.unit = largest(LINE_BYTES, largest(o->align, o->misalign));
	k.unit = k.bytes >= PAGE_BYTES ? largest(k.unit, PAGE_BYTES) : k.unit;
	k.is_written = o->access != ACCESS_IN;
	return k;
}

/* Random numbers, permutations and texts are drawn anew. */
static bool
is_drawn(const struct operand *o)
{
	return o->access != ACCESS_OUT && spec_is_random(o);
}

/* One that is only read could be prepared once, before anything is timed. */
static bool
is_stale(const struct operand *o)
{
	return o->access == ACCESS_IN && !is_drawn(o) &&
	    o->elements * spec_element_bytes(o) > CHALLENGE_STALE_BYTES;
}

const char *
challenge_make(struct challenge *c, const struct spec *s)
{
	bool	varies = false;

	memset(c, 0, sizeof *c);
	c->unit = LINE_BYTES;
	for (size_t i = 0; i < s->routine.nparams; i++) {
		const struct operand		*o = &s->args[i].operand;
		struct challenge_operand	*k = &c->operand[c->operands];

		if (!s->args[i].is_operand)
			continue;
		if (is_drawn(o) && spec_is_slow_to_draw(o))
			return "an ordered operand or text is too large to be drawn anew";
		if (o->align > PAGE_BYTES || o->misalign > PAGE_BYTES)
			return "an operand is aligned beyond a page";
		*k = operand_of(o);
		c->unit = largest(c->unit, k->unit);
		c->bytes += k->bytes + k->unit;
		varies |= is_drawn(o);
		if (is_stale(o))
			c->stale = s->routine.params[i].name;
		c->operands++;
		if (c->bytes > CHALLENGE_MOST_BYTES)
			return "the operands are too large to be written anew for every call";
	}
	c->bytes = round_up(c->bytes, c->unit);
	return varies ? NULL : "no input is random, so none can be drawn anew";
}

uint32_t
challenge_most_calls(const struct challenge *c)
{
	uint64_t	n = CHALLENGE_AREA_BYTES / c->bytes;

	n = n > RUNNER_BATCH ? RUNNER_BATCH : n;
	return n == 0 ? 1 : (uint32_t)n;
}

uint64_t
challenge_area_bytes(const struct challenge *c)
{
	return RUNNER_SETS_AT + challenge_most_calls(c) * c->bytes;
}

struct runner_challenge
challenge_lay(const struct challenge *c, const uint64_t *home, uint32_t calls)
{
	struct runner_challenge	l = { .calls = calls };

	for (size_t k = 0; k < c->operands; k++) {
		const struct challenge_operand	*o = &c->operand[k];

		l.at[k] = round_up(l.set_bytes, o->unit) + home[k] % o->unit;
		if (l.at[k] >= l.set_bytes + o->unit)
			l.at[k] -= o->unit;
		l.set_bytes = l.at[k] + o->bytes;
	}
	l.set_bytes = round_up(l.set_bytes, c->unit);
	return l;
}

static void
look_at(struct challenge_glance *g, const char *area, uint64_t at)
{
	g->at[g->n] = at;
	g->byte[g->n] = ((const volatile char *)area)[at];
	g->n++;
}

void
challenge_glance(const struct challenge *c, const struct runner_challenge *l, const char *area,
    uint64_t seed, struct challenge_glance *g)
{
	g->n = 0;
	for (uint64_t i = 0; i < RT_MAX_RESULT; i++)
		look_at(g, area, (l->calls - 1) * RT_MAX_RESULT + i);
	for (uint64_t i = 0; g->n < CHALLENGE_GLANCES && i < CHALLENGE_GLANCES; i++) {
		uint64_t			 r = rt_number(~seed, i);
		size_t				 k = r % c->operands;
		const struct challenge_operand	*o = &c->operand[k];

		if (o->is_written && o->bytes != 0)
			look_at(g, area, RUNNER_SETS_AT + (r >> 8) % l->calls * l->set_bytes +
			    l->at[k] + (r >> 24) % o->bytes);
	}
}

bool
challenge_glance_holds(const struct challenge_glance *g, const char *area)
{
	for (size_t i = 0; i < g->n; i++)
		if (((const volatile char *)area)[g->at[i]] != g->byte[i])
			return false;
	return true;
}

void
challenge_read(const struct challenge *c, const struct runner_challenge *l, const char *set,
    char *outputs)
{
	uint64_t	to = OUTPUT_ALIGN;

	for (size_t k = 0; k < c->operands; k++) {
		if (!c->operand[k].is_written)
			continue;
		memcpy(outputs + to, set + l->at[k], c->operand[k].bytes);
		to = round_up(to + c->operand[k].bytes, OUTPUT_ALIGN);
	}
}
