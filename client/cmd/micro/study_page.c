/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/cmd/launch/core_sweep.h"
#include "client/cmd/micro/groups.h"
#include "client/cmd/micro/study_page.h"
#include "client/cmd/micro/twin.h"
#include "client/page/chart.h"
#include "client/page/html.h"
#include "client/print/format.h"

enum { LABEL_BYTES = 24, CURVE_NAME_BYTES = 80 };

/* A drawing's points: labels along its axis, and values of some series. */
struct drawing {
	char			(*text)[LABEL_BYTES];	/* owned; n */
	const char		**label;		/* owned; n, borrowed from text */
	double			*value;			/* owned; n of each series */
	size_t			 n, nseries;
	struct chart_series	 series[CHART_MOST_SERIES];
};

static void
drawing_release(struct drawing *d)
{
	free(d->text);
	free(d->label);
	free(d->value);
}

static enum status
drawing_init(struct drawing *d, size_t n, size_t nseries, struct fault *why)
{
	*d = (struct drawing){ .n = n, .nseries = nseries };
	d->text = calloc(n + 1, sizeof *d->text);
	d->label = calloc(n + 1, sizeof *d->label);
	d->value = calloc(n * nseries + 1, sizeof *d->value);
	if (d->text == NULL || d->label == NULL || d->value == NULL) {
		drawing_release(d);
		return fault_set(why, ST_NOMEM, "a drawing");
	}
	for (size_t i = 0; i < n; i++)
		d->label[i] = d->text[i];
	for (size_t i = 0; i < n * nseries; i++)
		d->value[i] = NAN;
	for (size_t k = 0; k < nseries; k++)
		d->series[k].value = &d->value[k * n];
	return ST_OK;
}

/* With its heading; takes the drawing. */
static void
put(FILE *to, const char *heading, const char *axis, struct drawing *d)
{
	const struct chart_axis	x = { axis, d->label, d->n };

	html_block(to, "h2", heading);
	chart_lines(to, &x, d->series, d->nseries, format_number);
	drawing_release(d);
}

/* ---- Figures 11 and 12 ---- */

static enum status
put_groups(FILE *to, const struct launch_rows *rows, const struct levels *levels,
    struct fault *why)
{
	struct groups	g;
	struct drawing	d;
	char		heading[96];
	enum status	st;

	groups_of(&g, rows, levels);
	if (g.n == 0)
		return ST_OK;
	if ((st = drawing_init(&d, g.n, levels->n, why)) != ST_OK)
		return st;
	for (unsigned i = 0; i < g.n; i++) {
		(void)snprintf(d.text[i], LABEL_BYTES, "%lld", (long long)g.at[i].unroll);
		for (unsigned k = 0; k < levels->n; k++)
			d.value[k * g.n + i] = isfinite(g.at[i].each[k]) ? g.at[i].each[k] :
			    g.at[i].least[k];
	}
	for (unsigned k = 0; k < levels->n; k++)
		d.series[k].name = levels->name[k];
	(void)snprintf(heading, sizeof heading, "Least %s of a load or store, by unroll factor",
	    g.unit);
	put(to, heading, "unroll factor", &d);
	return ST_OK;
}

/* ---- Figures 3, 4, 14, 15 and 16 ---- */

static bool
has_offsets(const struct launch_row *row)
{
	return isfinite(row->offsets[0]);
}

/* "1000", "0 16", "CPU 3": what is different from one row to the next. */
static void
put_label(const struct launch_row *row, char *buf)
{
	if (row->cpu >= 0)
		(void)snprintf(buf, LABEL_BYTES, "CPU %d", row->cpu);
	else if (!has_offsets(row))
		(void)snprintf(buf, LABEL_BYTES, "%.0f", row->n);
	else if (isfinite(row->offsets[1]))
		(void)snprintf(buf, LABEL_BYTES, "%.0f %.0f%s", row->offsets[0], row->offsets[1],
		    isfinite(row->offsets[2]) ? " ..." : "");
	else
		(void)snprintf(buf, LABEL_BYTES, "%.0f", row->offsets[0]);
}

/* Kernels in the order in which they come, at most CHART_MOST_SERIES. */
static size_t
find_kernels(const struct launch_rows *rows, const char *names[CHART_MOST_SERIES])
{
	size_t	n = 0, k;

	for (size_t i = 0; i < rows->n && n < CHART_MOST_SERIES; i++) {
		for (k = 0; k < n && strcmp(names[k], rows->at[i].kernel) != 0;)
			k++;
		if (k == n)
			names[n++] = rows->at[i].kernel;
	}
	return n;
}

static size_t
count_of(const struct launch_rows *rows, const char *kernel)
{
	size_t	n = 0;

	for (size_t i = 0; i < rows->n; i++)
		n += strcmp(rows->at[i].kernel, kernel) == 0;
	return n;
}

static void
fill_series(struct drawing *d, size_t k, const struct launch_rows *rows, const char *kernel)
{
	size_t	at = 0;

	d->series[k].name = kernel;
	d->series[k].only_dots = rows->n > 0 && (has_offsets(&rows->at[0]) ||
	    rows->at[0].cpu >= 0);
	for (size_t i = 0; i < rows->n && at < d->n; i++) {
		if (strcmp(rows->at[i].kernel, kernel) != 0)
			continue;
		put_label(&rows->at[i], d->text[at]);
		d->value[k * d->n + at++] = rows->at[i].value;
	}
}

static enum status
put_experiments(FILE *to, const struct launch_rows *rows, struct fault *why)
{
	const char	*kernels[CHART_MOST_SERIES];
	const size_t	 nkernels = find_kernels(rows, kernels);
	struct drawing	 d;
	enum status	 st;
	const bool	 cores = rows->n > 0 && rows->at[0].cpu >= 0;

	if (nkernels == 0)
		return ST_OK;
	if ((st = drawing_init(&d, count_of(rows, kernels[0]), nkernels, why)) != ST_OK)
		return st;
	for (size_t k = 0; k < nkernels; k++)
		fill_series(&d, k, rows, kernels[k]);
	if (cores)
		put(to, "Each core", "core", &d);
	else if (has_offsets(&rows->at[0]))
		put(to, "By alignment", "offsets from a page, in bytes", &d);
	else
		put(to, "By size", "elements", &d);
	return ST_OK;
}

/* ---- Figure 5 ---- */

/* Of the first size: times of both, relative to those with the least factor. */
static enum status
put_twins(FILE *to, const struct launch_rows *rows, struct fault *why)
{
	struct twins	t;
	struct drawing	d;
	unsigned	n = 0;
	enum status	st;

	twins_of(&t, rows);
	while (n < t.n && t.at[n].n == t.at[0].n)
		n++;
	if (n == 0)
		return ST_OK;
	if ((st = drawing_init(&d, n, 2, why)) != ST_OK)
		return st;
	for (unsigned i = 0; i < n; i++) {
		(void)snprintf(d.text[i], LABEL_BYTES, "%lld", (long long)t.at[i].unroll);
		d.value[i] = 1 - t.at[i].predicted;
		d.value[n + i] = 1 - t.at[i].found;
	}
	d.series[0].name = "predicted by the twin";
	d.series[1].name = "the routine";
	put(to, "Time relative to the least unroll factor", "unroll factor", &d);
	return ST_OK;
}

static bool
has_twins(const struct launch_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++)
		if (rows->at[i].is_real)
			return true;
	return false;
}

/* ---- Figure 14 ---- */

static void
fill_curve(struct drawing *d, size_t k, const struct core_curve *c, char *name)
{
	(void)snprintf(name, CURVE_NAME_BYTES, "%.40s, %.0f elements", c->kernel, c->n);
	d->series[k].name = name;
	for (size_t i = 0; i < c->npoints && i < d->n; i++) {
		(void)snprintf(d->text[i], LABEL_BYTES, "%lld", (long long)c->at[i].copies);
		d->value[k * d->n + i] = c->at[i].value;
	}
}

static enum status
put_cores(FILE *to, const struct launch_rows *rows, struct fault *why)
{
	char			names[CHART_MOST_SERIES][CURVE_NAME_BYTES];
	struct core_sweep	c;
	struct drawing		d;
	size_t			n, most = 0;
	enum status		st;

	if ((st = core_sweep_of(&c, rows, why)) != ST_OK)
		return st;
	n = c.n < CHART_MOST_SERIES ? c.n : CHART_MOST_SERIES;
	for (size_t k = 0; k < n; k++)
		most = c.at[k].npoints > most ? c.at[k].npoints : most;
	if (most > 0 && (st = drawing_init(&d, most, n, why)) == ST_OK) {
		for (size_t k = 0; k < n; k++)
			fill_curve(&d, k, &c.at[k], names[k]);
		put(to, "By number of cores", "copies at once", &d);
	}
	core_sweep_release(&c);
	return st;
}

/* ---- Figure 13 ---- */

/* Sizes with a level or without, in the order in which they come; at most CHART_MOST_SERIES. */
static size_t
find_sizes(const struct launch_rows *rows, double sizes[CHART_MOST_SERIES],
    const char *levels[CHART_MOST_SERIES])
{
	size_t	n = 0, k;

	for (size_t i = 0; i < rows->n && n < CHART_MOST_SERIES; i++) {
		for (k = 0; k < n && sizes[k] != rows->at[i].n;)
			k++;
		if (k < n || rows->at[i].is_base)
			continue;
		sizes[n] = rows->at[i].n;
		levels[n++] = rows->at[i].level;
	}
	return n;
}

/* What a level's drawing has is its steady state. */
static double
drawn_value(const struct launch_row *row)
{
	return row->level[0] != '\0' ? row->steady : row->value;
}

/* The least time of all kernels, in ns: cycles of different clocks are not the same. */
static void
fill_clock(struct drawing *d, size_t k, const struct launch_rows *rows, double size,
    const int64_t *khz)
{
	for (size_t i = 0; i < rows->n; i++) {
		const struct launch_row	*row = &rows->at[i];

		for (size_t at = 0; at < d->n && row->n == size; at++) {
			double	*to = &d->value[k * d->n + at];

			if (row->khz == (double)khz[at] && isfinite(drawn_value(row)))
				*to = fmin(*to, drawn_value(row) * row->in_ns);
		}
	}
}

static int
ascending(const void *a, const void *b)
{
	const int64_t	x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static enum status
put_clocks(FILE *to, const struct launch_rows *rows, const struct launch *l, struct fault *why)
{
	const char	*levels[CHART_MOST_SERIES];
	char		 names[CHART_MOST_SERIES][CURVE_NAME_BYTES];
	double		 sizes[CHART_MOST_SERIES];
	const size_t	 n = find_sizes(rows, sizes, levels);
	int64_t		 khz[LAUNCH_FREQUENCIES];
	struct drawing	 d;
	enum status	 st;

	if ((st = drawing_init(&d, l->nfrequencies, n, why)) != ST_OK)
		return st;
	memcpy(khz, l->frequency, sizeof khz);
	qsort(khz, d.n, sizeof khz[0], ascending);
	for (size_t i = 0; i < d.n; i++)
		(void)snprintf(d.text[i], LABEL_BYTES, "%lld", (long long)khz[i]);
	for (size_t k = 0; k < n; k++) {
		if (levels[k][0] != '\0')
			(void)snprintf(names[k], CURVE_NAME_BYTES, "%s", levels[k]);
		else
			(void)snprintf(names[k], CURVE_NAME_BYTES, "%.0f elements", sizes[k]);
		d.series[k].name = names[k];
		fill_clock(&d, k, rows, sizes[k], khz);
	}
	put(to, "Least ns, by the core's clock", "kHz", &d);
	return ST_OK;
}

/* ---- the page ---- */

static void
put_unit(FILE *to, const struct launch_rows *rows)
{
	char	line[128];

	if (rows->n == 0)
		return;
	(void)snprintf(line, sizeof line, "%zu experiments; values in %s, on a logarithmic scale.",
	    rows->n, rows->at[0].unit[0] != '\0' ? rows->at[0].unit : "ns");
	html_block(to, "p", line);
}

enum status
study_page(const char *path, const char *title, const struct launch_rows *rows,
    const struct launch *l, const struct levels *levels, struct fault *why)
{
	FILE		*to = fopen(path, "w");
	enum status	 st;
	bool		 failed;

	if (to == NULL)
		return fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	html_begin(to, title);
	html_block(to, "h1", title);
	put_unit(to, rows);
	st = l->most_copies > l->copies ? put_cores(to, rows, why) :
	    l->nfrequencies > 1 ? put_clocks(to, rows, l, why) :
	    levels->n > 0 ? put_groups(to, rows, levels, why) :
	    put_experiments(to, rows, why);
	if (st == ST_OK && has_twins(rows))
		st = put_twins(to, rows, why);
	html_end(to);
	failed = ferror(to) != 0;
	if (fclose(to) != 0 || failed)
		return fault_set(why, ST_IO, "%s: %s", path, strerror(errno));
	return st;
}
