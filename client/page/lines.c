/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "client/page/html.h"
#include "client/page/scale.h"
#include "client/print/format.h"

enum { WIDTH = 900, HEIGHT = 320, LEFT = 80, RIGHT = 770, TOP = 12, BOTTOM = 265, KEY = 785,
       KEY_LINE = 18, LABELS_MOST = 16 };

/* Told apart without colour, too: each has its dashes. */
static const char *const	colours[CHART_MOST_SERIES] = { "#1a6fb5", "#c8452d", "#2f8f5b",
				    "#8a5fb0", "#b8860b", "#3aa0a8", "#c05a94", "#6b7280" };
static const char *const	dashes[CHART_MOST_SERIES] = { "none", "7 4", "2 3", "9 3 2 3",
				    "12 4", "4 2", "1 4", "6 2 1 2" };

static double
x_of(size_t i, size_t n)
{
	return LEFT + 10 + (n > 1 ? (double)i / (double)(n - 1) : 0.5) * (RIGHT - LEFT - 20);
}

static double
y_of(const struct scale *s, double value)
{
	return BOTTOM - scale_part(s, value) * (BOTTOM - TOP);
}

static bool
scale_of_all(struct scale *s, const struct chart_series *series, size_t nseries, size_t n)
{
	struct chart_value	*all = calloc(nseries * n + 1, sizeof *all);
	bool			 any = false;

	for (size_t k = 0; all != NULL && k < nseries; k++)
		for (size_t i = 0; i < n; i++)
			all[k * n + i].value = series[k].value[i];
	if (all != NULL)
		any = scale_of(s, all, nseries * n);
	free(all);
	return any;
}

static void
put_path(FILE *to, const struct scale *s, const struct chart_series *series, size_t k, size_t n)
{
	bool	begun = false;

	(void)fprintf(to, "<path fill=\"none\" stroke-width=\"2\" stroke=\"%s\" "
	    "stroke-dasharray=\"%s\" d=\"", colours[k], dashes[k]);
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(series->value[i]))
			continue;
		(void)fprintf(to, "%c%.1f %.1f", begun ? 'L' : 'M', x_of(i, n),
		    y_of(s, series->value[i]));
		begun = true;
	}
	(void)fputs("\"/>\n", to);
}

static void
put_dots(FILE *to, const struct scale *s, const struct chart_series *series, size_t k,
    const char *const *label, size_t n, chart_format_fn *format)
{
	char	text[FORMAT_BYTES];

	for (size_t i = 0; i < n; i++) {
		if (!isfinite(series->value[i]))
			continue;
		(void)fprintf(to, "<circle fill=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"><title>",
		    colours[k], x_of(i, n), y_of(s, series->value[i]));
		html_text(to, series->name);
		(void)fputs(" ", to);
		html_text(to, label[i]);
		(void)fputs(": ", to);
		html_text(to, format(series->value[i], text));
		(void)fputs("</title></circle>\n", to);
	}
}

static void
put_key(FILE *to, const char *name, size_t k)
{
	const double	y = TOP + 8 + (double)k * KEY_LINE;

	(void)fprintf(to, "<path fill=\"none\" stroke-width=\"2\" stroke=\"%s\" "
	    "stroke-dasharray=\"%s\" d=\"M%d %.1fh22\"/><text x=\"%d\" y=\"%.1f\">", colours[k],
	    dashes[k], KEY, y, KEY + 28, y + 4);
	html_text(to, name);
	(void)fputs("</text>\n", to);
}

static void
put_labels(FILE *to, const char *const *label, size_t n)
{
	const size_t	step = (n + LABELS_MOST - 1) / LABELS_MOST;

	for (size_t i = 0; i < n; i += step) {
		(void)fprintf(to, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", x_of(i, n),
		    BOTTOM + 18);
		html_text(to, label[i]);
		(void)fputs("</text>", to);
	}
}

void
chart_lines(FILE *to, const struct chart_axis *x, const struct chart_series *series,
    size_t nseries, chart_format_fn *format)
{
	struct scale	s;

	nseries = nseries < CHART_MOST_SERIES ? nseries : CHART_MOST_SERIES;
	if (!scale_of_all(&s, series, nseries, x->n))
		return;
	(void)fprintf(to, "<svg viewBox=\"0 0 %d %d\" role=\"img\">", WIDTH, HEIGHT);
	scale_grid(to, &s, LEFT, RIGHT, TOP, BOTTOM, format);
	for (size_t k = 0; k < nseries; k++) {
		if (!series[k].only_dots)
			put_path(to, &s, &series[k], k, x->n);
		put_dots(to, &s, &series[k], k, x->label, x->n, format);
		put_key(to, series[k].name, k);
	}
	put_labels(to, x->label, x->n);
	(void)fprintf(to, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + RIGHT) / 2,
	    BOTTOM + 40);
	html_text(to, x->name);
	(void)fputs("</text></svg>\n", to);
}
