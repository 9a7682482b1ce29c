/* SPDX-License-Identifier: Apache-2.0 */
/* What the elements of an operand hold before a call. */
#include <string.h>

#include "proto/base/name.h"
#include "proto/spec/spec_parts.h"
#include "proto/spec/words.h"

#define SWAPS	0.01		/* per element, of nearly sorted ones */

static bool
is_integer(const struct operand *o)
{
	return ctype_class(o->type) == 'i' || ctype_class(o->type) == 'u';
}

/* ---- random ---- */

void
spec_random_range(enum ctype type, double *min, double *max)
{
	const char	class = ctype_class(type);

	*max = type == CTYPE_BOOL || (class != 'i' && class != 'u') ? 1 : 100;
	*min = class == 'u' ? 0 : -*max;
}

static void
set_random_range(struct operand *o)
{
	spec_random_range(o->type, &o->init.min, &o->init.max);
}

static enum status
check_bound(void *out, const struct node *n, struct fault *why)
{
	const struct place	*p = out;
	struct value		 v = { .kind = VALUE_REAL, .r = json_number_value(n->value) };

	return spec_fit(n, p->o.type, &v, why);
}

static enum status
check_order(const struct operand *o, const struct node *n, struct fault *why)
{
	enum status	st;

	if (o->init.order != ORDER_RANDOM && ctype_class(o->type) == 'c') {
		st = decode_refuse(n, "order", why, "complex numbers have no order");
		fault_hint(why, "leave it out");
		return st;
	}
	if (o->init.order == ORDER_NEARLY_SORTED ||
	    !(o->init.swaps < SWAPS || o->init.swaps > SWAPS))
		return ST_OK;
	st = decode_refuse(n, "swaps", why, "elements are swapped in nearly sorted ones only");
	fault_hint(why, "make order \"nearly_sorted\", or leave swaps out");
	return st;
}

/* An integer type has so many values from min to max. */
static enum status
check_distinct(const struct operand *o, const struct node *n, struct fault *why)
{
	const struct init	*i = &o->init;
	enum status		 st;

	if (!is_integer(o) || i->distinct <= i->max - i->min + 1)
		return ST_OK;
	st = decode_refuse(n, "distinct", why, "from %g to %g there are only %g integers", i->min,
	    i->max, i->max - i->min + 1);
	fault_hint(why, "make the range wider");
	return st;
}

static enum status
check_random(void *out, const struct node *n, struct fault *why)
{
	struct operand	*o = &((struct place *)out)->o;
	struct init	*i = &o->init;
	enum status	 st;

	i->kind = INIT_RANDOM;
	if (!(i->min < i->max))
		return decode_refuse(n, "min", why, "%g is not below max, %g", i->min, i->max);
	if ((st = check_order(o, n, why)) != ST_OK)
		return st;
	return check_distinct(o, n, why);
}

/* ---- the others ---- */

/* Element k of `index` and `permutation` is a number below the count of elements. */
static enum status
check_counts_fit(const struct operand *o, const struct node *n, struct fault *why)
{
	if (!is_integer(o) || o->elements - 1 <= (size_t)spec_type_max(o->type))
		return ST_OK;
	return decode_refuse(n, NULL, why, "numbers up to %zu do not fit %s", o->elements - 1,
	    ctype_name(o->type));
}

static enum status
check_permutation(void *out, const struct node *n, struct fault *why)
{
	struct operand	*o = &((struct place *)out)->o;

	o->init.kind = INIT_PERMUTATION;
	if (!is_integer(o))
		return decode_refuse(n, NULL, why,
		    "a permutation needs elements of an integer type, not %s", ctype_name(o->type));
	return check_counts_fit(o, n, why);
}

static enum status
check_text(void *out, const struct node *n, struct fault *why)
{
	struct operand	*o = &((struct place *)out)->o;
	enum status	 st;

	o->init.kind = INIT_TEXT;
	if (ctype_bytes(o->type) == 1 && o->type != CTYPE_BOOL)
		return ST_OK;
	st = decode_refuse(n, NULL, why, "a text needs elements of one byte, not %s",
	    ctype_name(o->type));
	fault_hint(why, "char is such a type");
	return st;
}

/* An expression whose value is one of the operand's type. */
static enum status
get_number(const struct place *p, const struct node *n, struct expr **out, struct fault *why)
{
	struct value	v;
	enum status	st;

	if ((st = spec_decode_expr(n, out, why)) != ST_OK ||
	    (st = spec_eval(p->spec, n, *out, &v, why)) != ST_OK)
		return st;
	return spec_fit(n, p->o.type, &v, why);
}

static enum status
get_real_part(void *out, const struct node *n, struct fault *why)
{
	struct place	*p = out;

	return get_number(p, n, &p->o.init.value, why);
}

static enum status
get_imaginary_part(void *out, const struct node *n, struct fault *why)
{
	struct place	*p = out;

	return get_number(p, n, &p->o.init.imaginary, why);
}

static const struct shape_row	complex_rows[] = {
	SPEC_ROW(0, "re", SHAPE_OWN, .get = get_real_part, .required = true, SPEC_EXPRESSION),
	SPEC_ROW(0, "im", SHAPE_OWN, .get = get_imaginary_part, .required = true,
	    SPEC_EXPRESSION),
};
static const struct shape	complex_shape = SHAPE_OF(struct place, complex_rows);

static enum status
get_value(void *out, const struct node *n, struct fault *why)
{
	struct place	*p = out;
	enum status	 st;

	p->o.init.kind = INIT_VALUE;
	if (!json_is_object(n->value))
		return get_number(p, n, &p->o.init.value, why);
	if (ctype_class(p->o.type) == 'c')
		return shape_get(&complex_shape, p, n, SHAPE_WRITTEN, why);
	st = decode_refuse(n, NULL, why, "has two parts, but the type is %s",
	    ctype_name(p->o.type));
	fault_hint(why, "give one expression");
	return st;
}

static enum status
get_data(void *out, const struct node *n, struct fault *why)
{
	const struct operand	*o = &((struct place *)out)->o;
	struct init		*i = &((struct place *)out)->o.init;
	size_t			 wanted = o->elements * spec_element_bytes(o);
	char			*data = NULL;
	enum status		 st;

	i->kind = INIT_DATA;
	st = decode_base64(n, SPEC_MAX_DATA, &data, &i->data_bytes, why);
	i->data = (unsigned char *)data;
	if (st != ST_OK || (i->data_bytes != 0 && i->data_bytes % wanted == 0))
		return st;
	st = decode_refuse(n, NULL, why, "has %zu bytes; %zu elements of %s are %zu",
	    i->data_bytes, o->elements, ctype_name(o->type), wanted);
	if (i->data_bytes > wanted)
		fault_hint(why, "several inputs, one behind the other, are a multiple of that");
	return st;
}

/* Its name alone: a linker finds out whether there is such a function. */
static enum status
get_function(void *out, const struct node *n, struct fault *why)
{
	struct place	*p = out;
	struct init	*i = &p->o.init;
	enum status	 st;

	i->kind = INIT_FUNCTION;
	if ((st = decode_text(n, NAME_MAX_BYTES, &i->function, why)) != ST_OK)
		return st;
	if (name_check_routine(i->function, why) != ST_OK)
		return decode_place(n, why);
	if (strcmp(i->function, "main") == 0)
		return decode_refuse(n, NULL, why, "\"main\" is the function that calls it");
	if (p->spec->setup != NULL)
		return ST_OK;
	st = decode_refuse(n, NULL, why, "there is no spec.setup with a function \"%s\"",
	    i->function);
	fault_hint(why, "\"setup\": \"void %s(%s *x, unsigned long n) { … }\"", i->function,
	    p->o.record != NULL ? "void" : ctype_name(p->o.type));
	return st;
}

/* ---- the forms it is written in ---- */

#define AT(member) offsetof(struct place, o.init.member)
#define SEED SPEC_ROW(AT(seed), "seed", SHAPE_SIZE)
static const struct shape_row	random_rows[] = {
	SEED,
	SPEC_ROW(AT(min), "min", SHAPE_REAL, .check = check_bound),
	SPEC_ROW(AT(max), "max", SHAPE_REAL, .check = check_bound),
	SPEC_ROW(AT(order), "order", SHAPE_WORD, .words = words_order,
	    SHAPE_DEFAULT(ORDER_RANDOM)),
	SPEC_ROW(AT(swaps), "swaps", SHAPE_REAL, .low = 0, .high = 1, SHAPE_DEFAULT(SWAPS)),
	SPEC_ROW(AT(distinct), "distinct", SHAPE_COUNT, .least = 1, .most = SPEC_MAX_DISTINCT),
	SPEC_ROW(AT(density), "density", SHAPE_REAL, .low = 0.000001, .high = 1,
	    SHAPE_DEFAULT(1)),
};
static const struct shape_row	seed_rows[] = { SEED };
static const struct shape	random_shape = SHAPE_OF(struct place, random_rows);
static const struct shape	seed_shape = SHAPE_OF(struct place, seed_rows);
static const struct shape_row	init_rows[] = {
	SPEC_ROW(0, "random", SHAPE_OBJECT, .of = &random_shape, .check = check_random),
	SPEC_ROW(0, "value", SHAPE_OWN, .get = get_value, .of = &complex_shape, SPEC_EXPRESSION),
	SPEC_ROW(0, "permutation", SHAPE_OBJECT, .of = &seed_shape, .check = check_permutation),
	SPEC_ROW(0, "text", SHAPE_OBJECT, .of = &seed_shape, .check = check_text),
	SPEC_ROW(0, "data", SHAPE_OWN, .get = get_data, .forms = FORM_BASE64,
	    .most = SPEC_MAX_DATA),
	SPEC_ROW(0, "function", SHAPE_OWN, .get = get_function, .forms = FORM_TEXT, .least = 1,
	    .most = NAME_MAX_BYTES),
};
const struct shape		init_shape = SHAPE_OF(struct place, init_rows);

static bool
is_expression(const struct place *p, const struct node *n)
{
	struct expr	*e = NULL;
	struct value	 v;
	struct fault	 why;
	const bool	 is = spec_decode_expr(n, &e, &why) == ST_OK &&
			    spec_eval(p->spec, n, e, &v, &why) == ST_OK;

	expr_free(e);
	return is;
}

static enum status
get_word(struct place *p, const struct node *n, struct fault *why)
{
	static const enum init_kind	kinds[] = { INIT_RANDOM, INIT_INDEX, INIT_PERMUTATION,
					    INIT_TEXT };
	const char			*text = json_string_value(n->value);
	unsigned			 word = 0;
	enum status			 st;

	if (strcmp(text, "value") == 0 || strcmp(text, "data") == 0 ||
	    strcmp(text, "function") == 0) {
		st = decode_refuse(n, NULL, why, "\"%s\" alone does not say which", text);
		fault_hint(why, "{ \"%s\": … }", text);
		return st;
	}
	if ((st = decode_word(n, words_init, &word, why)) != ST_OK) {
		if (is_expression(p, n))
			fault_hint(why, "for the expression: { \"value\": \"%s\" }", text);
		return st;
	}
	p->o.init.kind = kinds[word];
	if (kinds[word] == INIT_INDEX)
		return check_counts_fit(&p->o, n, why);
	if (kinds[word] == INIT_TEXT)
		return check_text(p, n, why);
	return kinds[word] == INIT_PERMUTATION ? check_permutation(p, n, why) : ST_OK;
}

static enum status
get_form(struct place *p, const struct node *n, struct fault *why)
{
	if (json_is_string(n->value))
		return get_word(p, n, why);
	if (json_is_number(n->value))
		return get_value(p, n, why);
	if (!json_is_object(n->value))
		return decode_refuse(n, NULL, why,
		    "must be random, index, permutation, text, a number or an object with one "
		    "member");
	if (json_object_size(n->value) == 1)
		return shape_get(&init_shape, p, n, SHAPE_WRITTEN, why);
	return decode_refuse(n, NULL, why,
	    "must have exactly one of random, value, permutation, text, data, function");
}

/* Members of a random struct are drawn as elements of their types are: it has a seed alone. */
static enum status
check_struct(const struct init *i, const struct node *n, struct fault *why)
{
	const json_t	*random = json_object_get(n->value, "random");
	enum status	 st;

	if (i->kind == INIT_VALUE)
		st = decode_refuse(n, NULL, why, "the members of a struct have no one value");
	else if (i->kind == INIT_RANDOM && json_object_size(random) >
	    (json_object_get(random, "seed") != NULL))
		st = decode_refuse(n, "random", why, "a random struct has a seed alone");
	else
		return ST_OK;
	fault_hint(why, "give data");
	return st;
}

enum status
spec_get_init(void *out, const struct node *n, struct fault *why)
{
	struct place	*p = out;
	enum status	 st;

	p->o.init.seed = 1 + p->index;
	p->o.init.swaps = SWAPS;
	p->o.init.density = 1;
	set_random_range(&p->o);
	if (n->value == NULL)
		return ST_OK;
	if ((st = get_form(p, n, why)) != ST_OK)
		return st;
	return p->o.record != NULL ? check_struct(&p->o.init, n, why) : ST_OK;
}
