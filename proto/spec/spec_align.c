/* SPDX-License-Identifier: Apache-2.0 */
/* The address of an operand: align, misalign, offset; each an expression of bytes. */
#include <inttypes.h>

#include "proto/spec/spec_parts.h"

static enum status
eval_whole(const struct place *p, const struct node *n, int64_t *out, struct fault *why)
{
	struct expr	*e = NULL;
	struct value	 v;
	enum status	 st;

	if ((st = spec_decode_expr(n, &e, why)) == ST_OK)
		st = spec_eval(p->spec, n, e, &v, why);
	expr_free(e);
	if (st != ST_OK)
		return st;
	if (!spec_whole(&v, out))
		return decode_refuse(n, NULL, why, "is %g; a number of bytes is whole",
		    value_real(&v));
	return ST_OK;
}

static enum status
eval_power_of_2(const struct place *p, const struct node *n, int64_t least, int64_t most,
    size_t *out, struct fault *why)
{
	int64_t		bytes;
	enum status	st;

	if ((st = eval_whole(p, n, &bytes, why)) != ST_OK)
		return st;
	if (bytes < least || bytes > most)
		return decode_refuse(n, NULL, why, "is %" PRId64 "; allowed is %" PRId64 " to %"
		    PRId64, bytes, least, most);
	if ((bytes & (bytes - 1)) != 0)
		return decode_refuse(n, NULL, why, "is %" PRId64 ", which is not a power of two",
		    bytes);
	*out = (size_t)bytes;
	return ST_OK;
}

enum status
spec_get_align(void *out, const struct node *n, struct fault *why)
{
	struct place	*p = out;
	struct operand	*o = &p->o;
	enum status	 st;

	o->align = SPEC_DEFAULT_ALIGN;
	if (n->value == NULL)
		return ST_OK;
	if ((st = eval_power_of_2(p, n, 1, SPEC_MAX_ALIGN, &o->align, why)) != ST_OK)
		return st;
	if (o->align >= spec_natural_alignment(o))
		return ST_OK;
	return decode_refuse(n, NULL, why, "is %zu, but %s itself wants %zu", o->align,
	    ctype_name(o->type), spec_natural_alignment(o));
}

enum status
spec_get_misalign(void *out, const struct node *n, struct fault *why)
{
	struct place	*p = out;
	struct operand	*o = &p->o;
	enum status	 st;

	if ((st = eval_power_of_2(p, n, 2, SPEC_MAX_MISALIGN, &o->misalign, why)) != ST_OK ||
	    o->misalign > o->align)
		return st;
	st = decode_refuse(n, NULL, why,
	    "is %zu: an address aligned to %zu is always a multiple of it", o->misalign, o->align);
	fault_hint(why, "choose a power of two above align");
	return st;
}

enum status
spec_get_offset(void *out, const struct node *n, struct fault *why)
{
	struct place	*p = out;
	struct operand	*o = &p->o;
	const size_t	 unit = spec_natural_alignment(o);
	int64_t		 bytes;
	enum status	 st;

	if ((st = eval_whole(p, n, &bytes, why)) != ST_OK)
		return st;
	if (bytes < 0 || (uint64_t)bytes >= o->align) {
		st = decode_refuse(n, NULL, why, "is %" PRId64 ", but the address is counted from "
		    "a multiple of align, %zu: 0 to %zu", bytes, o->align, o->align - unit);
		fault_hint(why, bytes < 0 ? "give a number of bytes that is not negative" :
		    "choose an align above it");
		return st;
	}
	if ((uint64_t)bytes % unit != 0)
		return decode_refuse(n, NULL, why, "is %" PRId64 ", but %s itself wants multiples "
		    "of %zu", bytes, ctype_name(o->type), unit);
	o->offset = (size_t)bytes;
	return ST_OK;
}
