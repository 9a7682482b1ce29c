/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "worker/runner/sample/fill.h"
#include "worker/runner/sample/inputs.h"
#include "worker/runner/sample/memalign.h"
#include "worker/runner/sample/sets.h"

int
rt_live_is_written(const struct rt_live *l)
{
	return l->operand->rt_access != 'i';
}

int
rt_live_is_own(const struct rt_live *l)
{
	return l->is_own || rt_live_is_written(l);
}

int
rt_live_parts(const struct rt_live *l)
{
	return l->twin_bytes != 0 ? 2 : 1;
}

struct rt_range
rt_live_part(const struct rt_live *l, char *at, int n)
{
	return rt_range_of(at + (n != 0 ? l->twin_bytes : 0), l->operand->rt_count,
	    l->operand->rt_bytes, l->operand->rt_stride);
}

char *
rt_live_far(const struct rt_live *l, uint32_t entry)
{
	return l->far + (entry & ~RT_TURNED) * l->step_bytes;
}

/* ---- the home set ---- */

/* Bytes from one copy of an operand to the next, as aligned as itself. */
static uint64_t
step_of(const struct rt_live *l, uint32_t line_bytes)
{
	uint64_t	unit = line_bytes;

	if (unit < l->operand->rt_align)
		unit = l->operand->rt_align;
	if (unit < l->operand->rt_misalign)
		unit = l->operand->rt_misalign;
	return (l->bytes + unit - 1) / unit * unit;
}

/*
 * For one set or many: an area as long as they and the operand's shift, of which they take the
 * lower part.
 */
static char *
shifted_area(const struct rt_live *l, uint64_t bytes, int is_home)
{
	const struct rt_operand	*o = l->operand;
	const struct rt_memory	 in = { .piece_bytes = l->bytes, .pages = o->rt_pages,
	    .node = l->node, .offset = l->offset, .area = is_home ? o->rt_home : NULL,
	    .area_bytes = o->rt_home_bytes };

	return rt_memalign_in(&in, bytes + l->shift, o->rt_align, o->rt_misalign);
}

/*
 * Written back: lines that a child reads for the first time come from memory, and are clean.  From
 * a shared cache they could come dirty.
 */
static void
fill_first(struct rt_live *l, uint32_t line_bytes)
{
	const struct rt_range	 all = { l->first, 1, l->bytes, l->bytes };

	const struct rt_operand	*o = l->operand;

	rt_memalign_bring_in(l->first, l->bytes);
	rt_fill(o, l->first);
	if (l->twin_bytes != 0)
		rt_fill_negated(o, l->first + l->twin_bytes, l->first);
	l->census = (struct runner_census){ .finite = 0 };
	rt_census(o->rt_class, o->rt_bytes, l->first, o->rt_count, o->rt_stride, &l->census);
	rt_flush_lines(&all, line_bytes);
}

/* An operand whose pages are shared has its first contents there. */
static const char *
make_home(struct rt_live *l, uint32_t line_bytes)
{
	if ((l->home = shifted_area(l, l->bytes, 1)) == NULL)
		return "no memory for an operand";
	if (l->operand->rt_access == 'i' && rt_inputs_vary(l->operand) &&
	    (l->drawn = shifted_area(l, l->bytes, 0)) == NULL)
		return "no memory for inputs that are drawn anew";
	if (l->first != NULL)
		return NULL;
	l->first = rt_live_is_own(l) ? rt_memalign(l->bytes, l->operand->rt_align, 0) : l->home;
	if (l->first == NULL)
		return "no memory for an operand's first contents";
	fill_first(l, line_bytes);
	return NULL;
}

static const char *
make_live(struct rt_live *l, const struct rt_operand *o, uint32_t line_bytes)
{
	l->operand = o;
	l->offset = o->rt_offset;
	l->node = -1;
	if (__builtin_mul_overflow(o->rt_count, (uint64_t)o->rt_bytes, &l->bytes))
		return "an operand is larger than the address space";
	if (o->rt_paired) {
		l->twin_bytes = step_of(l, line_bytes);
		l->bytes += l->twin_bytes;
	}
	return make_home(l, line_bytes);
}

const char *
rt_sets_make(struct rt_sets *s, const struct rt_driver *d, uint32_t line_bytes)
{
	const char	*why = NULL;

	memset(s, 0, sizeof *s);
	s->driver = d;
	s->line_bytes = line_bytes;
	for (uint32_t k = 0; k < d->rt_operands && why == NULL; k++)
		why = make_live(&s->live[k], &d->rt_operand[k], line_bytes);
	return why;
}

/* ---- the far sets ---- */

static void
free_far(struct rt_sets *s)
{
	for (uint32_t k = 0; k < RT_MAX_OPERANDS; k++) {
		rt_memalign_free(s->live[k].far);
		s->live[k].far = NULL;
	}
	rt_walk_free(&s->walk);
	free(s->seen);
	s->seen = NULL;
	s->sets = s->moving = 0;
	memset(s->inputs, 0, sizeof s->inputs);
}

/*
 * The area consists of whole sets: no call ever gets a shorter one (section 4).  Its pages are as
 * small as the home set's, or each set would come with fewer translations to look up.
 */
static const char *
make_far_area(struct rt_live *l, uint64_t sets, uint32_t line_bytes)
{
	uint64_t	bytes;

	l->step_bytes = step_of(l, line_bytes);
	if (__builtin_mul_overflow(l->step_bytes, sets - 1, &bytes) ||
	    __builtin_add_overflow(bytes, l->bytes, &bytes))
		return "the working sets are larger than the address space";
	if ((l->far = shifted_area(l, bytes, 0)) == NULL)
		return "no memory for the working sets";
	if (!rt_live_is_own(l))		/* else the child's, which fills it */
		rt_memalign_bring_in(l->far, bytes);
	return NULL;
}

void
rt_sets_put_far(const struct rt_sets *s, uint32_t k, uint32_t entry)
{
	const struct rt_live	*l = &s->live[k];
	const uint32_t		 set = entry & ~RT_TURNED;

	if (s->inputs[k] != 0 && set % s->inputs[k] != 0)
		rt_inputs_put(l, set % s->inputs[k], rt_live_far(l, entry));
	else
		memcpy(rt_live_far(l, entry), l->first, l->bytes);
}

/*
 * From the last set to the first: a walk begins with sets that are the longest out of cache
 * (section 4).
 */
void
rt_sets_fill_far(struct rt_sets *s, int own)
{
	for (uint64_t n = s->sets; n-- > 0;)
		for (uint32_t k = 0; k < s->driver->rt_operands; k++) {
			struct rt_live	*l = &s->live[k];

			if (l->far != NULL && rt_live_is_own(l) == own)
				rt_sets_put_far(s, k, (uint32_t)n);
		}
}

static const char *
make_far(struct rt_sets *s)
{
	const char	*why = NULL;

	for (uint32_t k = 0; k < s->driver->rt_operands && why == NULL; k++)
		if (s->moving >> k & 1)
			why = make_far_area(&s->live[k], s->sets, s->line_bytes);
	if (why == NULL)
		why = rt_walk_make(&s->walk, s->sets, s->driver->rt_turn != NULL ? RT_TURNED : 0);
	return why;
}

const char *
rt_sets_make_far(struct rt_sets *s, uint64_t sets, uint64_t moving, const uint16_t *inputs)
{
	static const uint16_t	 none[RT_MAX_OPERANDS];
	uint16_t		 wanted[RT_MAX_OPERANDS];
	const char		*why;

	memcpy(wanted, inputs != NULL ? inputs : none, sizeof wanted);
	if (sets == s->sets && moving == s->moving &&
	    memcmp(wanted, s->inputs, sizeof wanted) == 0)
		return NULL;
	free_far(s);
	if (sets == 0 || sets > RT_TURNED)
		return sets == 0 ? NULL : "too many working sets";
	s->sets = sets;
	s->moving = moving;
	memcpy(s->inputs, wanted, sizeof s->inputs);
	if ((why = make_far(s)) != NULL) {
		free_far(s);
		return why;
	}
	rt_sets_fill_far(s, 0);
	return NULL;
}

/* First contents stay only where they lie apart. */
static void
free_first(struct rt_live *l)
{
	if (l->first != l->home)
		rt_memalign_free(l->first);
	l->first = NULL;
}

struct place {
	uint32_t	 shift;
	uint64_t	 offset;
	int		 node, is_own;
};

static struct place
place_of(const struct rt_live *l, const struct rt_places *p, uint32_t k)
{
	return (struct place){
		.shift = p->shift[k],
		.offset = p->offset != NULL ? p->offset[k] : l->operand->rt_offset,
		.node = p->node != NULL ? p->node[k] : -1,
		.is_own = (p->own >> k & 1) && !rt_live_is_written(l),
	};
}

static int
is_there(const struct rt_live *l, const struct place *p)
{
	return p->shift == l->shift && p->offset == l->offset && p->node == l->node &&
	    p->is_own == l->is_own && l->home != NULL;
}

static const char *
lay_home(struct rt_live *l, const struct place *p, uint32_t line_bytes)
{
	if (l->is_own != p->is_own || l->first == l->home)
		free_first(l);
	rt_memalign_free(l->home);
	rt_memalign_free(l->drawn);
	l->home = l->drawn = NULL;
	l->shift = p->shift;
	l->offset = p->offset;
	l->node = p->node;
	l->is_own = p->is_own;
	return make_home(l, line_bytes);
}

const char *
rt_sets_lay(struct rt_sets *s, const struct rt_places *places)
{
	const struct rt_sets	 before = *s;
	const char		*why = NULL;
	int			 moved = 0;

	for (uint32_t k = 0; k < s->driver->rt_operands && why == NULL; k++) {
		struct rt_live		*l = &s->live[k];
		const struct place	 p = place_of(l, places, k);

		if (p.shift > RT_MAX_SHIFT)
			return "an operand would be too far from its place";
		if (is_there(l, &p))
			continue;
		moved = 1;
		why = lay_home(l, &p, s->line_bytes);
	}
	if (!moved || why != NULL || before.sets == 0)
		return why;
	free_far(s);
	return rt_sets_make_far(s, before.sets, before.moving, before.inputs);
}

void
rt_sets_release(struct rt_sets *s)
{
	free_far(s);
	for (uint32_t k = 0; k < RT_MAX_OPERANDS; k++) {
		free_first(&s->live[k]);
		rt_memalign_free(s->live[k].home);
		rt_memalign_free(s->live[k].drawn);
	}
	memset(s, 0, sizeof *s);
}

/* ---- where they are ---- */

void
rt_sets_home(const struct rt_sets *s, void **at)
{
	for (uint32_t k = 0; k < s->driver->rt_operands; k++) {
		const struct rt_live	*l = &s->live[k];

		at[k] = l->home;
		if (l->twin_bytes != 0)
			at[s->driver->rt_operands] = l->home + l->twin_bytes;
	}
}

void
rt_sets_far(const struct rt_sets *s, void **at, uint64_t *step)
{
	for (uint32_t k = 0; k < s->driver->rt_operands; k++) {
		const struct rt_live	*l = &s->live[k];
		char			*to = l->far != NULL ? l->far : l->home;

		at[k] = to;
		step[k] = l->far != NULL ? l->step_bytes : 0;
		if (l->twin_bytes != 0)
			at[s->driver->rt_operands] = to + l->twin_bytes;
	}
}
