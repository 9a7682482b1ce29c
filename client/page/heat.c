/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "client/page/html.h"
#include "client/page/scale.h"
#include "client/print/format.h"

enum { WIDTH = 900, LEFT = 110, RIGHT = 890, TOP = 8, ROW_MOST = 26, HEIGHT_MOST = 560,
	LABELS = 40 };

struct field_of_colours {
	FILE			*to;			/* borrowed, as all here */
	const struct chart_axis	*x, *y;
	const double		*value;
	chart_format_fn		*format;
	struct scale		 scale;
	double			 wide, high;		/* of a cell */
};

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
put_labels(const struct field_of_colours *f)
{
	const struct chart_axis	*x = f->x, *y = f->y;
	const double		 wide = f->wide, high = f->high;
	FILE			*to = f->to;
	const size_t		 every_x = 1 + x->n / LABELS, every_y = 1 + y->n / LABELS;

	for (size_t i = 0; i < x->n; i += every_x)
		put_label(to, LEFT + ((double)i + 0.5) * wide, TOP + (double)y->n * high + 15,
		    "middle", x->label[i]);
	for (size_t i = 0; i < y->n; i += every_y)
		put_label(to, LEFT - 6, TOP + ((double)i + 0.5) * high + 4, "end", y->label[i]);
	put_label(to, RIGHT, TOP + (double)y->n * high + 32, "end", x->name);
	put_label(to, 4, TOP + (double)y->n * high + 15, "start", y->name);
}

static void
put_cell(const struct field_of_colours *f, size_t at, bool is_best)
{
	const struct chart_axis	*x = f->x, *y = f->y;
	char			 colour[8], text[FORMAT_BYTES];

	(void)fprintf(f->to, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
	    "fill=\"%s\"%s><title>", LEFT + (double)(at % x->n) * f->wide,
	    TOP + (double)(at / x->n) * f->high, f->wide, f->high,
	    scale_colour(&f->scale, f->value[at], colour),
	    is_best ? " stroke=\"#c8452d\" stroke-width=\"3\"" : "");
	html_text(f->to, x->name);
	(void)fputs("=", f->to);
	html_text(f->to, x->label[at % x->n]);
	(void)fputs(" ", f->to);
	html_text(f->to, y->name);
	(void)fputs("=", f->to);
	html_text(f->to, y->label[at / x->n]);
	(void)fputs(": ", f->to);
	html_text(f->to, f->format(f->value[at], text));
	(void)fputs("</title></rect>", f->to);
}

void
chart_heat(FILE *to, const struct chart_axis *x, const struct chart_axis *y, const double *value,
    chart_format_fn *format)
{
	const size_t		 n = x->n * y->n, best = least_of(value, n);
	struct field_of_colours	 f = { .to = to, .x = x, .y = y, .value = value, .format = format,
				    .wide = (double)(RIGHT - LEFT) / (double)x->n,
				    .high = fmin(ROW_MOST, (double)HEIGHT_MOST / (double)y->n) };
	struct chart_value	*v = calloc(n, sizeof *v);

	for (size_t i = 0; v != NULL && i < n; i++)
		v[i].value = value[i];
	if (v == NULL || !scale_of(&f.scale, v, n)) {
		free(v);
		return;
	}
	free(v);
	(void)fprintf(to, "<svg viewBox=\"0 0 %d %.0f\" role=\"img\">", WIDTH,
	    TOP + (double)y->n * f.high + 40);
	for (size_t i = 0; i < n; i++)
		if (isfinite(value[i]) && i != best)
			put_cell(&f, i, false);
	put_cell(&f, best, true);
	put_labels(&f);
	(void)fputs("</svg>\n", to);
}
