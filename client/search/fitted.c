/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "client/search/fitted.h"

double
fitted_difference(const struct fitted *f)
{
	return f->reached_ns / f->asked_ns - 1;
}

json_t *
fitted_context(const struct fitted *f)
{
	if (f->is_cold)
		return json_string("cold");
	return f->flush_bytes == 0 ? json_string("warm") :
	    json_pack("{s:I}", "flush_bytes", (json_int_t)f->flush_bytes);
}

static json_t *
curve(const struct fitted *f)
{
	json_t	*list = json_array();

	for (size_t i = 0; i < f->n; i++)
		(void)json_array_append_new(list, json_pack("{s:I, s:f, s:I}",
		    "flush_bytes", (json_int_t)f->point[i].bytes,
		    "time_ns", f->point[i].time_ns, "times", (json_int_t)f->point[i].times));
	return list;
}

json_t *
fitted_document(const struct fitted *f)
{
	const struct solve_point	*top = &f->point[f->n - 1];

	return json_pack("{s:f, s:s, s:o, s:f, s:f, s:f, s:f, s:f, s:I, s:o, s:o}",
	    "asked_ns", f->asked_ns, "outcome", solve_end_name(f->end),
	    "context", fitted_context(f), "reached_ns", f->reached_ns,
	    "difference", fitted_difference(f), "band", f->band,
	    "warm_ns", f->point[0].time_ns, "flushed_ns", top->time_ns,
	    "flushed_bytes", (json_int_t)top->bytes,
	    "cold_ns", isnan(f->cold_ns) ? json_null() : json_real(f->cold_ns),
	    "evaluations", curve(f));
}
