/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "daemon/view/distinct.h"

bool
distinct_init(struct distinct *w)
{
	*w = (struct distinct){ .values = json_array(), .number = json_object() };
	return w->values != NULL && w->number != NULL;
}

void
distinct_release(struct distinct *w)
{
	json_decref(w->values);
	json_decref(w->number);
	free(w->last);
	column_release(&w->at);
}

static bool
is_last(const struct distinct *w, const char *text)
{
	return w->last != NULL && strcmp(w->last, text) == 0;
}

static enum status
set_last(struct distinct *w, const char *text, json_int_t at)
{
	free(w->last);
	w->last_at = at;
	return (w->last = strdup(text)) != NULL ? ST_OK : ST_NOMEM;
}

static enum status
add_new(struct distinct *w, const char *text)
{
	const json_int_t	at = (json_int_t)json_array_size(w->values);

	if (json_array_append_new(w->values, json_loads(text, JSON_DECODE_ANY, NULL)) != 0 ||
	    json_object_set_new(w->number, text, json_integer(at)) != 0)
		return ST_NOMEM;
	return set_last(w, text, at);
}

static enum status
find(struct distinct *w, const char *text)
{
	const json_t	*at;

	if (is_last(w, text))
		return ST_OK;
	if ((at = json_object_get(w->number, text)) == NULL)
		return add_new(w, text);
	return set_last(w, text, json_integer_value(at));
}

void
distinct_again(struct distinct *w)
{
	column_int(&w->at, w->last_at);
	w->n++;
}

enum status
distinct_add_text(struct distinct *w, const char *value)
{
	enum status	st = find(w, value);

	if (st == ST_OK)
		distinct_again(w);
	return st;
}

enum status
distinct_add(struct distinct *w, const json_t *value)
{
	char		*text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
	enum status	 st = text != NULL ? distinct_add_text(w, text) : ST_NOMEM;

	free(text);
	return st;
}

void
distinct_skip(struct distinct *w, size_t n)
{
	for (; w->n < n; w->n++)
		column_null(&w->at);
}
