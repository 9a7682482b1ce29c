/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/cmd/launch/core_sweep.h"
#include "client/print/format.h"
#include "client/print/output.h"
#include "client/print/table.h"
#include "proto/base/rank.h"

static struct core_curve *
curve_of(struct core_sweep *c, const struct launch_row *row, size_t room)
{
	struct core_curve	*curve;

	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->at[i].kernel, row->kernel) == 0 && c->at[i].n == row->n)
			return &c->at[i];
	curve = &c->at[c->n];
	*curve = (struct core_curve){ .kernel = row->kernel, .n = row->n };
	if ((curve->at = calloc(room, sizeof *curve->at)) == NULL)
		return NULL;
	c->n++;
	return curve;
}

/* One job: a row, or a row for each of its cores. */
static void
add_point(struct core_curve *curve, const struct launch_row *row, size_t n, double *values)
{
	struct core_point	*p = &curve->at[curve->npoints];

	for (size_t i = 0; i < n; i++) {
		values[i] = row[i].value;
		if (!isfinite(values[i]))
			return;
	}
	qsort(values, n, sizeof *values, rank_ascending);
	*p = (struct core_point){ .copies = row->copies, .value = rank_middle(values, n),
	    .least = values[0], .most = values[n - 1] };
	p->times = curve->npoints == 0 ? 1 : (double)p->copies / p->value /
	    ((double)curve->at[0].copies / curve->at[0].value);
	curve->npoints++;
}

static size_t
rows_of_job(const struct launch_rows *rows, size_t from)
{
	size_t	n = 1;

	while (from + n < rows->n && rows->at[from + n].job == rows->at[from].job)
		n++;
	return n;
}

static void
find_knee(struct core_curve *c)
{
	double	most = 0;

	for (size_t i = 0; i < c->npoints; i++)
		most = fmax(most, c->at[i].times);
	for (size_t i = 0; i + 1 < c->npoints && c->knee == 0; i++)
		if (c->at[i].times >= CORE_SWEEP_SATURATED * most)
			c->knee = c->at[i].copies;
}

enum status
core_sweep_of(struct core_sweep *c, const struct launch_rows *rows, struct fault *why)
{
	double			*values = calloc(rows->n + 1, sizeof *values);
	struct core_curve	*curve;

	*c = (struct core_sweep){ .at = calloc(rows->n + 1, sizeof *c->at) };
	for (size_t i = 0, n; values != NULL && c->at != NULL && i < rows->n; i += n) {
		n = rows_of_job(rows, i);
		if ((curve = curve_of(c, &rows->at[i], rows->n)) == NULL) {
			free(values);
			values = NULL;
			break;
		}
		add_point(curve, &rows->at[i], n, values);
	}
	for (size_t i = 0; i < c->n; i++)
		find_knee(&c->at[i]);
	if (values == NULL || c->at == NULL) {
		core_sweep_release(c);
		free(values);
		return fault_set(why, ST_NOMEM, "a sweep over cores");
	}
	free(values);
	return ST_OK;
}

void
core_sweep_release(struct core_sweep *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->at[i].at);
	free(c->at);
	*c = (struct core_sweep){ .at = NULL };
}

/* ---- printed ---- */

static enum status
add_to_table(struct table *t, const struct core_curve *c, const struct core_point *p,
    const char *unit, struct fault *why)
{
	char		 numbers[6][FORMAT_BYTES];
	const char	*cells[] = {
		c->kernel, numbers[0], numbers[1], format_number(p->value, numbers[2]),
		format_number(p->least, numbers[3]), format_number(p->most, numbers[4]), unit,
		format_number(p->times, numbers[5]),
	};

	(void)snprintf(numbers[0], FORMAT_BYTES, "%.0f", c->n);
	(void)snprintf(numbers[1], FORMAT_BYTES, "%" PRId64, p->copies);
	return table_add(t, cells, why);
}

static void
put_knee(const struct core_curve *c, FILE *to)
{
	if (c->npoints < 2)
		return;
	(void)fprintf(to, "%s, %.0f elements: ", c->kernel, c->n);
	if (c->knee > 0)
		(void)fprintf(to, "saturated by %" PRId64 " %s\n", c->knee,
		    c->knee == 1 ? "copy" : "copies");
	else
		(void)fprintf(to, "not saturated by %" PRId64 " copies\n",
		    c->at[c->npoints - 1].copies);
}

enum status
core_sweep_print(const struct core_sweep *c, const char *unit, FILE *to, struct fault *why)
{
	static const struct table_column columns[] = {
		{ "kernel", false }, { "elements", true }, { "copies", true }, { "value", true },
		{ "least core", true }, { "most", true }, { "unit", false }, { "work", true },
		{ NULL, false },
	};
	struct table	*t;
	enum status	 st = table_new(&t, columns, why);

	for (size_t i = 0; i < c->n; i++)
		for (size_t k = 0; st == ST_OK && k < c->at[i].npoints; k++)
			st = add_to_table(t, &c->at[i], &c->at[i].at[k], unit, why);
	if (st == ST_OK)
		table_print(t, to, output_columns());
	table_free(t);
	for (size_t i = 0; st == ST_OK && i < c->n; i++)
		put_knee(&c->at[i], to);
	return st;
}
