/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "worker/bench/challenge.h"
#include "worker/runner/sample/fill.h"
#include "worker/runner/sample/flush.h"

#define PAGE_BYTES	4096u
#define LINE_BYTES	64u
#define OUTPUT_ALIGN	64u
#define FEW_DRAWN	64u		/* elements of an operand, and as many at the last moment */
#define ONE_OF		64u		/* but no more than one of so many */

static uint64_t
round_up(uint64_t n, uint64_t unit)
{
	return (n + unit - 1) / unit * unit;
}

/* As the operand's alignment has it: `align` past a multiple of `misalign` where there is one. */
static uint64_t
place(uint64_t from, const struct operand *o)
{
	uint64_t	unit = o->misalign != 0 ? o->misalign : o->align;

	unit = unit < LINE_BYTES ? LINE_BYTES : unit;
	return round_up(from, unit) + (o->misalign != 0 ? o->align : 0);
}

static void
set_fill(struct challenge_operand *c, const struct operand *o)
{
	const char	class = ctype_class(o->type);

	c->fill = (struct rt_operand){
		.rt_class = o->type == CTYPE_BOOL ? 'b' : class, .rt_init = 'r',
		.rt_bytes = (rt_u32)ctype_bytes(o->type),
		.rt_count = 1, .rt_stride = o->stride, .rt_low = o->init.min,
		.rt_high = o->init.max,
	};
	c->is_written = o->access != ACCESS_IN;
	c->is_read = o->access != ACCESS_OUT;
	c->touched = c->is_read && o->init.kind == INIT_RANDOM ?
	    (o->elements + o->stride - 1) / o->stride : 0;
}

const char *
challenge_make(struct challenge *c, const struct spec *s)
{
	memset(c, 0, sizeof *c);
	for (size_t i = 0; i < s->routine.nparams; i++) {
		const struct operand		*o = &s->args[i].operand;
		struct challenge_operand	*k = &c->operand[c->operands];

		if (!s->args[i].is_operand)
			continue;
		if (o->align > PAGE_BYTES || o->misalign > PAGE_BYTES)
			return "an operand is aligned beyond a page";
		k->at = place(c->bytes, o);
		k->bytes = o->elements * ctype_bytes(o->type);
		set_fill(k, o);
		c->bytes = k->at + k->bytes;
		c->varies |= k->touched > 0;
		c->operands++;
		if (c->bytes > CHALLENGE_MOST_BYTES)
			return "the operands are too large to be written anew for every call";
	}
	c->bytes = round_up(c->bytes, PAGE_BYTES);
	return c->varies ? NULL : "no input is random, so none can be drawn anew";
}

static uint64_t
few_of(uint64_t touched)
{
	uint64_t	n = (touched + ONE_OF - 1) / ONE_OF;

	return n < FEW_DRAWN ? n : FEW_DRAWN;
}

/*
 * Draw elements of each operand that may be, as many as all or few, at places and with values from
 * the seed.
 */
static void
draw(const struct challenge *c, char *area, bool all, uint64_t seed)
{
	for (size_t k = 0; k < c->operands; k++) {
		const struct challenge_operand	*o = &c->operand[k];
		struct rt_operand		 fill = o->fill;
		uint64_t			 n = all ? o->touched : few_of(o->touched);

		for (uint64_t i = 0; i < n; i++) {
			uint64_t	which = rt_number(seed + k,
					    i) % o->touched * fill.rt_stride;

			fill.rt_seed = rt_number(~seed - k, i);
			rt_fill(&fill, area + o->at + which * fill.rt_bytes);
		}
	}
}

/*
 * One time in four all of an operand, so that an answer computed before is of no use.  Else a few,
 * so that looking at some does not show that the rest is known.
 */
void
challenge_write(const struct challenge *c, char *area, const char *first, uint64_t seed)
{
	memcpy(area, first, c->bytes);
	for (size_t k = 0; k < c->operands; k++)
		if (!c->operand[k].is_read)
			memset(area + c->operand[k].at, (int)(0x80 | (rt_number(seed, k) & 0x7f)),
			    c->operand[k].bytes);
	draw(c, area, seed % CHALLENGE_KINDS == 0, seed);
}

void
challenge_flush(const struct challenge *c, char *area)
{
	struct rt_range	all = rt_range_of(area, c->bytes, 1, 1);

	rt_flush_lines(&all, LINE_BYTES);
}

void
challenge_finish(const struct challenge *c, char *area, uint64_t seed)
{
	draw(c, area, false, rt_number(seed, UINT64_MAX));
}

void
challenge_glance(const struct challenge *c, const char *area, uint64_t seed,
    struct challenge_glance *g)
{
	g->n = 0;
	for (size_t i = 0; i < CHALLENGE_GLANCES; i++) {
		uint64_t			 r = rt_number(~seed, i);
		const struct challenge_operand	*o = &c->operand[r % c->operands];

		if (!o->is_written || o->bytes == 0)
			continue;
		g->at[g->n] = o->at + (r >> 8) % o->bytes;
		g->byte[g->n] = ((const volatile char *)area)[g->at[g->n]];
		g->n++;
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
challenge_read(const struct challenge *c, const char *area, char *outputs)
{
	uint64_t	to = OUTPUT_ALIGN;

	for (size_t k = 0; k < c->operands; k++) {
		if (!c->operand[k].is_written)
			continue;
		memcpy(outputs + to, area + c->operand[k].at, c->operand[k].bytes);
		to = round_up(to + c->operand[k].bytes, OUTPUT_ALIGN);
	}
}
