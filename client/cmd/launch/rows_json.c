/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a launch as one JSON document. */
#include <math.h>

#include "client/cmd/launch/rows.h"

static json_t *
real(double x)
{
	return isfinite(x) ? json_real(x) : json_null();
}

static json_t *
count(double x)
{
	return isfinite(x) && fabs(x) < 0x1p53 ? json_integer((json_int_t)x) : json_null();
}

static json_t *
offsets_of(const struct launch_row *row, unsigned n)
{
	json_t	*list = json_array();

	for (unsigned i = 0; i < n; i++)
		(void)json_array_append_new(list, count(row->offsets[i]));
	return list;
}

static void
add_counters(const struct launch_row *row, const struct launch *l, json_t *o)
{
	json_t	*counters = json_object();

	for (unsigned i = 0; i < l->ncounters; i++)
		(void)json_object_set_new(counters, l->counter[i], real(row->counter[i]));
	(void)json_object_set_new(o, "counters", counters);
}

/* What was asked for alone, as the columns of CSV. */
static void
add_asked(const struct launch_row *row, const struct launch *l, json_t *o)
{
	if (l->survey.n > 0)
		(void)json_object_set_new(o, "offsets", offsets_of(row, l->survey.n));
	if (l->nfrequencies > 0) {
		(void)json_object_set_new(o, "khz", count(row->khz));
		(void)json_object_set_new(o, "ns", real(row->value * row->in_ns));
	}
	if (l->has_programs) {
		(void)json_object_set_new(o, "level", row->level[0] != '\0' ?
		    json_string(row->level) : json_null());
		(void)json_object_set_new(o, "steady", real(row->steady));
		(void)json_object_set(o, "meta", row->meta);
	}
	if (l->ncounters > 0)
		add_counters(row, l, o);
	if (l->metric != NULL) {
		(void)json_object_set_new(o, "metric", real(row->metric));
		(void)json_object_set_new(o, "metric_unit", row->metric_unit != NULL ?
		    json_string(row->metric_unit) : json_null());
	}
}

static json_t *
row_json(const struct launch_row *row, const struct launch *l)
{
	json_t	*o = json_pack("{s:I, s:s, s:o, s:I, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:I, s:s}",
	    "job", (json_int_t)row->job, "kernel", row->kernel, "elements", count(row->n),
	    "copies", (json_int_t)row->copies, "cpu", row->cpu >= 0 ? json_integer(row->cpu) :
	    json_null(), "status", row->status, "iterations", real(row->iterations), "value",
	    real(row->value), "min", real(row->min), "max", real(row->max), "unit",
	    isfinite(row->value) ? json_string(row->unit) : json_null(), "samples",
	    (json_int_t)row->samples, "note", row->note);

	add_asked(row, l, o);
	return o;
}

json_t *
launch_rows_json(const struct launch_rows *r)
{
	json_t	*list = json_array();

	for (size_t i = 0; i < r->n; i++)
		(void)json_array_append_new(list, row_json(&r->at[i], r->launch));
	return json_pack("{s:s, s:o}", "sweep", r->sweep, "rows", list);
}
