/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proto/spec/spec_parts.h"
#include "proto/spec/words.h"

/* What the elements of an operand hold before a call. */
struct filling {
	const struct spec	*spec;
	struct operand		*operand;
};

static bool
is_integer(const struct operand *o)
{
	return ctype_class(o->type) == 'i' || ctype_class(o->type) == 'u';
}

/* --- random --- */

static void
set_random_range(struct operand *o)
{
	o->init.max = o->type == CTYPE_BOOL ? 1 : is_integer(o) ? 100 : 1;
	o->init.min = ctype_class(o->type) == 'u' ? 0 : -o->init.max;
}

static enum status
decode_seed(void *out, const struct node *n, struct fault *why)
{
	struct filling	*f = out;

	return decode_size(n, 0, INT64_MAX, &f->operand->init.seed, why);
}

static enum status
decode_bound(struct filling *f, const struct node *n, double *out, struct fault *why)
{
	struct value	v = { .kind = VALUE_REAL };
	enum status	st;

	if ((st = decode_real(n, -HUGE_VAL, HUGE_VAL, &v.r, why)) != ST_OK)
		return st;
	*out = v.r;
	return spec_fit(n, f->operand->type, &v, why);
}

static enum status
decode_min(void *out, const struct node *n, struct fault *why)
{
	struct filling	*f = out;

	return decode_bound(f, n, &f->operand->init.min, why);
}

static enum status
decode_max(void *out, const struct node *n, struct fault *why)
{
	struct filling	*f = out;

	return decode_bound(f, n, &f->operand->init.max, why);
}

static enum status
decode_random(void *out, const struct node *n, struct fault *why)
{
	static const struct member	members[] = {
		{ "seed", decode_seed, false },
		{ "min", decode_min, false },
		{ "max", decode_max, false },
		{ NULL, NULL, false }
	};
	struct filling	*f = out;
	struct init	*i = &f->operand->init;
	enum status	 st;

	i->kind = INIT_RANDOM;
	if ((st = decode_members(n, members, f, why)) != ST_OK)
		return st;
	if (i->min < i->max)
		return ST_OK;
	return decode_refuse(n, "min", why, "%g is not below max, %g", i->min, i->max);
}

/* --- the others --- */

/* Element k of `index` and `permutation` is a number below the count of elements. */
static enum status
check_counts_fit(const struct operand *o, const struct node *n, struct fault *why)
{
	if (!is_integer(o) || o->elements - 1 <= (size_t)spec_type_max(o->type))
		return ST_OK;
	return decode_refuse(n, NULL, why, "numbers up to %zu do not fit %s", o->elements - 1, ctype_name(o->type));
}

static enum status
check_permutation(const struct operand *o, const struct node *n, struct fault *why)
{
	if (!is_integer(o))
		return decode_refuse(n, NULL, why, "a permutation needs elements of an integer type, not %s",
		    ctype_name(o->type));
	return check_counts_fit(o, n, why);
}

static enum status
decode_permutation(void *out, const struct node *n, struct fault *why)
{
	static const struct member	members[] = {
		{ "seed", decode_seed, false },
		{ NULL, NULL, false }
	};
	struct filling	*f = out;
	enum status	 st;

	f->operand->init.kind = INIT_PERMUTATION;
	if ((st = decode_members(n, members, f, why)) != ST_OK)
		return st;
	return check_permutation(f->operand, n, why);
}

static enum status
decode_value(void *out, const struct node *n, struct fault *why)
{
	struct filling	*f = out;
	struct init	*i = &f->operand->init;
	struct value	 v;
	enum status	 st;

	i->kind = INIT_VALUE;
	if ((st = spec_decode_expr(n, &i->value, why)) != ST_OK || (st = spec_eval(f->spec, n, i->value, &v, why)) != ST_OK)
		return st;
	return spec_fit(n, f->operand->type, &v, why);
}

static enum status
decode_data(void *out, const struct node *n, struct fault *why)
{
	struct filling	*f = out;
	struct init	*i = &f->operand->init;
	size_t		 wanted = f->operand->elements * ctype_bytes(f->operand->type);
	enum status	 st;

	i->kind = INIT_DATA;
	if ((st = decode_base64(n, SPEC_MAX_DATA, (char **)&i->data, &i->data_bytes, why)) != ST_OK)
		return st;
	if (i->data_bytes == wanted)
		return ST_OK;
	return decode_refuse(n, NULL, why, "has %zu bytes; %zu elements of %s are %zu", i->data_bytes,
	    f->operand->elements, ctype_name(f->operand->type), wanted);
}

/* --- the forms it is written in --- */

static enum status
decode_init_word(struct filling *f, const struct node *n, struct fault *why)
{
	static const char *const	words[] = { "random", "index", "permutation", NULL };
	static const enum init_kind	kinds[] = { INIT_RANDOM, INIT_INDEX, INIT_PERMUTATION };
	const char			*text = json_string_value(n->value);
	unsigned			 word = 0;
	enum status			 st;

	if (strcmp(text, "value") == 0 || strcmp(text, "data") == 0) {
		st = decode_refuse(n, NULL, why, "\"%s\" alone does not say which", text);
		fault_hint(why, "{ \"%s\": … }", text);
		return st;
	}
	if ((st = decode_word(n, words, &word, why)) != ST_OK)
		return st;
	f->operand->init.kind = kinds[word];
	if (kinds[word] == INIT_INDEX)
		return check_counts_fit(f->operand, n, why);
	return kinds[word] == INIT_PERMUTATION ? check_permutation(f->operand, n, why) : ST_OK;
}

static enum status
decode_init_object(struct filling *f, const struct node *n, struct fault *why)
{
	static const struct member	members[] = {
		{ "random", decode_random, false },
		{ "value", decode_value, false },
		{ "permutation", decode_permutation, false },
		{ "data", decode_data, false },
		{ NULL, NULL, false }
	};

	if (json_object_size(n->value) == 1)
		return decode_members(n, members, f, why);
	return decode_refuse(n, NULL, why, "must have exactly one of random, value, permutation, data");
}

enum status
spec_decode_init(struct spec *s, size_t index, const struct node *n, struct fault *why)
{
	struct operand	*o = &s->args[index].operand;
	struct filling	 f = { s, o };
	enum status	 st = ST_OK;

	o->init.kind = INIT_RANDOM;
	o->init.seed = 1 + index;
	set_random_range(o);
	if (json_is_string(n->value))
		st = decode_init_word(&f, n, why);
	else if (json_is_number(n->value))
		st = decode_value(&f, n, why);
	else if (json_is_object(n->value))
		st = decode_init_object(&f, n, why);
	else if (n->value != NULL)
		st = decode_refuse(n, NULL, why,
		    "must be random, index, permutation, a number or an object with one member");
	if (st == ST_OK && ctype_class(o->type) == 'c' && o->init.kind != INIT_RANDOM)
		return decode_refuse(n, NULL, why, "complex elements can only be random");
	return st;
}
