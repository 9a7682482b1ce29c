/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "daemon/judge/overlap.h"
#include "daemon/judge/summary.h"

/* A corrected time moves with its interval. */
static double
scale_of(const struct result *r)
{
	return isnan(r->corrected_ns) || !(r->time.value_ns > 0) ? 1 :
	    r->corrected_ns / r->time.value_ns;
}

static json_t *
compare(const struct result *first, const struct result *second)
{
	const double		 x = scale_of(first), y = scale_of(second);
	const struct summary	*a = summary_ranked(&first->time);
	const struct summary	*b = summary_ranked(&second->time);
	const double		 median = second->time.raw.median_ns * y;
	json_t			*o = json_pack("{s:f}", "ratio", median > 0 ?
				    first->time.raw.median_ns * x / median : 1);

	(void)json_object_set_new(o, "overlap", !a->has_ci95_ns || !b->has_ci95_ns ? json_null() :
	    json_boolean(a->ci95_ns[0] * x <= b->ci95_ns[1] * y &&
	    b->ci95_ns[0] * y <= a->ci95_ns[1] * x));
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
			o = compare(&a, &b);
		result_release(&b);
	}
	result_release(&a);
	return o;
}
