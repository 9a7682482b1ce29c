/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "client/page/html.h"
#include "client/page/scale.h"
#include "client/print/format.h"

enum { WIDTH = 900, LEFT = 110, RIGHT = 890, TOP = 8, ROW_MOST = 26, HEIGHT_MOST = 560,
	LABELS = 40 };

static size_t
least_of(const double *value, size_t n)
{
	size_t	at = 0;

	for (size_t i = 1; i < n; i++)
		if (value[i] < value[at])
			at = i;
	return at;
}

static void
put_label(FILE *to, double x, double y, const char *anchor, const char *text)
{
	(void)fprintf(to, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
	html_text(to, text);
	(void)fputs("</text>", to);
}

/* As many labels as can be read. */
static void
put_labels(FILE *to, const struct chart_axis *x, const struct chart_axis *y, double wide,
    double high)
{
	const size_t	every_x = 1 + x->n / LABELS, every_y = 1 + y->n / LABELS;

	for (size_t i = 0; i < x->n; i += every_x)
		put_label(to, LEFT + ((double)i + 0.5) * wide, TOP + (double)y->n * high + 15,
		    "middle", x->label[i]);
	for (size_t i = 0; i < y->n; i += every_y)
		put_label(to, LEFT - 6, TOP + ((double)i + 0.5) * high + 4, "end", y->label[i]);
	put_label(to, RIGHT, TOP + (double)y->n * high + 32, "end", x->name);
	put_label(to, 4, TOP + (double)y->n * high + 15, "start", y->name);
}

static void
put_cell(FILE *to, const struct scale *s, const struct chart_axis *x, const struct chart_axis *y,
    size_t at, double value, double wide, double high, bool is_best, chart_format_fn *format)
{
	char	colour[8], text[FORMAT_BYTES];

	(void)fprintf(to, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
	    "fill=\"%s\"%s><title>", LEFT + (double)(at % x->n) * wide,
	    TOP + (double)(at / x->n) * high, wide, high, scale_colour(s, value, colour),
	    is_best ? " stroke=\"#c8452d\" stroke-width=\"3\"" : "");
	html_text(to, x->name);
	(void)fputs("=", to);
	html_text(to, x->label[at % x->n]);
	(void)fputs(" ", to);
	html_text(to, y->name);
	(void)fputs("=", to);
	html_text(to, y->label[at / x->n]);
	(void)fputs(": ", to);
	html_text(to, format(value, text));
	(void)fputs("</title></rect>", to);
}

void
chart_heat(FILE *to, const struct chart_axis *x, const struct chart_axis *y, const double *value,
    chart_format_fn *format)
{
	const size_t		 n = x->n * y->n, best = least_of(value, n);
	const double		 wide = (double)(RIGHT - LEFT) / (double)x->n;
	const double		 high = fmin(ROW_MOST, (double)HEIGHT_MOST / (double)y->n);
	struct chart_value	*v = calloc(n, sizeof *v);
	struct scale		 s;

	for (size_t i = 0; v != NULL && i < n; i++)
		v[i].value = value[i];
	if (v == NULL || !scale_of(&s, v, n)) {
		free(v);
		return;
	}
	(void)fprintf(to, "<svg viewBox=\"0 0 %d %.0f\" role=\"img\">", WIDTH,
	    TOP + (double)y->n * high + 40);
	for (size_t i = 0; i < n; i++)
		if (isfinite(value[i]) && i != best)
			put_cell(to, &s, x, y, i, value[i], wide, high, false, format);
	put_cell(to, &s, x, y, best, value[best], wide, high, true, format);
	put_labels(to, x, y, wide, high);
	(void)fputs("</svg>\n", to);
	free(v);
}
