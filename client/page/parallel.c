/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "client/page/html.h"
#include "client/page/scale.h"

enum { WIDTH = 900, HEIGHT = 360, LEFT = 40, RIGHT = 880, TOP = 30, BOTTOM = 345, LABELS = 24 };

static double
x_of(size_t axis, size_t naxes)
{
	return LEFT + (naxes > 1 ? (double)axis / (double)(naxes - 1) : 0.5) * (RIGHT - LEFT);
}

static double
y_of(const struct chart_axis *a, size_t at)
{
	return BOTTOM - (a->n > 1 ? (double)at / (double)(a->n - 1) : 0.5) * (BOTTOM - TOP);
}

/* Labels stand to the right of an axis, those of the last to its left. */
static void
put_axis(FILE *to, const struct chart_axis *a, double x, bool is_last)
{
	const size_t	every = 1 + a->n / LABELS;

	(void)fprintf(to, "<path class=\"axis\" d=\"M%.1f %dV%d\"/><text x=\"%.1f\" y=\"%d\" "
	    "text-anchor=\"middle\">", x, TOP, BOTTOM, x, TOP - 14);
	html_text(to, a->name);
	(void)fputs("</text>", to);
	for (size_t i = 0; i < a->n; i += every) {
		(void)fprintf(to, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">",
		    is_last ? x - 6 : x + 5, y_of(a, i) + (is_last ? -5 : 4),
		    is_last ? "end" : "start");
		html_text(to, a->label[i]);
		(void)fputs("</text>", to);
	}
}

static void
put_line(FILE *to, const struct chart_axis *a, size_t naxes, const unsigned *at,
    const char *name)
{
	(void)fputs(" d=\"", to);
	for (size_t k = 0; k < naxes; k++)
		(void)fprintf(to, "%c%.1f %.1f", k == 0 ? 'M' : 'L', x_of(k, naxes),
		    y_of(&a[k], at[k]));
	(void)fputs("\"><title>", to);
	html_text(to, name);
	(void)fputs("</title></path>", to);
}

struct drawn {
	double	value;
	size_t	at;
};

/* The worst first, so that the best are on top. */
static int
compare_drawn(const void *a, const void *b)
{
	const struct drawn	*x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	return (x->at < y->at) - (x->at > y->at);
}

void
chart_parallel(FILE *to, const struct chart_axis *a, size_t naxes, const unsigned *at,
    const struct chart_value *v, size_t n)
{
	struct drawn	*drawn = calloc(n + 1, sizeof *drawn);
	struct scale	 s;
	char		 colour[8];
	size_t		 best = n;

	if (drawn == NULL || !scale_of(&s, v, n)) {
		free(drawn);
		return;
	}
	for (size_t i = 0; i < n; i++)
		drawn[i] = (struct drawn){ v[i].value, i };
	qsort(drawn, n, sizeof *drawn, compare_drawn);
	(void)fprintf(to, "<svg viewBox=\"0 0 %d %d\" role=\"img\">", WIDTH, HEIGHT);
	for (size_t k = 0; k < n; k++) {
		const size_t	i = drawn[k].at;

		if (!isfinite(v[i].value))
			continue;
		(void)fprintf(to, "<path class=\"line\" stroke=\"%s\"",
		    scale_colour(&s, v[i].value, colour));
		put_line(to, a, naxes, at + i * naxes, v[i].name);
		best = v[i].is_bound ? best : i;
	}
	free(drawn);
	for (size_t k = 0; k < naxes; k++)
		put_axis(to, &a[k], x_of(k, naxes), naxes > 1 && k + 1 == naxes);
	if (best < n) {
		(void)fputs("<path class=\"winline\"", to);
		put_line(to, a, naxes, at + best * naxes, v[best].name);
	}
	(void)fputs("</svg>\n", to);
}
