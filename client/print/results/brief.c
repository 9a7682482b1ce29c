/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/print/format.h"
#include "client/print/results/brief.h"

/* The larger side of the interval, which is the median's; NaN: none, or the time is another. */
static double
half_of_interval(const struct row *r)
{
	const double	below = r->value_ns - r->value_ci95_ns[0];
	const double	above = r->value_ci95_ns[1] - r->value_ns;

	return strcmp(r->estimator, "min") != 0 && below >= 0 && above >= 0 ?
	    fmax(below, above) : NAN;
}

void
brief_put_row(FILE *to, struct row *r)
{
	const double	half_ns = half_of_interval(r);
	char		time[FORMAT_BYTES], half[FORMAT_BYTES];
	char		*name = format_shown(r->name);

	(void)fprintf(to, "%" PRId64 "\t%s\t%s\t", r->job, name != NULL ? name : "",
	    format_clean(r->word, false));
	free(name);
	if (r->raced)
		(void)fprintf(to, "over %s", format_duration_ns(r->bound_ns, time));
	else
		(void)fputs(format_duration_ns(r->value_ns, time), to);
	if (!r->raced && !isnan(half_ns))
		(void)fprintf(to, " %s %s", format_is_utf8() ? "±" : "+-",
		    format_duration_ns(half_ns, half));
	(void)fputc('\n', to);
}
