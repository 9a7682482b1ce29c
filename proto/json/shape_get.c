/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "proto/json/shape_impl.h"

enum { NAMES_MAX = 64 };		/* for a hint */

_Static_assert(sizeof(struct shape_reals) == sizeof(struct shape_list) && sizeof(double) == 8,
    "arrays are a pointer and a number of elements");

static enum status
get_size(const struct shape_row *r, const struct node *n, int64_t *out, struct fault *why)
{
	const int64_t	most = r->kind == SHAPE_COUNT ? UINT_MAX - 1 : INT64_MAX;
	const bool	bounded = r->least != 0 || r->most != 0;
	enum status	st;

	st = decode_integer(n, bounded ? r->least : 0, bounded ? r->most : most, out, why);
	if (st == ST_OK && r->power_of_two && (*out & (*out - 1)) != 0)
		return decode_refuse(n, NULL, why, "is %" PRId64 ", which is not a power of two",
		    *out);
	return st;
}

static enum status
get_number(const struct shape_row *r, void *at, const struct node *n, struct fault *why)
{
	const bool	bounded = r->low != 0 || r->high != 0;
	int64_t		i = 0;
	enum status	st;

	if (r->kind == SHAPE_REAL)
		return decode_real(n, bounded ? r->low : -HUGE_VAL,
		    bounded ? r->high : HUGE_VAL, at, why);
	if ((st = get_size(r, n, &i, why)) != ST_OK)
		return st;
	if (r->kind == SHAPE_COUNT)
		*(unsigned *)at = (unsigned)i;
	else if (r->kind == SHAPE_SIZE)
		*(uint64_t *)at = (uint64_t)i;
	else
		*(int64_t *)at = i;
	return ST_OK;
}

static enum status
get_text(const struct shape_row *r, const char **out, const struct node *n, struct fault *why)
{
	unsigned	word;
	enum status	st;

	if (!json_is_string(n->value))
		return decode_refuse_type(n, "a string", why);
	if (r->words != NULL && (st = decode_word(n, r->words, &word, why)) != ST_OK)
		return st;
	*out = json_string_value(n->value);
	return ST_OK;
}

static enum status
get_owned_text(const struct shape_row *r, char **out, const struct node *n, struct fault *why)
{
	enum status	st;

	st = r->kind == SHAPE_LABEL ? decode_label(n, (size_t)r->most, out, why) :
	    decode_text(n, (size_t)r->most, out, why);
	if (st == ST_OK && r->least > 0 && (*out)[0] == '\0')
		return decode_refuse(n, NULL, why, "is empty");
	return st;
}

static enum status
get_pair(double *out, const struct node *n, struct fault *why)
{
	enum status	st = ST_OK;

	if (json_array_size(n->value) != 2)
		return decode_refuse(n, NULL, why, "must be two numbers");
	for (size_t i = 0; st == ST_OK && i < 2; i++) {
		struct node	element = decode_element(n, i);

		st = decode_real(&element, -HUGE_VAL, HUGE_VAL, &out[i], why);
	}
	return st;
}

/*
 * Room for as many elements as the node has.  An array that may be none is none when it is empty,
 * and not written so.
 */
static enum status
make_array(const struct shape_row *r, void *out, const struct node *n, size_t bytes,
    struct shape_list *made, struct fault *why)
{
	const size_t	count = json_is_array(n->value) ? json_array_size(n->value) :
			    json_object_size(n->value);

	*made = (struct shape_list){ .n = 0 };
	if (count == 0 && r->none != SHAPE_NEVER)
		return decode_refuse(n, NULL, why, "must not be empty");
	if (!shape_list_make(made, count, bytes))
		return fault_set(why, ST_NOMEM, "document");
	memcpy(shape_field(out, r), made, sizeof *made);
	return ST_OK;
}

static enum status
get_element(const struct shape_row *r, void *at, size_t i, const struct node *n, struct fault *why)
{
	static const struct shape_row	any = { .kind = SHAPE_SIZE };
	int64_t				size = 0;
	enum status			st;

	if (r->kind == SHAPE_REALS)
		return decode_real(n, -HUGE_VAL, HUGE_VAL, (double *)at + i, why);
	if (r->kind == SHAPE_TEXTS)
		return get_text(r, (const char **)at + i, n, why);
	st = get_size(&any, n, &size, why);
	((uint64_t *)at)[i] = (uint64_t)size;
	return st;
}

static enum status
get_array(const struct shape_row *r, void *out, const struct node *n, struct fault *why)
{
	struct shape_list	array;
	enum status		st;

	if (!json_is_array(n->value))
		return decode_refuse_type(n, "an array", why);
	if ((st = make_array(r, out, n, sizeof(double), &array, why)) != ST_OK)
		return st;
	for (size_t i = 0; st == ST_OK && i < array.n; i++) {
		struct node	element = decode_element(n, i);

		st = get_element(r, array.at, i, &element, why);
	}
	return st;
}

static enum status
get_list(const struct shape_row *r, void *out, const struct node *n, enum shape_way way,
    struct fault *why)
{
	struct shape_list	array;
	enum status		st;

	if (!json_is_array(n->value))
		return decode_refuse_type(n, "an array", why);
	if ((st = make_array(r, out, n, r->of->bytes, &array, why)) != ST_OK)
		return st;
	for (size_t i = 0; st == ST_OK && i < array.n; i++) {
		struct node	element = decode_element(n, i);

		st = shape_get(r->of, (char *)array.at + i * r->of->bytes, &element, way, why);
	}
	return st;
}

static enum status
get_map(const struct shape_row *r, void *out, const struct node *n, enum shape_way way,
    struct fault *why)
{
	struct shape_list	 array;
	const char		*name;
	json_t			*value;
	char			*at;
	enum status		 st;

	if ((st = decode_object(n, why)) != ST_OK ||
	    (st = make_array(r, out, n, r->of->bytes, &array, why)) != ST_OK)
		return st;
	at = array.at;
	json_object_foreach((json_t *)(uintptr_t)n->value, name, value) {
		struct node	element = { .up = n, .name = name, .value = value };

		if ((st = shape_get(r->of, at, &element, way, why)) != ST_OK)
			return st;
		*(const char **)at = name;
		at += r->of->bytes;
	}
	return ST_OK;
}

static enum status
get_notes(const struct shape_row *r, void *out, const struct node *n, struct fault *why)
{
	static const struct shape_row	 text = { .kind = SHAPE_TEXT };
	struct shape_list		 array;
	struct shape_note		*note;
	const char			*name;
	json_t				*value;
	enum status			 st;

	if ((st = decode_object(n, why)) != ST_OK ||
	    (st = make_array(r, out, n, sizeof *note, &array, why)) != ST_OK)
		return st;
	note = array.at;
	json_object_foreach((json_t *)(uintptr_t)n->value, name, value) {
		struct node	element = { .up = n, .name = name, .value = value };

		if ((st = get_text(&text, &note->text, &element, why)) != ST_OK)
			return st;
		note++->name = name;
	}
	return ST_OK;
}

static enum status
get_flag(bool *out, const struct node *n, struct fault *why)
{
	if (!json_is_boolean(n->value))
		return decode_refuse_type(n, "true or false", why);
	*out = json_is_true(n->value);
	return ST_OK;
}

static enum status	get_object(const struct shape *, void *, const struct node *,
			    enum shape_way, struct fault *);

enum status
shape_get_value(const struct shape_row *r, void *out, const struct node *n, enum shape_way way,
    struct fault *why)
{
	void	*at = shape_field(out, r);

	switch (r->kind) {
	case SHAPE_FLAG:	return get_flag(at, n, why);
	case SHAPE_COUNT:
	case SHAPE_SIZE:
	case SHAPE_INTEGER:
	case SHAPE_REAL:	return get_number(r, at, n, why);
	case SHAPE_TEXT:	return get_text(r, at, n, why);
	case SHAPE_WORD:	return decode_enum(n, r->words, at, why);
	case SHAPE_LABEL:
	case SHAPE_STRING:	return get_owned_text(r, at, n, why);
	case SHAPE_OBJECT:	return get_object(r->of, at, n, way, why);
	case SHAPE_PAIR:	return get_pair(at, n, why);
	case SHAPE_REALS:
	case SHAPE_SIZES:
	case SHAPE_TEXTS:	return get_array(r, out, n, why);
	case SHAPE_LIST:	return get_list(r, out, n, way, why);
	case SHAPE_MAP:		return get_map(r, out, n, way, why);
	case SHAPE_NOTES:	return get_notes(r, out, n, why);
	case SHAPE_OWN:		return r->get(out, n, why);
	case SHAPE_OWN_PART:	return r->get(at, n, why);
	case SHAPE_INLINE:	break;
	}
	return ST_INTERNAL;
}

/* ---- rows ---- */

/* A row with functions of its own decides by itself what null is, and so what nothing is. */
static bool
may_be_none(const struct shape_row *r)
{
	return r->none != SHAPE_NEVER || r->kind == SHAPE_OWN;
}

static bool
stands_for_none(const struct shape_row *r, const json_t *value)
{
	switch (r->none) {
	case SHAPE_NULL:	return json_is_null(value);
	case SHAPE_LEFT_OUT:	return value == NULL;
	case SHAPE_ABSENT:
		return json_is_string(value) && strcmp(json_string_value(value), "absent") == 0;
	case SHAPE_NEVER:	break;
	}
	return false;
}

static enum status	get_rows(const struct shape *, void *, const struct node *,
			    enum shape_way, struct fault *);

static bool
has_any(const struct shape *s, const json_t *object)
{
	for (size_t i = 0; i < s->rows; i++)
		if (s->row[i].kind == SHAPE_INLINE ? has_any(s->row[i].of, object) :
		    json_object_get(object, s->row[i].name) != NULL)
			return true;
	return false;
}

/* Left out as a whole, or there as a whole. */
static enum status
get_inline(const struct shape_row *r, void *out, const struct node *n, enum shape_way way,
    struct fault *why)
{
	if (shape_has_bool(r)) {
		if (!has_any(r->of, n->value))
			return ST_OK;
		*(bool *)((char *)out + r->has) = true;
	}
	return get_rows(r->of, shape_field(out, r), n, way, why);
}

static enum status
get_row(const struct shape_row *r, void *out, const struct node *n, enum shape_way way,
    struct fault *why)
{
	struct node	child;
	enum status	st;

	if (r->kind == SHAPE_INLINE)
		return get_inline(r, out, n, way, why);
	child = decode_member(n, r->name);
	if (stands_for_none(r, child.value))
		return ST_OK;
	if (child.value == NULL)
		return way == SHAPE_LENIENT || (way == SHAPE_SPARSE && may_be_none(r)) ? ST_OK :
		    decode_refuse(&child, NULL, why, "is missing");
	st = shape_get_value(r, out, &child, way, why);
	if (st == ST_OK && shape_has_bool(r))
		*(bool *)((char *)out + r->has) = true;
	return st;
}

static enum status
get_rows(const struct shape *s, void *out, const struct node *n, enum shape_way way,
    struct fault *why)
{
	for (size_t i = 0; i < s->rows; i++) {
		enum status	st = get_row(&s->row[i], out, n, way, why);

		if (st == ST_BAD_SPEC && way == SHAPE_LENIENT) {
			shape_release_row(&s->row[i], out);
			shape_set_none(&s->row[i], out);
		} else if (st != ST_OK)
			return st;
	}
	return ST_OK;
}

static size_t
names_of(const struct shape *s, const char **names, size_t room)
{
	size_t	n = 0;

	for (size_t i = 0; i < s->rows && n < room; i++)
		if (s->row[i].kind == SHAPE_INLINE)
			n += names_of(s->row[i].of, names + n, room - n);
		else
			names[n++] = s->row[i].name;
	return n;
}

enum status
shape_refuse_unknown(const struct shape *s, const struct node *n, const char *name,
    struct fault *why)
{
	const char	*names[NAMES_MAX + 1];
	enum status	 st;

	st = decode_refuse(n, name, why, "there is no such member");
	names[names_of(s, names, NAMES_MAX)] = NULL;
	decode_hint(why, name, names);
	return st;
}

static bool
is_of(const struct shape_row *r, const char *name)
{
	return r->kind == SHAPE_INLINE ? shape_row(r->of, name) != NULL :
	    strcmp(r->name, name) == 0;
}

size_t
shape_row_of(const struct shape *s, const char *name, size_t last)
{
	for (size_t i = last; i < s->rows; i++)
		if (is_of(&s->row[i], name))
			return i;
	for (size_t i = 0; i < last; i++)
		if (is_of(&s->row[i], name))
			return i;
	return s->rows;
}

static enum status
check_names(const struct shape *s, const struct node *n, struct fault *why)
{
	const char	*name;
	json_t		*value;
	size_t		 at = 0;

	json_object_foreach((json_t *)(uintptr_t)n->value, name, value)
		if ((at = shape_row_of(s, name, at)) == s->rows)
			return shape_refuse_unknown(s, n, name, why);
	return ST_OK;
}

/* Into a struct that is clear, or has its defaults. */
static enum status
get_object(const struct shape *s, void *out, const struct node *n, enum shape_way way,
    struct fault *why)
{
	enum status	st;

	if (way == SHAPE_WRITTEN)
		return shape_get_written(s, out, n, why);
	if ((st = decode_object(n, why)) != ST_OK)
		return st;
	if (way != SHAPE_LENIENT && (st = check_names(s, n, why)) != ST_OK)
		return st;
	return get_rows(s, out, n, way, why);
}

enum status
shape_get(const struct shape *s, void *out, const struct node *n, enum shape_way way,
    struct fault *why)
{
	enum status	st;

	if (way == SHAPE_WRITTEN) {
		shape_set_defaults(s, out);
		return get_object(s, out, n, way, why);
	}
	shape_clear(s, out);
	if ((st = get_object(s, out, n, way, why)) != ST_OK)
		shape_release(s, out);
	return st;
}
