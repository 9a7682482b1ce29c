/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "client/page/html.h"
#include "client/page/scale.h"
#include "client/print/format.h"

enum { LINES = 4 };

bool
scale_of(struct scale *s, const struct chart_value *v, size_t n)
{
	*s = (struct scale){ INFINITY, 0 };
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(v[i].value) || v[i].value <= 0)
			continue;
		s->low = fmin(s->low, v[i].value);
		s->high = fmax(s->high, v[i].value);
	}
	if (s->high > 0 && s->high < 1.02 * s->low)
		s->high = 1.02 * s->low;
	return s->high > 0;
}

double
scale_part(const struct scale *s, double value)
{
	return fmin(1, fmax(0, log(value / s->low) / log(s->high / s->low)));
}

char *
scale_colour(const struct scale *s, double value, char buf[8])
{
	static const int	dark[] = { 12, 52, 98 }, light[] = { 214, 228, 243 };
	/* the root has more shades for the best */
	const double		part = sqrt(scale_part(s, value));
	unsigned		c[3];

	for (int i = 0; i < 3; i++)
		c[i] = (unsigned)(dark[i] + part * (light[i] - dark[i])) & 0xff;
	(void)snprintf(buf, 8, "#%02x%02x%02x", c[0], c[1], c[2]);
	return buf;
}

void
scale_grid(FILE *to, const struct scale *s, double left, double right, double top, double bottom,
    chart_format_fn *format)
{
	char	text[FORMAT_BYTES];

	for (int i = 0; i <= LINES; i++) {
		const double	part = (double)i / LINES, y = bottom - part * (bottom - top);

		(void)fprintf(to, "<path class=\"axis\" d=\"M%.1f %.1fH%.1f\"/>"
		    "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">", left, y, right,
		    left - 6, y + 4);
		html_text(to, format(s->low * pow(s->high / s->low, part), text));
		(void)fputs("</text>", to);
	}
}
