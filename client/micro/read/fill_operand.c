/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of operands: registers, memory, immediates. */
#include <string.h>

#include "client/micro/read/fill.h"

/* An operand more in the instruction around the node. */
static enum status
add_slot(struct reading *r, struct open *o, enum slot_kind kind, struct slot **out,
    struct fault *why)
{
	struct pattern	*p = o->parent->object;

	if (p->nslots == PATTERN_SLOTS)
		return refuse(r, o, why, "the instruction has more than %d operands",
		    PATTERN_SLOTS);
	*out = &p->slots[p->nslots++];
	**out = (struct slot){ .kind = kind, .at = o->at, .multiplier = 1 };
	o->object = *out;
	return ST_OK;
}

/* ---- registers: of an instruction, of memory, of an induction ---- */

enum status
open_register(struct reading *r, struct open *o, struct fault *why)
{
	struct slot	*s;
	enum status	 st;

	switch (o->parent->node->id) {
	case NODE_MEMORY:
		o->object = &((struct slot *)o->parent->object)->base;
		break;
	case NODE_INDUCTION:
		o->object = &((struct induction *)o->parent->object)->reg;
		break;
	default:
		if ((st = add_slot(r, o, SLOT_REGISTER, &s, why)) != ST_OK)
			return st;
		o->object = &s->base;
	}
	((struct described *)o->object)->at = o->at;
	return ST_OK;
}

enum status
open_base(struct reading *r, struct open *o, struct fault *why)
{
	(void)r;
	(void)why;
	o->object = &((struct slot *)o->parent->object)->base;
	((struct described *)o->object)->at = o->at;
	return ST_OK;
}

enum status
open_index(struct reading *r, struct open *o, struct fault *why)
{
	(void)r;
	(void)why;
	o->object = &((struct slot *)o->parent->object)->index;
	((struct described *)o->object)->at = o->at;
	return ST_OK;
}

enum status
close_register(struct reading *r, struct open *o, struct fault *why)
{
	struct described	*d = o->object;

	if (d->logical == NULL && d->physical == NULL) {
		enum status	st = miss(r, o, "name", why);

		fault_hint(why, "r0 to r8 are the function's arguments; <phyName> names one of "
		    "the machine's");
		return st;
	}
	if (!d->numbers.has_min && !d->numbers.has_max)
		return ST_OK;
	d->numbers.is_given = true;
	d->numbers.progress = 1;
	if (!d->numbers.has_max)
		return miss(r, o, "max", why);
	if (d->numbers.min < 0 || d->numbers.min > d->numbers.max || d->numbers.max > 63)
		return refuse(r, o, why, "numbers from %lld to %lld are no registers",
		    (long long)d->numbers.min, (long long)d->numbers.max);
	return ST_OK;
}

/* A register has one name, and no more of it stands in one. */
static enum status
set_name(struct reading *r, struct open *o, const char **to, const char *extra, struct fault *why)
{
	const struct described	*d = o->parent->object;

	if (d->logical != NULL || d->physical != NULL)
		return refuse(r, o, why, "the register has a name already: %s", described_name(d));
	*to = o->text;
	return check_word(r, o, extra, why);
}

enum status
set_logical(struct reading *r, struct open *o, struct fault *why)
{
	return set_name(r, o, &((struct described *)o->parent->object)->logical, "", why);
}

enum status
set_physical(struct reading *r, struct open *o, struct fault *why)
{
	if (*o->text != '%')
		return refuse(r, o, why, "\"%s\" does not begin with %%", o->text);
	return set_name(r, o, &((struct described *)o->parent->object)->physical, "%", why);
}

/* ---- memory ---- */

enum status
open_memory(struct reading *r, struct open *o, struct fault *why)
{
	struct slot	*s;

	return add_slot(r, o, SLOT_MEMORY, &s, why);
}

enum status
open_indirect(struct reading *r, struct open *o, struct fault *why)
{
	struct slot	*s;

	return add_slot(r, o, SLOT_INDIRECT, &s, why);
}

enum status
close_memory(struct reading *r, struct open *o, struct fault *why)
{
	const struct slot	*s = o->object;
	const struct pattern	*p = o->parent->object;
	unsigned		 in_memory = 0;

	if (described_name(&s->base)[0] == '\0')
		return miss(r, o, s->kind == SLOT_MEMORY ? "register" : "base", why);
	if (s->kind == SLOT_INDIRECT && described_name(&s->index)[0] == '\0')
		return miss(r, o, "index", why);
	for (size_t i = 0; i < p->nslots; i++)
		in_memory += p->slots[i].kind == SLOT_MEMORY || p->slots[i].kind == SLOT_INDIRECT;
	if (in_memory > 1)
		return refuse(r, o, why, "the instruction has another operand in memory");
	return ST_OK;
}

enum status
set_offset(struct reading *r, struct open *o, struct fault *why)
{
	if (o->number < INT32_MIN || o->number > INT32_MAX)
		return refuse(r, o, why, "%s does not fit in 32 bits", o->text);
	((struct slot *)o->parent->object)->offset = o->number;
	return ST_OK;
}

enum status
set_multiplier(struct reading *r, struct open *o, struct fault *why)
{
	if (o->number != 1 && o->number != 2 && o->number != 4 && o->number != 8)
		return refuse(r, o, why, "%s is not 1, 2, 4 or 8", o->text);
	((struct slot *)o->parent->object)->multiplier = o->number;
	return ST_OK;
}

/* ---- immediates ---- */

enum status
open_immediate(struct reading *r, struct open *o, struct fault *why)
{
	struct slot	*s;
	enum status	 st;

	if (pattern_open_immediate(o->parent->object) != NULL)
		return refuse(r, o, why, "the instruction has another one that ranges");
	if ((st = add_slot(r, o, SLOT_IMMEDIATE, &s, why)) == ST_OK)
		s->values = range_of_one(0);
	return st;
}

enum status
close_immediate(struct reading *r, struct open *o, struct fault *why)
{
	struct slot	*s = o->object;
	struct range	*v = &s->values;
	const bool	 is_range = v->has_min || v->has_max || v->linked != NULL;

	v->at = o->at;
	if (s->has_value && is_range)
		return refuse(r, o, why, "it has a value and a range");
	if (s->has_value || v->linked != NULL) {
		v->is_given = v->linked != NULL || v->is_in_name;
		v->min = v->max = s->value;
		return ST_OK;
	}
	return close_range_of(r, o, v, INT64_MIN, INT64_MAX, why);
}

enum status
set_value(struct reading *r, struct open *o, struct fault *why)
{
	struct slot	*s = o->parent->object;

	(void)r;
	(void)why;
	s->value = o->number;
	s->has_value = true;
	return ST_OK;
}
