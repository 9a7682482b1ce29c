/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_PAGE_CHART_H
#define ASSAY_CLIENT_PAGE_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Drawings as inline SVG. */

/* The unit of values, in which they are written beside an axis. */
typedef char	*chart_format_fn(double value, char *buf);	/* of FORMAT_BYTES */

struct chart_value {
	double		 value;		/* INFINITY: none */
	bool		 is_bound;	/* at least this */
	const char	*name;		/* borrowed; shown for the point under the pointer */
};

/* Values in their order, and the least so far as a line. */
void		 chart_curve(FILE *, const struct chart_value *, size_t n, chart_format_fn *);

struct chart_axis {
	const char	*name;
	const char	*const *label;	/* n */
	size_t		 n;
};

enum { CHART_MOST_SERIES = 8 };

struct chart_series {
	const char	*name;
	const double	*value;		/* as many as the axis has labels; NaN: none */
	bool		 only_dots;	/* no line through them */
};

/* Lines over one axis, with a key; at most CHART_MOST_SERIES of them. */
void		 chart_lines(FILE *, const struct chart_axis *x, const struct chart_series *,
		    size_t nseries, chart_format_fn *);

/*
 * A field of colours: `value` has x->n values for each of y's, INFINITY: none.  The darker, the
 * less.
 */
void		 chart_heat(FILE *, const struct chart_axis *x, const struct chart_axis *y,
		    const double *value, chart_format_fn *);

/*
 * A line for each point across axes, one for each dimension: at[] has the numbers of its labels,
 * naxes for each point.  The darker, the less the value.
 */
void		 chart_parallel(FILE *, const struct chart_axis *, size_t naxes,
		    const unsigned *at, const struct chart_value *, size_t n);

#endif
