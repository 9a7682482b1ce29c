/* SPDX-License-Identifier: Apache-2.0 */
/* Documents of users without what goes without saying. */
#include <string.h>

#include "proto/json/shape.h"

static bool
is_word(const struct shape_row *r, const json_t *value)
{
	const char	*text = json_string_value(value);

	return r->words != NULL && text != NULL && strcmp(text, r->words[(size_t)r->preset]) == 0;
}

static bool
is_text(const char *preset, const json_t *value)
{
	json_t		*said = preset != NULL ? json_loads(preset, JSON_DECODE_ANY, NULL) : NULL;
	const bool	 same = said != NULL && json_equal(said, value);

	json_decref(said);
	return same;
}

/* Where it matters that the member is there, the default stands for nothing. */
static bool
is_default(const struct shape_row *r, const json_t *value)
{
	const double	x = json_number_value(value);

	if (r->kind == SHAPE_OWN && is_text(r->preset_text, value))
		return true;
	if (!r->has_default || r->has != 0)
		return false;
	if (json_is_boolean(value))
		return r->kind == SHAPE_FLAG && json_is_true(value) == (r->preset != 0);
	if (json_is_number(value))
		return r->kind != SHAPE_OWN && !(x < r->preset) && !(x > r->preset);
	return is_word(r, value);
}

static void
leave_out_of_each(const struct shape_row *each, json_t *map)
{
	const char	*name;
	json_t		*value;

	json_object_foreach(map, name, value)
		if (each->of != NULL && json_is_object(value))
			shape_leave_out_defaults(each->of, value);
}

static void
leave_out_within(const struct shape_row *r, json_t *value)
{
	if (!json_is_object(value))
		return;
	if (r->of != NULL)
		shape_leave_out_defaults(r->of, value);
	else if (r->each != NULL)
		leave_out_of_each(r->each, value);
}

void
shape_leave_out_defaults(const struct shape *s, json_t *object)
{
	for (size_t i = 0; i < s->rows; i++) {
		const struct shape_row	*r = &s->row[i];
		json_t			*value = json_object_get(object, r->name);

		if (value == NULL)
			continue;
		leave_out_within(r, value);
		if (is_default(r, value) ||
		    (r->kind == SHAPE_OBJECT && r->has_default && json_object_size(value) == 0))
			(void)json_object_del(object, r->name);
	}
}
