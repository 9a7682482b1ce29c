/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proto/spec/spec_parts.h"
#include "proto/spec/words.h"

/* What an operand's members are decoded into, and against. */
struct place {
	struct spec			*spec;
	size_t				 index;		/* of the argument */
	const struct proto_param	*param;
	struct operand			*operand;
};

static enum status
decode_type(void *out, const struct node *n, struct fault *why)
{
	struct place	*p = out;
	const char	*text = json_string_value(n->value);
	enum status	 st;

	if (text == NULL)
		return decode_refuse(n, NULL, why, "must be a string that names a C type");
	if ((st = ctype_parse(&p->operand->type, text, why)) != ST_OK)
		return (void)decode_place(n, why), st;
	if (p->operand->type == CTYPE_VOID)
		return decode_refuse(n, NULL, why, "an operand has no elements of type void");
	if (p->param->type == CTYPE_VOID || p->param->type == p->operand->type)
		return ST_OK;
	st = decode_refuse(n, NULL, why, "is %s, but the routine takes a pointer to %s", ctype_name(p->operand->type),
	    ctype_name(p->param->type));
	fault_hint(why, "leave it out: the prototype says it");
	return st;
}

/* --- size --- */

static enum status
decode_dim(struct place *p, const struct node *n, struct fault *why)
{
	struct operand	*o = p->operand;
	struct expr	**e = &o->dims[o->ndims];
	struct value	 v;
	int64_t		 dim;
	enum status	 st;

	if ((st = spec_decode_expr(n, e, why)) != ST_OK)
		return st;
	o->ndims++;
	if ((st = spec_eval(p->spec, n, *e, &v, why)) != ST_OK)
		return st;
	if (!spec_whole(&v, &dim))
		return decode_refuse(n, NULL, why, "is %g; a dimension is a whole number", value_real(&v));
	if (dim < 1)
		return decode_refuse(n, NULL, why, "is %" PRId64 "; a dimension is at least 1", dim);
	if (__builtin_mul_overflow(o->elements, (size_t)dim, &o->elements))
		return decode_refuse(n->up, NULL, why, "the operand is far too large");
	return ST_OK;
}

/* Bytes of the operands before this one: all of a working set must fit. */
static size_t
bytes_before(const struct place *p)
{
	size_t	sum = 0;

	for (size_t i = 0; i < p->index; i++)
		if (p->spec->args[i].is_operand)
			sum += p->spec->args[i].operand.elements * ctype_bytes(p->spec->args[i].operand.type);
	return sum;
}

static enum status
decode_dims(void *out, const struct node *n, struct fault *why)
{
	struct place	*p = out;
	size_t		 count = json_array_size(n->value), bytes, room = SPEC_MAX_OPERAND_BYTES - bytes_before(p);
	enum status	 st;

	if (!json_is_array(n->value) || count < 1 || count > SPEC_MAX_DIMS)
		return decode_refuse(n, NULL, why, "must be an array of 1 to %d sizes", SPEC_MAX_DIMS);
	p->operand->elements = 1;
	for (size_t i = 0; i < count; i++) {
		struct node	dim = decode_element(n, i);

		if ((st = decode_dim(p, &dim, why)) != ST_OK)
			return st;
	}
	if (__builtin_mul_overflow(p->operand->elements, ctype_bytes(p->operand->type), &bytes) || bytes > room)
		return decode_refuse(n, NULL, why,
		    "%zu elements of %s: all operands together may have %zu bytes, %zu are left",
		    p->operand->elements, ctype_name(p->operand->type), SPEC_MAX_OPERAND_BYTES, room);
	return ST_OK;
}

/* --- where and how it lies --- */

static enum status
decode_access(void *out, const struct node *n, struct fault *why)
{
	struct place	*p = out;
	enum status	 st = decode_enum(n, words_access, &p->operand->access, why);

	if (st != ST_OK || p->operand->access == ACCESS_IN || !p->param->is_const)
		return st;
	return decode_refuse(n, NULL, why, "is \"%s\", but the prototype says const: the routine cannot write it",
	    words_access[p->operand->access]);
}

static enum status
decode_power_of_two(const struct node *n, uint64_t min, uint64_t max, size_t *out, struct fault *why)
{
	uint64_t	v;
	enum status	st;

	if ((st = decode_size(n, min, max, &v, why)) != ST_OK)
		return st;
	if ((v & (v - 1)) != 0)
		return decode_refuse(n, NULL, why, "is %" PRIu64 ", which is not a power of two", v);
	*out = v;
	return ST_OK;
}

static size_t
natural_alignment(enum ctype t)
{
	return ctype_class(t) == 'c' ? ctype_bytes(t) / 2 : ctype_bytes(t);
}

static enum status
decode_align(void *out, const struct node *n, struct fault *why)
{
	struct place	*p = out;
	struct operand	*o = p->operand;
	enum status	 st;

	if ((st = decode_power_of_two(n, 1, SPEC_MAX_ALIGN, &o->align, why)) != ST_OK)
		return st;
	if (o->align >= natural_alignment(o->type))
		return ST_OK;
	return decode_refuse(n, NULL, why, "is %zu, but %s itself wants %zu", o->align, ctype_name(o->type),
	    natural_alignment(o->type));
}

static enum status
decode_misalign(void *out, const struct node *n, struct fault *why)
{
	struct place	*p = out;
	struct operand	*o = p->operand;
	enum status	 st;

	if ((st = decode_power_of_two(n, 2, SPEC_MAX_MISALIGN, &o->misalign, why)) != ST_OK)
		return st;
	if (o->misalign > o->align)
		return ST_OK;
	st = decode_refuse(n, NULL, why, "is %zu: an address aligned to %zu is always a multiple of it", o->misalign,
	    o->align);
	fault_hint(why, "choose a power of two above align");
	return st;
}

static enum status
decode_stride(void *out, const struct node *n, struct fault *why)
{
	struct place	*p = out;
	uint64_t	 stride = 1;
	enum status	 st = decode_size(n, 1, SPEC_MAX_STRIDE, &stride, why);

	p->operand->stride = stride;
	return st;
}

static enum status
decode_cache(void *out, const struct node *n, struct fault *why)
{
	struct place	*p = out;

	return decode_enum(n, words_cache, &p->operand->cache, why);
}

static enum status
decode_operand_init(void *out, const struct node *n, struct fault *why)
{
	struct place	*p = out;

	return spec_decode_init(p->spec, p->index, n, why);
}

enum status
spec_decode_operand(struct spec *s, size_t index, const struct node *n, struct fault *why)
{
	static const struct member	members[] = {
		{ "type", decode_type, false },			/* the others need it */
		{ "dims", decode_dims, true },
		{ "init", decode_operand_init, false },
		{ "access", decode_access, false },
		{ "align", decode_align, false },
		{ "misalign", decode_misalign, false },		/* after align */
		{ "stride", decode_stride, false },
		{ "cache", decode_cache, false },
		{ NULL, NULL, false }
	};
	struct operand	*o = &s->args[index].operand;
	struct place	 p = { s, index, &s->routine.params[index], o };
	struct node	 init = { .up = n, .name = "init" };
	enum status	 st;

	o->type = p.param->type;
	o->access = p.param->is_const ? ACCESS_IN : ACCESS_INOUT;
	o->align = 64;
	o->stride = 1;
	o->cache = s->context == CONTEXT_WARM ? CACHE_WARM : CACHE_COLD;
	if (o->type == CTYPE_VOID && json_object_get(n->value, "type") == NULL)
		return decode_refuse(n, "type", why, "is missing: the routine takes void *, which says nothing");
	if ((st = decode_members(n, members, &p, why)) != ST_OK || json_object_get(n->value, "init") != NULL)
		return st;
	return spec_decode_init(s, index, &init, why);
}
