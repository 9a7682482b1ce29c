/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "client/tune/objective.h"

const char *const	objective_over_words[] = { "mean", "worst", "each", NULL };

static bool
has_times(const struct record *r, const struct field *f)
{
	for (size_t c = 0; c < f->ncells; c++)
		if (r->cell[c].state == CELL_FAILED)
			return false;
	return true;
}

static double
time_of(struct objective *o, const struct record *r, const struct field *f)
{
	double	sum = 0, worst = 0, n = 0;

	if (f->ncells == 1)
		return r->cell[0].ns;
	for (size_t c = 0; c < f->ncells; c++) {
		if (r->cell[c].state == CELL_ABSENT)
			continue;
		if (o->base_ns[c] == 0)
			o->base_ns[c] = r->cell[c].ns;
		sum += log(r->cell[c].ns / o->base_ns[c]);
		worst = fmax(worst, r->cell[c].ns / o->base_ns[c]);
		n++;
	}
	return n == 0 ? INFINITY : o->over == OVER_WORST ? worst : exp(sum / n);
}

double
objective_value(struct objective *o, const struct record *r, const struct field *f)
{
	return has_times(r, f) ? time_of(o, r, f) : INFINITY;
}
