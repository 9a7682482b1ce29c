/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_CLIENT_PAGE_SCALE_H
#define ASSAY_CLIENT_PAGE_SCALE_H

#include <stdio.h>

#include "client/page/chart.h"

/* Numbers → places and colours of a drawing; values on a logarithmic scale. */
struct scale {
	double	low, high;		/* > 0 */
};

/* Of the finite values; false: there is none. */
bool		 scale_of(struct scale *, const struct chart_value *, size_t n);
double		 scale_part(const struct scale *, double value);	/* 0: low, 1: high */
/* "#1a4f86": from dark (low) to light. */
char		*scale_colour(const struct scale *, double value, char buf[8]);

/* Lines and labels of round values across a drawing, `top` to `bottom`, `left` to `right`. */
void		 scale_grid(FILE *, const struct scale *, double left, double right, double top,
		    double bottom, chart_format_fn *);

#endif
