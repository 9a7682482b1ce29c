/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/evidence/conflict.h"

#define DEFAULT_L1	((uint64_t)32 << 10)	/* where the machine does not say */
#define DEFAULT_WAYS	8u
#define DEFAULT_LINE	64u
#define PAGE_BYTES	4096u
#define FEW_PARTS	8u	/* an eighth of the sets is few */

struct cache {
	uint64_t	 line_bytes, sets, ways;
};

static struct cache
innermost(const struct slot *slot)
{
	struct cache	c = { slot->line_bytes != 0 ? slot->line_bytes : DEFAULT_LINE, 0,
			    slot->l1_ways > 0 ? slot->l1_ways : DEFAULT_WAYS };

	c.sets = (slot->l1_bytes != 0 ? slot->l1_bytes : DEFAULT_L1) / (c.line_bytes * c.ways);
	c.sets = c.sets != 0 ? c.sets : 1;
	return c;
}

static uint64_t
common_divisor(uint64_t a, uint64_t b)
{
	while (b != 0) {
		uint64_t	rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Lines so far apart come round to their first set after as many of them. */
static uint64_t
sets_met(const struct cache *c, uint64_t stride_bytes)
{
	const uint64_t	around = c->sets * c->line_bytes;
	const uint64_t	places = around / common_divisor(around, stride_bytes);

	return places < c->sets ? places : c->sets;
}

static bool
is_risky(const struct cache *c, uint64_t stride_bytes, uint64_t lines, uint64_t sets)
{
	if (lines <= sets * c->ways)
		return false;
	return stride_bytes % PAGE_BYTES == 0 || sets * FEW_PARTS <= c->sets;
}

/* The worst has the most lines for each place. */
static void
consider(const struct cache *c, uint64_t stride_bytes, uint64_t lines, struct conflict *worst)
{
	const uint64_t	sets = sets_met(c, stride_bytes);

	if (is_risky(c, stride_bytes, lines, sets) &&
	    (worst->lines == 0 || lines * worst->sets > worst->lines * sets))
		*worst = (struct conflict){ stride_bytes, lines, sets, c->sets, c->ways };
}

bool
conflict_find(const struct operand *o, const struct slot *slot, struct conflict *worst)
{
	const struct cache	c = innermost(slot);
	const uint64_t		element = spec_element_bytes(o);
	uint64_t		inner = element, outer = element;

	*worst = (struct conflict){ .lines = 0 };
	if (o->stride > 1)
		consider(&c, o->stride * element, (o->elements + o->stride - 1) / o->stride, worst);
	for (size_t d = 0; d < o->ndims; d++) {
		const size_t	last = o->ndims - 1 - d;

		if (d > 0) {		/* the next row; the next column */
			consider(&c, inner, o->size[last], worst);
			consider(&c, outer, o->size[d], worst);
		}
		inner *= o->size[last];
		outer *= o->size[d];
	}
	return worst->lines != 0;
}

bool
conflict_report(const struct spec *s, const struct slot *slot, struct shape_list *out)
{
	struct conflict_report	*each;
	struct conflict		 c;
	size_t			 n = 0;

	if (!shape_list_make(out, s->routine.nparams, sizeof *each))
		return false;
	each = out->at;
	for (size_t i = 0; i < s->routine.nparams; i++)
		if (s->args[i].is_operand && conflict_find(&s->args[i].operand, slot, &c))
			each[n++] = (struct conflict_report){ s->routine.params[i].name,
			    c.stride_bytes, c.lines, c.sets, c.of_sets, c.ways };
	out->n = n;
	return true;
}
