/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "client/tune/made.h"

static uint32_t
number_of(const json_t *values, const json_t *wanted)
{
	size_t	n = json_array_size(values);

	for (size_t i = 0; i < n; i++)
		if (json_equal(json_array_get(values, i), wanted))
			return (uint32_t)i;
	return (uint32_t)n;
}

static enum status
find_values(struct made *m, const json_t *points, struct fault *why)
{
	const json_t	*point;
	const char	*name;
	json_t		*value;
	size_t		 i;

	json_object_foreach(json_array_get(points, 0), name, value) {
		if (m->ndims == MADE_MAX_DIMENSIONS)
			return fault_set(why, ST_BAD_SPEC, "a script has more than %d parameters",
			    MADE_MAX_DIMENSIONS);
		m->name[m->ndims] = name;
		m->values[m->ndims++] = json_array();
	}
	json_array_foreach(points, i, point) {
		for (size_t d = 0; d < m->ndims; d++) {
			value = json_object_get(point, m->name[d]);
			if (number_of(m->values[d], value) == json_array_size(m->values[d]))
				(void)json_array_append(m->values[d], value);
		}
	}
	return ST_OK;
}

static size_t
place_of(const struct made *m, const uint32_t *at)
{
	size_t	place = 0;

	for (size_t d = 0; d < m->ndims; d++)
		place = place * json_array_size(m->values[d]) + at[d];
	return place;
}

static enum status
number_points(struct made *m, const json_t *points, struct fault *why)
{
	const json_t	*point;
	size_t		 i, n = 1;
	uint32_t	 at[MADE_MAX_DIMENSIONS];

	for (size_t d = 0; d < m->ndims; d++)
		if (__builtin_mul_overflow(n, json_array_size(m->values[d]), &n) ||
		    n > MADE_MAX_POINTS)
			return fault_set(why, ST_BAD_SPEC, "a script makes more than %d points",
			    MADE_MAX_POINTS);
	if ((m->variant = calloc(n, sizeof *m->variant)) == NULL)
		return fault_set(why, ST_NOMEM, "points of a script");
	json_array_foreach(points, i, point) {
		for (size_t d = 0; d < m->ndims; d++)
			at[d] = number_of(m->values[d], json_object_get(point, m->name[d]));
		m->variant[place_of(m, at)] = (uint32_t)i + 1;
	}
	return ST_OK;
}

enum status
made_open(struct made *m, const json_t *points, struct fault *why)
{
	enum status	st;

	*m = (struct made){ .ndims = 0 };
	if (json_object_size(json_array_get(points, 0)) == 0)
		return ST_OK;
	if ((st = find_values(m, points, why)) == ST_OK)
		st = number_points(m, points, why);
	return st;
}

void
made_release(struct made *m)
{
	for (size_t d = 0; d < m->ndims; d++)
		json_decref(m->values[d]);
	free(m->variant);
	*m = (struct made){ .ndims = 0 };
}

bool
made_variant(const struct made *m, const uint32_t *at, size_t *variant)
{
	const uint32_t	found = m->variant[place_of(m, at)];

	*variant = found > 0 ? found - 1 : 0;
	return found > 0;
}
