/* SPDX-License-Identifier: Apache-2.0 */
/* A metric beside the time: the library that measures it, and what it is called. */
#include <stdlib.h>

#include "proto/spec/spec_parts.h"

#define ROW(member, ...) SHAPE_ROW(struct metric, member, __VA_ARGS__)
static const struct shape_row	metric_rows[] = {
	ROW(library, SHAPE_OBJECT, .of = &variant_shape, .required = true),
	ROW(name, SHAPE_LABEL, .least = 1, .most = SPEC_MAX_METRIC),
	ROW(unit, SHAPE_LABEL, .least = 1, .most = SPEC_MAX_METRIC),
};
const struct shape		metric_shape = SHAPE_OF(struct metric, metric_rows);

enum status
spec_get_metric(void *out, const struct node *n, struct fault *why)
{
	struct metric	*m = out;

	m->present = true;
	return shape_get(&metric_shape, m, n, SHAPE_WRITTEN, why);
}

enum status
spec_check_metric(const struct spec *s, const struct node *timing, struct fault *why)
{
	const struct node	metric = decode_member(timing, "metric");
	const struct node	library = decode_member(&metric, "library");
	enum status		st = ST_OK;

	if (!s->timing.metric.present)
		return ST_OK;
	if (s->checkpoint != NULL)
		st = decode_refuse(timing, "metric", why,
		    "would be that of an application's whole run, not of a call");
	else if (s->timing.layout == LAYOUT_RANDOM)
		st = decode_refuse(timing, "metric", why,
		    "is measured in one process, and layout: random has many");
	if (st == ST_OK)
		return spec_check_macros(s, &s->timing.metric.library, &library, why);
	fault_hint(why, "leave metric out");
	return st;
}

void
spec_release_metric(struct metric *m)
{
	spec_release_variant(&m->library);
	free(m->name);
	free(m->unit);
}
