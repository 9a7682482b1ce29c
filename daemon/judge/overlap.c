/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "daemon/judge/overlap.h"
#include "proto/wire/result.h"

/* The interval of its estimator; NULL: none. */
static const double *
interval_of(const struct result_time *t)
{
	const bool		 normalised = t->has_normalised && t->estimator != NULL &&
				    strcmp(t->estimator, "normalised") == 0;
	const struct summary	*s = normalised ? &t->normalised : &t->raw;

	return s->has_ci95_ns ? s->ci95_ns : NULL;
}

static json_t *
compare(const struct result_time *first, const struct result_time *second)
{
	const double	*a = interval_of(first), *b = interval_of(second);
	json_t		*o = json_pack("{s:f}", "ratio", second->raw.median_ns > 0 ?
			    first->raw.median_ns / second->raw.median_ns : 0);

	(void)json_object_set_new(o, "overlap", a == NULL || b == NULL ? json_null() :
	    json_boolean(a[0] <= b[1] && b[0] <= a[1]));
	return o;
}

json_t *
overlap_json(const json_t *first, const json_t *second)
{
	struct result	a, b;
	json_t		*o = json_null();

	if (result_get(&a, first, SHAPE_LENIENT, NULL) != ST_OK)
		return o;
	if (result_get(&b, second, SHAPE_LENIENT, NULL) == ST_OK) {
		if (a.has_time && b.has_time)
			o = compare(&a.time, &b.time);
		result_release(&b);
	}
	result_release(&a);
	return o;
}
