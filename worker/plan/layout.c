/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "worker/cache/digest.h"
#include "worker/plan/layout.h"
#include "worker/runner/sample/fill.h"

#define FORMAT	"assay layout 1"	/* part of every name: bump it when pads change */

static uint64_t
roll(struct dice *d, uint64_t below)
{
	return rt_number(d->seed, d->place++) % below;
}

/* An operand can be moved by multiples of this many bytes without breaking a promise. */
static uint32_t
unit_of(const struct operand *o)
{
	return (uint32_t)(o->misalign > o->align ? o->misalign : o->align);
}

static bool
has_movable_operand(const struct spec *s)
{
	for (size_t i = 0; i < s->routine.nparams; i++)
		if (s->args[i].is_operand && unit_of(&s->args[i].operand) < LAYOUT_PAGE_BYTES)
			return true;
	return false;
}

const char *
layout_stays(const struct job *j, enum layout_factor f)
{
	if (f == FACTOR_CODE && j->variant.language == LANG_SHARED)
		return "a shared object is linked already";
	if (f == FACTOR_OPERANDS && !has_movable_operand(&j->spec))
		return "there is no operand, or none may leave the start of its page";
	return NULL;
}

/* Each operand somewhere in a page; `least` 1: elsewhere than usual. */
static void
move_operands(struct layout *l, const struct spec *s, struct dice *d, uint32_t least)
{
	uint32_t	k = 0;

	for (size_t i = 0; i < s->routine.nparams; i++) {
		uint32_t	unit, places;

		if (!s->args[i].is_operand)
			continue;
		unit = unit_of(&s->args[i].operand);
		places = unit < LAYOUT_PAGE_BYTES ? LAYOUT_PAGE_BYTES / unit : 1;
		l->shift[k++] = places > least ?
		    unit * (least + (uint32_t)roll(d, places - least)) : 0;
	}
}

uint32_t
layout_stack(struct dice *d)
{
	return LAYOUT_STACK_STEP * (uint32_t)roll(d, LAYOUT_PAGE_BYTES / LAYOUT_STACK_STEP);
}

static void
move_stack(struct layout *l, struct dice *d, uint32_t least)
{
	const uint32_t	places = LAYOUT_PAGE_BYTES / LAYOUT_STACK_STEP;

	l->stack_offset = LAYOUT_STACK_STEP * (least + (uint32_t)roll(d, places - least));
}

/* The n-th start of the code other than the default, the farthest first. */
static unsigned
nth_pad(unsigned n)
{
	static const unsigned	order[LAYOUT_PADS - 1] = { 2, 1, 3 };

	return order[n % (LAYOUT_PADS - 1)];
}

static void
move_all(struct layout *l, const struct job *j, struct dice *d, unsigned pad)
{
	l->varied = FACTOR_ALL;
	l->pad = layout_stays(j, FACTOR_CODE) == NULL ? pad % LAYOUT_PADS : 0;
	move_operands(l, &j->spec, d, 0);
	move_stack(l, d, 0);
}

/*
 * The factor of a point of a sweep.  Code has few starts, and when all were had the point varies
 * all.
 */
static enum layout_factor
factor_at(const struct job *j, unsigned point, unsigned code_points)
{
	static const enum layout_factor	turns[] = {
		FACTOR_CODE, FACTOR_OPERANDS, FACTOR_STACK, FACTOR_CODE, FACTOR_OPERANDS,
		    FACTOR_STACK, FACTOR_ALL,
	};
	enum layout_factor		f = turns[(point - 1) % (sizeof turns / sizeof turns[0])];

	if (j->spec.timing.layouts == 2 || (f == FACTOR_CODE && code_points == LAYOUT_PADS - 1))
		return FACTOR_ALL;
	return layout_stays(j, f) == NULL ? f : FACTOR_STACK;
}

void
layout_points(struct layout *out, const struct job *j)
{
	const struct timing	*t = &j->spec.timing;
	unsigned		 code_points = 0;

	memset(out, 0, t->layouts * sizeof *out);
	for (unsigned i = t->layout == LAYOUT_SWEEP; i < t->layouts; i++) {
		struct dice		 d = { t->layout_seed, (uint64_t)i << 16 };
		struct layout		*l = &out[i];

		l->varied = t->layout == LAYOUT_SWEEP ? factor_at(j, i, code_points) : FACTOR_ALL;
		if (l->varied == FACTOR_CODE)
			l->pad = nth_pad(code_points++);
		else if (l->varied == FACTOR_OPERANDS)
			move_operands(l, &j->spec, &d, 1);
		else if (l->varied == FACTOR_STACK)
			move_stack(l, &d, 1);
		else
			move_all(l, j, &d, i + (unsigned)rt_number(t->layout_seed,
			    0) % LAYOUT_PADS);
	}
}

bool
layout_needs_pad(const struct job *j, unsigned pad)
{
	struct layout	points[SPEC_MAX_LAYOUTS];

	if (j->spec.timing.layout == LAYOUT_FIXED)
		return false;
	layout_points(points, j);
	for (unsigned i = 0; i < j->spec.timing.layouts; i++)
		if (points[i].pad == pad)
			return true;
	return false;
}

enum status
layout_artifact(const struct hash *variant, unsigned pad, struct hash *name)
{
	const char	 number[] = { (char)('0' + pad), '\0' };
	struct digest	*d;
	enum status	 st;

	if ((st = digest_new(&d, NULL)) != ST_OK)
		return st;
	digest_text(d, FORMAT);
	digest_text(d, variant->hex);
	digest_text(d, number);
	return digest_end(d, name) == ST_OK ? ST_OK : ST_INTERNAL;
}

const char *
layout_factor_name(enum layout_factor f)
{
	static const char *const	names[FACTOR_N] = { "none", "code", "operands",
	    "stack", "all" };

	return names[f];
}
