/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "client/tune/objective.h"

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

/* The most of the cells: sizes that are params may change the code. */
static double
bytes_of(const struct record *r, const struct field *f)
{
	double	most = 0;

	for (size_t c = 0; c < f->ncells; c++)
		if (r->cell[c].state != CELL_ABSENT)
			most = fmax(most, isnan(r->cell[c].code_bytes) ? INFINITY :
			    r->cell[c].code_bytes);
	return most > 0 ? most : INFINITY;
}

double
objective_value(struct objective *o, const struct record *r, const struct field *f)
{
	double	time;

	if (!has_times(r, f))
		return INFINITY;
	time = time_of(o, r, f);
	if (o->of == OBJECTIVE_TIME)
		return time;
	return o->of == OBJECTIVE_CODE ? bytes_of(r, f) : sqrt(time * bytes_of(r, f));
}

static bool
is_beaten(const struct ledger *l, const struct field *f, size_t i, struct objective *o)
{
	const double	time = time_of(o, &l->at[i], f), bytes = bytes_of(&l->at[i], f);

	for (size_t k = 0; k < l->n; k++) {
		double	t, b;

		if (k == i || !record_is_timed(&l->at[k], f))
			continue;
		t = time_of(o, &l->at[k], f);
		b = bytes_of(&l->at[k], f);
		if (t <= time && b <= bytes && (t < time || b < bytes || k < i))
			return true;
	}
	return false;
}

json_t *
objective_front(const struct ledger *l, const struct field *f)
{
	struct objective	 o = { .of = OBJECTIVE_TIME };
	json_t			*front = json_array();

	for (size_t i = 0; i < l->n; i++)
		if (record_is_timed(&l->at[i], f) && isfinite(bytes_of(&l->at[i], f)) &&
		    !is_beaten(l, f, i, &o))
			(void)json_array_append_new(front, json_integer((json_int_t)i));
	return front;
}
