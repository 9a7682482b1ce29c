/* SPDX-License-Identifier: Apache-2.0 */
/*
 * print_members: what the decoder's tables say of each member, as one JSON object:
 * { "job": { PATH: FACTS }, "sweep": …, "compare": … }.  A path is that of a fault, with "[]" for
 * any element and "*" for any name.  Facts have the names of JSON Schema where it has one.
 */
#include <float.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/spec/spec_parts.h"

enum { PATH_BYTES = 200 };

/* ---- types ---- */

static const char *const	form_types[] = {
	"integer", "string", "string", "array", "object", "number", "boolean", "null",
};

static unsigned
forms_of(const struct shape_row *r)
{
	switch (r->kind) {
	case SHAPE_FLAG:	return FORM_FLAG;
	case SHAPE_COUNT:
	case SHAPE_SIZE:
	case SHAPE_INTEGER:	return FORM_INTEGER;
	case SHAPE_REAL:	return FORM_NUMBER;
	case SHAPE_LABEL:
	case SHAPE_STRING:	return FORM_TEXT;
	default:		return r->forms;
	}
}

static json_t *
types_of(const struct shape_row *r)
{
	const unsigned	forms = forms_of(r);
	json_t		*types = json_array();

	for (unsigned i = 0; i < sizeof form_types / sizeof form_types[0]; i++)
		if ((forms & 1u << i) != 0)
			json_array_append_new(types, json_string(form_types[i]));
	if (r->of != NULL)
		json_array_append_new(types, json_string("object"));
	return types;
}

/* ---- bounds ---- */

static void
put_bounds(json_t *o, const char *least, const char *most, int64_t from, int64_t to)
{
	if (from != 0)
		json_object_set_new(o, least, json_integer(from));
	if (to != 0)
		json_object_set_new(o, most, json_integer(to));
}

/* An integer has a lower bound always. */
static void
put_integer_bounds(json_t *o, const struct shape_row *r)
{
	const bool	bounded = r->least != 0 || r->most != 0;

	json_object_set_new(o, "minimum", json_integer(r->least));
	json_object_set_new(o, "maximum", json_integer(bounded ? r->most :
	    r->kind == SHAPE_COUNT ? UINT_MAX - 1 : INT64_MAX));
	if (r->power_of_two)
		json_object_set_new(o, "power_of_two", json_true());
}

static void
put_number_bounds(json_t *o, const struct shape_row *r)
{
	if (r->low == 0 && r->high == 0)
		return;
	json_object_set_new(o, "minimum", json_real(r->low));
	if (r->high < DBL_MAX)
		json_object_set_new(o, "maximum", json_real(r->high));
}

static void
put_limits(json_t *o, const struct shape_row *r)
{
	const unsigned	forms = forms_of(r);

	if (r->kind == SHAPE_REAL)
		put_number_bounds(o, r);
	else if ((forms & FORM_INTEGER) != 0)
		put_integer_bounds(o, r);
	else if ((forms & FORM_BASE64) != 0)
		put_bounds(o, "minLength", "maxLength", 0, (r->most + 2) / 3 * 4);
	else if ((forms & FORM_TEXT) != 0)
		put_bounds(o, "minLength", "maxLength", r->least, r->most);
	else if ((forms & FORM_LIST) != 0)
		put_bounds(o, "minItems", "maxItems", r->least, r->most);
	else
		put_bounds(o, "minProperties", "maxProperties", r->least, r->most);
}

/* ---- the rest ---- */

static json_t *
words_of(const struct shape_row *r)
{
	json_t	*words = json_array();

	for (size_t i = 0; r->words[i] != NULL; i++)
		json_array_append_new(words, json_string(r->words[i]));
	return words;
}

/* NULL: none that is the same for every document. */
static json_t *
default_of(const struct shape_row *r)
{
	if (r->preset_text != NULL)
		return r->kind == SHAPE_LABEL ? json_string(r->preset_text) :
		    json_loads(r->preset_text, JSON_DECODE_ANY, NULL);
	if (!r->has_default)
		return NULL;
	if (r->words != NULL)
		return json_string(r->words[(unsigned)r->preset]);
	if (r->kind == SHAPE_OBJECT)
		return json_object();
	if (r->kind == SHAPE_FLAG)
		return json_boolean(r->preset != 0);
	return r->kind == SHAPE_REAL ? json_real(r->preset) : json_integer((json_int_t)r->preset);
}

static json_t *
facts_of(const struct shape_row *r)
{
	json_t	*o = json_pack("{s:o, s:b}", "types", types_of(r), "required", r->required);

	put_limits(o, r);
	if (r->words != NULL)
		json_object_set_new(o, "words", words_of(r));
	if (r->preset_text != NULL || r->has_default)
		json_object_set_new(o, "default", default_of(r));
	return o;
}

/* ---- the tables ---- */

static void	add_shape(json_t *to, const char *path, const struct shape *);

static void
add_row(json_t *to, const char *path, const struct shape_row *r)
{
	char	inner[PATH_BYTES + 4];

	json_object_set_new(to, path, facts_of(r));
	if (r->each != NULL) {
		(void)snprintf(inner, sizeof inner, "%s%s", path,
		    (r->forms & FORM_LIST) != 0 ? "[]" : ".*");
		add_row(to, inner, r->each);
	}
	if (r->of != NULL)
		add_shape(to, path, r->of);
}

static void
add_shape(json_t *to, const char *path, const struct shape *s)
{
	for (size_t i = 0; i < s->rows; i++) {
		char	inner[PATH_BYTES];

		(void)snprintf(inner, sizeof inner, "%s%s%s", path, *path != '\0' ? "." : "",
		    s->row[i].name);
		if (s->row[i].kind == SHAPE_INLINE)
			add_shape(to, path, s->row[i].of);
		else
			add_row(to, inner, &s->row[i]);
	}
}

static json_t *
members_of(const struct shape *s)
{
	json_t	*members = json_object();

	add_shape(members, "", s);
	return members;
}

int
main(void)
{
	json_t	*all = json_pack("{s:o, s:o, s:o, s:o}", "job", members_of(&job_shape), "sweep",
	    members_of(&sweep_shape), "variants",
	    members_of(&variants_document_shape), "compare", members_of(&contest_document_shape));

	if (json_dumpf(all, stdout, JSON_INDENT(1)) != 0)
		return EXIT_FAILURE;
	json_decref(all);
	putchar('\n');
	return EXIT_SUCCESS;
}
