/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/page/chart.h"
#include "client/page/html.h"
#include "client/page/search_page.h"
#include "client/print/format.h"
#include "client/print/member.h"

enum { MOST_AXES = 16, MOST_LINES = 600, MOST_CELLS = 4096 };

struct search_view {
	FILE			*to;		/* borrowed */
	const json_t		*outcome;	/* borrowed, as are its records */
	const json_t		*records;
	struct chart_axis	 axis[MOST_AXES];
	unsigned		*at;		/* owned; naxes numbers for each record */
	struct chart_value	*value;		/* owned; of each record */
	size_t			 naxes, n;
	chart_format_fn		*format;
};

/* ---- reading ---- */

static char *
label_of(const json_t *v)
{
	const json_t	*item;
	size_t		 i, used = 0;
	char		 text[128] = "";

	if (json_is_string(v))
		return strdup(json_string_value(v));
	if (json_is_object(v) && json_object_get(v, "name") != NULL)
		return strdup(member_text(v, "name"));
	if (!json_is_array(v))
		return json_dumps(v, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(6));
	json_array_foreach(v, i, item)
		if (used < sizeof text)
			used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
			    i > 0 ? " " : "", json_is_string(item) ? json_string_value(item) :
			    "?");
	return strdup(text);
}

/* A dimension of the points is an axis if it has more than one value. */
static void
add_axis(struct search_view *v, const char *name, const json_t *values)
{
	struct chart_axis	*a = &v->axis[v->naxes];
	const char		**label = calloc(json_array_size(values) + 1, sizeof *label);
	const json_t		*value;
	size_t			 i;

	if (label == NULL)
		return;
	json_array_foreach(values, i, value)
		label[i] = label_of(value);
	*a = (struct chart_axis){ .name = name, .label = label, .n = json_array_size(values) };
	v->naxes++;
}

static void
add_axes(struct search_view *v)
{
	const json_t	*point = json_object_get(json_array_get(v->records, 0), "point");
	const char	*name;
	json_t		*values;

	json_object_foreach(json_object_get(v->outcome, "dimensions"), name, values)
		if (json_object_get(point, name) != NULL && json_array_size(values) > 1 &&
		    v->naxes < MOST_AXES)
			add_axis(v, name, values);
}

static unsigned
number_of(const json_t *values, const json_t *wanted, bool whole_variants)
{
	const json_t	*value;
	size_t		 i;

	if (whole_variants && json_is_integer(wanted))
		return (unsigned)json_integer_value(wanted);
	json_array_foreach(values, i, value)
		if (json_equal(value, wanted))
			return (unsigned)i;
	return 0;
}

static bool
is_stopped(const json_t *record)
{
	const json_t	*cell;
	size_t		 i;

	json_array_foreach(json_object_get(record, "cells"), i, cell)
		if (strcmp(member_text(cell, "status"), "stopped") == 0)
			return true;
	return false;
}

static char *
name_of(const struct search_view *v, size_t record)
{
	char	text[256] = "";
	size_t	used = 0;

	for (size_t k = 0; k < v->naxes && used < sizeof text; k++)
		used += (size_t)snprintf(text + used, sizeof text - used, "%s%s=%s",
		    k > 0 ? " " : "", v->axis[k].name,
		    v->axis[k].label[v->at[record * v->naxes + k]]);
	return strdup(text);
}

static bool
read_records(struct search_view *v)
{
	const json_t	*space = json_object_get(v->outcome, "dimensions"), *record;
	size_t		 i;

	v->at = calloc(v->n * (v->naxes + 1), sizeof *v->at);
	v->value = calloc(v->n + 1, sizeof *v->value);
	if (v->at == NULL || v->value == NULL)
		return false;
	json_array_foreach(v->records, i, record) {
		const double	value = member_number(record, "value");

		for (size_t k = 0; k < v->naxes; k++) {
			const json_t	*values = json_object_get(space, v->axis[k].name);
			unsigned	 at = number_of(values, json_object_get(
					    json_object_get(record, "point"), v->axis[k].name),
					    json_is_object(json_array_get(values, 0)));

			v->at[i * v->naxes + k] = at < v->axis[k].n ? at : 0;
		}
		v->value[i] = (struct chart_value){ isfinite(value) && value > 0 ? value :
		    INFINITY, is_stopped(record), name_of(v, i) };
	}
	return true;
}

static void
release(struct search_view *v)
{
	for (size_t k = 0; k < v->naxes; k++) {
		for (size_t i = 0; i < v->axis[k].n; i++)
			free((char *)(uintptr_t)v->axis[k].label[i]);
		free((char **)(uintptr_t)v->axis[k].label);
	}
	for (size_t i = 0; v->value != NULL && i < v->n; i++)
		free((char *)(uintptr_t)v->value[i].name);
	free(v->at);
	free(v->value);
}

/* ---- drawing ---- */

/* The two axes with the most values; each cell has the least over all others. */
static void
put_heat(const struct search_view *v)
{
	size_t	x = 0, y, cells;
	double	*least;

	for (size_t k = 1; k < v->naxes; k++)
		x = v->axis[k].n > v->axis[x].n ? k : x;
	y = x == 0 ? 1 : 0;
	for (size_t k = 0; k < v->naxes; k++)
		y = k != x && v->axis[k].n > v->axis[y].n ? k : y;
	cells = v->axis[x].n * v->axis[y].n;
	if (cells > MOST_CELLS || (least = malloc(cells * sizeof *least)) == NULL)
		return;
	for (size_t i = 0; i < cells; i++)
		least[i] = INFINITY;
	for (size_t i = 0; i < v->n; i++) {
		const unsigned	*at = &v->at[i * v->naxes];
		double		*to = &least[at[y] * v->axis[x].n + at[x]];

		*to = fmin(*to, v->value[i].value);
	}
	html_block(v->to, "h2", v->naxes > 2 ? "The best at each pair of the two largest "
	    "dimensions" : "The space");
	chart_heat(v->to, &v->axis[x], &v->axis[y], least, v->format);
	free(least);
}

static void
put_charts(const struct search_view *v)
{
	html_block(v->to, "h2", "The best so far");
	(void)fputs("<p class=\"key\">A dot is a point with its time, a ring one that was stopped "
	    "early: what its first look showed.</p>", v->to);
	chart_curve(v->to, v->value, v->n, v->format);
	if (v->naxes >= 2)
		put_heat(v);
	if (v->naxes >= 3) {
		html_block(v->to, "h2", "All dimensions");
		(void)fputs("<p class=\"key\">A line is a point: the darker, the faster; red is "
		    "the best.</p>", v->to);
		chart_parallel(v->to, v->axis, v->naxes, v->at, v->value,
		    v->n < MOST_LINES ? v->n : MOST_LINES);
	}
}

/* ---- words ---- */

static void
put_row(FILE *to, const char *label, const char *text)
{
	(void)fputs("<tr><th>", to);
	html_text(to, label);
	(void)fputs("</th><td>", to);
	html_text(to, text);
	(void)fputs("</td></tr>\n", to);
}

static void
put_summary(const struct search_view *v)
{
	const json_t	*o = v->outcome;
	char		 text[160], value[FORMAT_BYTES];

	html_block(v->to, "h1", member_text(o, "name"));
	(void)fputs("<table>", v->to);
	put_row(v->to, "winner", member_text(json_object_get(o, "winner"), "name"));
	put_row(v->to, "its value",
	    v->format(member_number(json_object_get(o, "winner"), "value"), value));
	(void)snprintf(text, sizeof text, "%.0f timed, %.0f stopped early, %.0f failed; ended by: "
	    "%s", member_number(o, "timed"), member_number(o, "stopped"),
	    member_number(o, "failed"), member_text(o, "end"));
	put_row(v->to, "points", text);
	(void)snprintf(text, sizeof text, "%s, seed %.0f, window %.0f", member_text(o, "strategy"),
	    member_number(o, "seed"), member_number(o, "window"));
	put_row(v->to, "search", text);
	(void)fputs("</table>\n", v->to);
}

/* A winner for each size and context. */
static void
put_winners(const struct search_view *v)
{
	const json_t	*winners = json_object_get(v->outcome, "winners"), *w;
	size_t		 i;
	char		*cell, text[FORMAT_BYTES];

	if (json_array_size(winners) < 2)
		return;
	html_block(v->to, "h2", "The fastest in each cell");
	(void)fputs("<table>", v->to);
	json_array_foreach(winners, i, w) {
		cell = json_dumps(json_object_get(w, "cell"), JSON_COMPACT);
		(void)fputs("<tr><td>", v->to);
		html_text(v->to, cell != NULL ? cell : "");
		(void)fputs("</td><td>", v->to);
		html_text(v->to, member_text(json_object_get(w, "winner"), "name"));
		(void)fputs("</td><td class=\"n\">", v->to);
		html_text(v->to, format_duration_ns(member_number(w, "time_ns"), text));
		(void)fputs("</td></tr>\n", v->to);
		free(cell);
	}
	(void)fputs("</table>\n", v->to);
}

/* Fast and large to slow and small. */
static void
put_front(const struct search_view *v)
{
	const json_t	*front = json_object_get(v->outcome, "front"), *one;
	size_t		 i;
	char		 text[FORMAT_BYTES];

	if (json_array_size(front) == 0)
		return;
	html_block(v->to, "h2", "No other point is as fast with as little code");
	(void)fputs("<table>", v->to);
	json_array_foreach(front, i, one) {
		(void)fputs("<tr><td>", v->to);
		html_text(v->to, member_text(one, "name"));
		(void)fputs("</td><td class=\"n\">", v->to);
		html_text(v->to, v->format(member_number(one, "value"), text));
		(void)fprintf(v->to, "</td><td class=\"n\">%.0f bytes</td></tr>\n",
		    member_number(one, "code_bytes"));
	}
	(void)fputs("</table>\n", v->to);
}

static void
put_job(FILE *to, const json_t *job)
{
	const char	*source = member_text(json_object_get(job, "variant"), "source");
	char		*text = json_dumps(job, JSON_COMPACT);

	html_block(to, "h2", "The winner's source");
	html_block(to, "pre", source);
	html_block(to, "h2", "To time it again");
	(void)fputs("<pre>assay time - &lt;&lt;'END'\n", to);
	html_text(to, text != NULL ? text : "");
	(void)fputs("\nEND</pre>\n", to);
	free(text);
}

/* Ratios over several cells are plain numbers. */
static chart_format_fn *
format_of(const json_t *outcome)
{
	return json_array_size(json_object_get(outcome, "cells")) < 2 &&
	    strcmp(member_text(outcome, "objective"), "code") != 0 ? format_duration_ns :
	    format_number;
}

enum status
search_page(const char *path, const json_t *outcome, const json_t *job, struct fault *why)
{
	const json_t		*records = json_object_get(outcome, "records");
	struct search_view	 v = { .outcome = outcome, .records = records,
				    .n = json_array_size(records), .format = format_of(outcome) };
	bool			 ok;

	if ((v.to = fopen(path, "w")) == NULL)
		return fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	html_begin(v.to, member_text(outcome, "name"));
	put_summary(&v);
	add_axes(&v);
	if (v.n > 0 && read_records(&v))
		put_charts(&v);
	put_winners(&v);
	put_front(&v);
	if (job != NULL)
		put_job(v.to, job);
	html_end(v.to);
	release(&v);
	ok = ferror(v.to) == 0;
	return fclose(v.to) == 0 && ok ? ST_OK : fault_set(why, ST_IO, "%s: writing failed", path);
}
