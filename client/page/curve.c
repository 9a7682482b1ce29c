/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "client/page/html.h"
#include "client/page/scale.h"
#include "client/print/format.h"

enum { WIDTH = 900, HEIGHT = 300, LEFT = 80, RIGHT = 890, TOP = 12, BOTTOM = 265 };

static double
x_of(size_t i, size_t n)
{
	return LEFT + (n > 1 ? (double)i / (double)(n - 1) : 0.5) * (RIGHT - LEFT - 8) + 4;
}

static double
y_of(const struct scale *s, double value)
{
	return BOTTOM - scale_part(s, value) * (BOTTOM - TOP);
}

static void
put_best(FILE *to, const struct scale *s, const struct chart_value *v, size_t n)
{
	double	best = INFINITY;

	(void)fputs("<path class=\"best\" d=\"", to);
	for (size_t i = 0; i < n; i++) {
		const bool	first = isinf(best);

		if (!v[i].is_bound)
			best = fmin(best, v[i].value);
		if (!isfinite(best))
			continue;
		if (first)
			(void)fprintf(to, "M%.1f %.1f", x_of(i, n), y_of(s, best));
		else
			(void)fprintf(to, "H%.1fV%.1f", x_of(i, n), y_of(s, best));
	}
	(void)fputs("\"/>\n", to);
}

static void
put_point(FILE *to, const struct scale *s, const struct chart_value *v, size_t i, size_t n,
    chart_format_fn *format)
{
	char	text[FORMAT_BYTES];

	(void)fprintf(to, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"><title>%zu: %s",
	    v[i].is_bound ? "stop" : "dot", x_of(i, n), y_of(s, v[i].value), i + 1,
	    v[i].is_bound ? "at least " : "");
	html_text(to, format(v[i].value, text));
	(void)fputs(" ", to);
	html_text(to, v[i].name);
	(void)fputs("</title></circle>", to);
}

void
chart_curve(FILE *to, const struct chart_value *v, size_t n, chart_format_fn *format)
{
	struct scale	s;

	if (!scale_of(&s, v, n))
		return;
	(void)fprintf(to, "<svg viewBox=\"0 0 %d %d\" role=\"img\">", WIDTH, HEIGHT);
	scale_grid(to, &s, LEFT, RIGHT, TOP, BOTTOM, format);
	for (size_t i = 0; i < n; i++)
		if (isfinite(v[i].value))
			put_point(to, &s, v, i, n, format);
	put_best(to, &s, v, n);
	(void)fprintf(to, "<text x=\"%d\" y=\"%d\">1</text><text x=\"%d\" y=\"%d\" "
	    "text-anchor=\"end\">%zu points</text></svg>\n", LEFT, BOTTOM + 20, RIGHT,
	    BOTTOM + 20, n);
}
