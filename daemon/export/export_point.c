/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The points of a sweep's results.  A job of a space has its point in `meta`, under the names of
 * the dimensions (proto/sweep/points.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/export/export_impl.h"
#include "proto/text/hidden.h"

#define OF_VARIANTS	"variant"

/* A space has an iterator for its dimensions; NULL: past the last. */
static void *
dimension_at(const struct export *e, size_t at)
{
	json_t	*space = json_object_get(e->doc, "space");
	void	*i = json_object_iter(space);

	while (i != NULL && at-- > 0)
		i = json_object_iter_next(space, i);
	return i;
}

size_t
export_dimensions(const struct export *e)
{
	const size_t	n = json_object_size(json_object_get(e->doc, "space"));

	return n > 0 ? n : 1;
}

const char *
export_dimension(const struct export *e, size_t at)
{
	void	*i = dimension_at(e, at);

	return i != NULL ? json_object_iter_key(i) : OF_VARIANTS;
}

const json_t *
export_values(const struct export *e, size_t at)
{
	void	*i = dimension_at(e, at);

	return i != NULL ? json_object_iter_value(i) : NULL;
}

/* ---- values ---- */

/* Is it this source, or the word for it? */
static bool
stands_for(const json_t *value, const json_t *source)
{
	json_t	*word = hidden_word(source);
	bool	 same = json_equal(value, source) || json_equal(value, word);

	json_decref(word);
	return same;
}

/* "#2": the third of the space's values; what export_hide has put there stays. */
static json_t *
place_of(const json_t *values, const json_t *value)
{
	const char	*text = json_string_value(value);
	size_t		 at;
	json_t		*each;

	json_array_foreach(values, at, each)
		if (stands_for(value, each))
			return json_sprintf("#%zu", at);
	return json_string(text != NULL && text[0] == '#' && strpbrk(text, "\r\n") == NULL ? text :
	    "#?");
}

void
export_hide(const struct export *e, json_t *result)
{
	const json_t	*space = json_object_get(e->doc, "space");
	json_t		*meta = json_object_get(result, "meta"), *each;
	const char	*name;

	json_object_foreach(meta, name, each)
		if (hidden_is_source(name, each))
			(void)json_object_set_new(meta, name,
			    place_of(json_object_get(space, name), each));
}

static json_t *
joined(const json_t *texts)
{
	struct text	 t = { .at = NULL };
	const char	*s;
	json_t		*each, *out;
	char		*text;
	size_t		 i;

	json_array_foreach(texts, i, each) {
		if ((s = json_string_value(each)) == NULL) {
			free(text_take(&t));
			return NULL;
		}
		if (i > 0)
			text_char(&t, ' ');
		text_raw(&t, s, strlen(s));
	}
	if ((text = text_take(&t)) == NULL)
		return NULL;
	out = json_string(text);
	free(text);
	return out;
}

static json_t *
as_text(const json_t *value)
{
	char	*text = json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);
	json_t	*out = text != NULL ? json_string(text) : NULL;

	free(text);
	return out;
}

static json_t *
scalar_of(const char *name, const json_t *values, const json_t *value)
{
	json_t	*list;

	if (value == NULL)
		return json_null();
	if (hidden_is_source(name, value))
		return place_of(values, value);
	if (!json_is_array(value) && !json_is_object(value))
		return json_incref((json_t *)(uintptr_t)value);
	list = json_is_array(value) ? joined(value) : NULL;
	return list != NULL ? list : as_text(value);
}

json_t *
export_value(const struct export *e, size_t at, const struct export_row *row)
{
	const json_t	*values = export_values(e, at);
	const char	*name = export_dimension(e, at);

	if (values == NULL)
		return json_string(row->result->name != NULL ? row->result->name : "");
	return scalar_of(name, values, json_object_get(row->result->meta, name));
}

/* A whole variant stands in `meta` by its name, or by its number. */
json_t *
export_value_at(const struct export *e, size_t dimension, size_t at)
{
	const char	*name = export_dimension(e, dimension);
	const json_t	*values = export_values(e, dimension), *v = json_array_get(values, at);
	json_t		*own = json_object_get(v, "name");

	if (strcmp(name, "variant") != 0 || !json_is_object(v))
		return scalar_of(name, values, v);
	return json_is_string(own) ? scalar_of(name, values, own) : json_integer((json_int_t)at);
}

/* ---- plain text ---- */

/* The shortest digits that read back, placed as by Python's repr. */
static char *
python_real(double x)
{
	char	 digits[40], *text = NULL;
	int	 n = 0, exponent;

	do
		(void)snprintf(digits, sizeof digits, "%.*e", n, x);
	while (strtod(digits, NULL) != x && ++n < 17);
	exponent = atoi(strchr(digits, 'e') + 1);
	if (exponent >= -4 && exponent < 16)
		n = asprintf(&text, "%.*f", n > exponent ? n - exponent : 1, x);
	else
		n = asprintf(&text, "%s", digits);
	return n >= 0 ? text : NULL;
}

char *
export_plain(const json_t *v, enum export_words words)
{
	static const char *const	of[][3] = { { "true", "false", "null" },
					    { "True", "False", "None" } };

	if (json_is_string(v))
		return strdup(json_string_value(v));
	if (json_is_real(v))
		return python_real(json_real_value(v));
	if (json_is_integer(v))
		return json_dumps(v, JSON_ENCODE_ANY);
	return strdup(of[words][json_is_true(v) ? 0 : json_is_false(v) ? 1 : 2]);
}

char *
export_label(const struct export *e, const struct result *r)
{
	const char	*routine = r->routine != NULL ? r->routine : "";
	const char	*name = r->name != NULL ? r->name : "";
	char		*label = NULL;
	int		 n;

	n = e->names_repeat ? asprintf(&label, "%s/%s #%lld", routine, name, (long long)r->job) :
	    asprintf(&label, "%s/%s", routine, name);
	return n >= 0 ? label : NULL;
}
