/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "client/tune/objective.h"

#define LEAST_NS	1e-3	/* in ratios: a time of 0 ns has one, too */

const char *const	objective_of_words[] = { "time", "code", "pareto", NULL };
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
	double	sum = 0, worst = 0, n = 0, ratio;

	if (f->ncells == 1)
		return r->cell[0].ns;
	for (size_t c = 0; c < f->ncells; c++) {
		if (r->cell[c].state == CELL_ABSENT)
			continue;
		if (o->base_ns[c] == 0)
			o->base_ns[c] = fmax(r->cell[c].ns, LEAST_NS);
		ratio = fmax(r->cell[c].ns, LEAST_NS) / o->base_ns[c];
		sum += log(ratio);
		worst = fmax(worst, ratio);
		n++;
	}
	return n == 0 ? INFINITY : o->over == OVER_WORST ? worst : exp(sum / n);
}

double
objective_value(struct objective *o, const struct record *r, const struct field *f)
{
	const uint64_t	bytes = record_code_bytes(r, f);

	if (!has_times(r, f) || (o->of != OF_TIME && bytes == 0))
		return INFINITY;
	return o->of == OF_CODE ? (double)bytes : time_of(o, r, f);
}
