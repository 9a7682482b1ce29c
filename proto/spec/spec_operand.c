/* SPDX-License-Identifier: Apache-2.0 */
/* What a pointer of the routine points to: type, size, contents, and where it lies. */
#include <inttypes.h>

#include "proto/spec/spec_parts.h"
#include "proto/spec/words.h"

static enum status
check_type(const struct place *p, const struct node *n, struct fault *why)
{
	enum status	st;

	if (p->o.type == CTYPE_VOID)
		return decode_refuse(n, NULL, why, "an operand has no elements of type void");
	if (p->param->type == CTYPE_VOID || p->param->type == p->o.type)
		return ST_OK;
	st = decode_refuse(n, NULL, why, "is %s, but the routine takes a pointer to %s",
	    ctype_name(p->o.type), ctype_name(p->param->type));
	fault_hint(why, "leave it out: the prototype says it");
	return st;
}

static enum status
refuse_unknown_struct(const struct place *p, const struct node *n, struct fault *why)
{
	enum status	st;

	st = decode_refuse(n, NULL, why, "does not say which members struct %s has",
	    p->param->tag);
	fault_hint(why, "{ \"struct\": [[\"x\", \"double\"], [\"i\", \"int\"]] }");
	return st;
}

static enum status
get_record(struct place *p, const struct node *n, struct fault *why)
{
	enum status	st = shape_get(&type_shape, p, n, SHAPE_WRITTEN, why);

	return st == ST_OK ? check_type(p, n, why) : st;
}

static enum status
get_type(void *out, const struct node *n, struct fault *why)
{
	struct place	*p = out;
	const char	*text = json_string_value(n->value);
	enum status	 st;

	p->o.type = p->param->type;
	if (n->value == NULL && p->o.type == CTYPE_VOID)
		return decode_refuse(n, NULL, why,
		    "is missing: the routine takes void *, which says nothing");
	if (n->value == NULL)
		return p->o.type == CTYPE_STRUCT ? refuse_unknown_struct(p, n, why) : ST_OK;
	if (json_is_object(n->value))
		return get_record(p, n, why);
	if (text == NULL)
		return decode_refuse(n, NULL, why,
		    "must be a string that names a C type, or an object with a struct");
	if ((st = ctype_parse(&p->o.type, text, why)) != ST_OK)
		return (void)decode_place(n, why), st;
	return check_type(p, n, why);
}

/* ---- size ---- */

static enum status
get_dim(struct place *p, const struct node *n, struct fault *why)
{
	struct expr	**e = &p->o.dims[p->o.ndims];
	struct value	  v;
	int64_t		  dim;
	enum status	  st;

	if ((st = spec_decode_expr(n, e, why)) != ST_OK)
		return st;
	p->o.ndims++;
	if ((st = spec_eval(p->spec, n, *e, &v, why)) != ST_OK)
		return st;
	if (!spec_whole(&v, &dim))
		return decode_refuse(n, NULL, why, "is %g; a dimension is a whole number",
		    value_real(&v));
	if (dim < 1)
		return decode_refuse(n, NULL, why, "is %" PRId64 "; a dimension is at least 1",
		    dim);
	p->o.size[p->o.ndims - 1] = (size_t)dim;
	if (__builtin_mul_overflow(p->o.elements, (size_t)dim, &p->o.elements))
		return decode_refuse(n->up, NULL, why, "the operand is far too large");
	return ST_OK;
}

/* Bytes left by the operands before this one: all of a working set must fit. */
static size_t
room_for(const struct place *p)
{
	size_t	room = SPEC_MAX_OPERAND_BYTES;

	for (size_t i = 0; i < p->index; i++) {
		const struct operand	*o = &p->spec->args[i].operand;

		if (p->spec->args[i].is_operand)
			room -= o->elements * spec_element_bytes(o);
	}
	return room;
}

static enum status
check_room(const struct place *p, const struct node *n, struct fault *why)
{
	size_t	bytes, room = room_for(p);

	if (!__builtin_mul_overflow(p->o.elements, spec_element_bytes(&p->o), &bytes) &&
	    bytes <= room)
		return ST_OK;
	return decode_refuse(n, NULL, why,
	    "%zu elements of %s: all operands together may have %zu bytes, %zu are left",
	    p->o.elements, ctype_name(p->o.type), SPEC_MAX_OPERAND_BYTES, room);
}

static enum status
get_dims(void *out, const struct node *n, struct fault *why)
{
	struct place	*p = out;
	size_t		 count = json_array_size(n->value);
	enum status	 st = ST_OK;

	if (n->value == NULL)
		return decode_refuse(n, NULL, why, "is missing");
	if (!json_is_array(n->value) || count < 1 || count > SPEC_MAX_DIMS)
		return decode_refuse(n, NULL, why, "must be an array of 1 to %d sizes",
		    SPEC_MAX_DIMS);
	p->o.elements = 1;
	for (size_t i = 0; i < count && st == ST_OK; i++) {
		struct node	dim = decode_element(n, i);

		st = get_dim(p, &dim, why);
	}
	if (st == ST_OK && p->param->is_rows && count < 2)
		return decode_refuse(n, NULL, why,
		    "has one size, but the routine takes pointers to rows: give rows and columns");
	return st == ST_OK ? check_room(p, n, why) : st;
}

/* ---- where and how it lies ---- */

enum status
spec_check_access(const struct place *p, const struct node *n, enum access_kind *access,
    struct fault *why)
{
	if (n->value == NULL)
		*access = p->param->is_const ? ACCESS_IN : ACCESS_INOUT;
	if (*access == ACCESS_IN || !p->param->is_const)
		return ST_OK;
	return decode_refuse(n, NULL, why,
	    "is \"%s\", but the prototype says const: the routine cannot write it",
	    words_access[*access]);
}

static enum status
check_access(void *out, const struct node *n, struct fault *why)
{
	struct place	*p = out;
	enum status	 st = spec_check_access(p, n, &p->o.own_access, why);

	if (st == ST_OK)
		p->o.access = spec_joint_access(p->spec, p->index, p->o.own_access);
	return st;
}

static enum status
check_checked(void *out, const struct node *n, struct fault *why)
{
	const struct place	*p = out;
	enum status		 st;

	if (p->o.checked || p->o.access != ACCESS_IN)
		return ST_OK;
	st = decode_refuse(n, NULL, why, "is false, but the routine does not write the operand");
	fault_hint(why, "leave it out: what is only read is not compared");
	return st;
}

static enum status
check_cache(void *out, const struct node *n, struct fault *why)
{
	struct place	*p = out;

	(void)why;
	if (n->value == NULL)
		p->o.cache = p->spec->context == CONTEXT_WARM ? CACHE_WARM : CACHE_COLD;
	return ST_OK;
}

/* What is in no cache is written back.  A partial flush may leave it in one. */
static bool
is_in_memory(const struct spec *s, const struct operand *o)
{
	return o->cache == CACHE_COLD && !spec_is_partial(s);
}

bool
spec_is_for_one_call(const struct spec *s, size_t arg)
{
	const struct operand	*o = &s->args[arg].operand;

	return s->args[arg].is_operand && !is_in_memory(s, o) &&
	    (o->state == LINE_DIRTY) == (o->access == ACCESS_IN);
}

static enum status
check_state(void *out, const struct node *n, struct fault *why)
{
	struct place	*p = out;
	const bool	 in_memory = is_in_memory(p->spec, &p->o);
	enum status	 st;

	if (n->value == NULL)
		p->o.state = in_memory || p->o.access == ACCESS_IN ? LINE_CLEAN : LINE_DIRTY;
	if (p->o.state == LINE_CLEAN || !in_memory)
		return ST_OK;
	st = decode_refuse(n, NULL, why, "is \"dirty\", but the operand is cold: a line that is "
	    "in no cache has been written back");
	fault_hint(why, "leave it out, or set cache to \"warm\", \"L1\", \"L2\" or \"L3\"");
	return st;
}

static enum status
check_memory(void *out, const struct node *n, struct fault *why)
{
	const struct operand	*o = &((struct place *)out)->o;
	const size_t		 bytes = o->elements * spec_element_bytes(o);
	enum status		 st;

	if (o->memory != MEMORY_STATIC || bytes <= SPEC_MAX_STATIC)
		return ST_OK;
	st = decode_refuse(n, NULL, why, "is \"static\", but %zu bytes are more than a static "
	    "array may have, %d", bytes, SPEC_MAX_STATIC);
	fault_hint(why, "use \"heap\"");
	return st;
}

static enum status
get_node(void *out, const struct node *n, struct fault *why)
{
	struct place	*p = out;
	int64_t		 number = 0;
	unsigned	 word;
	enum status	 st;

	if (json_is_string(n->value)) {
		if ((st = decode_word(n, words_home, &word, why)) == ST_OK)
			p->o.home = word == 0 ? HOME_LOCAL : HOME_REMOTE;
		return st;
	}
	st = decode_integer(n, 0, SPEC_MAX_NODE, &number, why);
	p->o.home = HOME_NUMBER;
	p->o.node = (unsigned)number;
	return st;
}

/* ---- the whole ---- */

#define ROW(member, ...) SPEC_ROW(offsetof(struct place, o.member), #member, __VA_ARGS__)
static const struct shape_row	dim_row = { .kind = SHAPE_OWN, SPEC_EXPRESSION };
static const struct shape_row	operand_rows[] = {
	ROW(type, SHAPE_OWN, .get = get_type, .always = true, .forms = FORM_TEXT, .least = 1,
	    .most = PROTOTYPE_NAME_MAX, .of = &type_shape),
	ROW(dims, SHAPE_OWN, .get = get_dims, .always = true, .forms = FORM_LIST, .least = 1,
	    .most = SPEC_MAX_DIMS, .each = &dim_row),
	ROW(init, SHAPE_OWN, .get = spec_get_init, .always = true, .forms = FORM_NUMBER,
	    .words = words_init, .of = &init_shape, .least = 1, .most = 1, SHAPE_DEFAULT(0)),
	SPEC_ROW(offsetof(struct place, o.own_access), "access", SHAPE_WORD,
	    .words = words_access, .check = check_access, .always = true),
	ROW(checked, SHAPE_FLAG, .check = check_checked, SHAPE_DEFAULT(true)),
	ROW(align, SHAPE_OWN, .get = spec_get_align, .always = true, SPEC_EXPRESSION,
	    .preset_text = "64"),
	ROW(misalign, SHAPE_OWN, .get = spec_get_misalign, SPEC_EXPRESSION),
	ROW(offset, SHAPE_OWN, .get = spec_get_offset, SPEC_EXPRESSION, .preset_text = "0"),
	ROW(stride, SHAPE_SIZE, .least = 1, .most = SPEC_MAX_STRIDE, SHAPE_DEFAULT(1)),
	ROW(cache, SHAPE_WORD, .words = words_cache, .check = check_cache, .always = true),
	ROW(state, SHAPE_WORD, .words = words_state, .check = check_state, .always = true),
	ROW(memory, SHAPE_WORD, .words = words_memory, .check = check_memory,
	    SHAPE_DEFAULT(MEMORY_HEAP)),
	ROW(pages, SHAPE_WORD, .words = words_pages, SHAPE_DEFAULT(PAGES_AUTO)),
	SPEC_ROW(0, "node", SHAPE_OWN, .get = get_node, .words = words_home,
	    .forms = FORM_INTEGER, .most = SPEC_MAX_NODE),
	/* alone, or with access: spec_shared.c */
	SPEC_ROW(0, "same_as", SHAPE_OWN, .get = spec_get_same_as, .forms = FORM_TEXT, .least = 1,
	    .most = PROTOTYPE_NAME_MAX - 1),
	SPEC_ROW(0, "from", SHAPE_OWN, .get = spec_get_from, SPEC_EXPRESSION),
	ROW(data, SHAPE_OWN, .get = spec_get_place_data, .always = true, .words = words_data,
	    .of = &data_shape),
};
const struct shape		operand_shape = SHAPE_OF(struct place, operand_rows);

enum status
spec_decode_operand(struct spec *s, size_t index, const struct node *n, struct fault *why)
{
	struct place	p = { .spec = s, .param = &s->routine.params[index], .index = index };
	enum status	st = shape_get(&operand_shape, &p, n, SHAPE_WRITTEN, why);

	s->args[index].operand = p.o;		/* half filled, too: it is to be released */
	return st;
}
