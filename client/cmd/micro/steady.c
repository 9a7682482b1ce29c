/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/cmd/micro/steady.h"

/* Two readings of one clock differ by 1 %.  What differs by more is another clock. */
#define SAME_CLOCK	0.03
/* A branch predictor that loses the end of a call costs 5 %, a neighbour on the core 20 to 40 %. */
#define AGREE		0.10

/* ---- of a row and those below it ---- */

static double
call_ns(const struct launch_row *row)
{
	return strcmp(row->status, status_word(ST_SUSPECT)) != 0 ?
	    row->value * row->iterations * row->in_ns : NAN;
}

/* In one unit, of `in_ns`: a clock that did not change is not to differ by chance. */
static double
call_of(const struct launch_row *row, double in_ns)
{
	return call_ns(row) /
	    (fabs(row->in_ns / in_ns - 1) <= SAME_CLOCK ? in_ns : row->in_ns);
}

double
steady_of(const struct launch_row *row)
{
	const double	in_ns = row->in_ns, whole = row->value;
	double		least = INFINITY, most = 0;

	if (row->base == NULL)
		return NAN;
	for (; row->base != NULL; row = row->base) {
		const double	more = call_of(row, in_ns) - call_of(row->base, in_ns),
				passes = row->iterations - row->base->iterations;

		if (!(more > 0 && passes > 0))
			return NAN;
		least = fmin(least, more / passes);
		most = fmax(most, more / passes);
	}
	return most <= (1 + AGREE) * least ? fmin(least, whole) : whole;
}

/* ---- the rows below ---- */

static int
compare(double x, double y)
{
	return (x > y) - (x < y);
}

/* Two NaN are the same: of a dimension that the launch does not have. */
static int
by_experiment(const void *a, const void *b)
{
	const struct launch_row	*x = *(const struct launch_row *const *)a,
				*y = *(const struct launch_row *const *)b;
	int			 order = strcmp(x->kernel, y->kernel);

	if (order == 0)
		order = compare(x->n, y->n);
	if (order == 0)
		order = compare(x->khz, y->khz);
	if (order == 0)
		order = x->cpu - y->cpu;
	for (unsigned i = 0; i < SURVEY_MAX_ARRAYS && order == 0; i++)
		order = compare(x->offsets[i], y->offsets[i]);
	return order;
}

static const struct launch_row *
find(const struct launch_row *const *sorted, size_t n, const struct launch_row *like, double size)
{
	struct launch_row		 wanted = *like;
	const struct launch_row		*key = &wanted, *const *found;

	wanted.n = size;
	found = bsearch(&key, sorted, n, sizeof *sorted, by_experiment);
	return found != NULL ? *found : NULL;
}

/* 0: none */
static double
base_size(const struct launch *l, const struct launch_row *row)
{
	for (unsigned i = 0; i < l->nlisted; i++)
		if (row->n == (double)l->listed[i])
			return (double)l->base[i];
	return 0;
}

enum status
steady_fill(struct launch_rows *rows, struct fault *why)
{
	const struct launch_row	**sorted = calloc(rows->n + 1, sizeof *sorted);

	if (sorted == NULL)
		return fault_set(why, ST_NOMEM, "rows");
	for (size_t i = 0; i < rows->n; i++)
		sorted[i] = &rows->at[i];
	qsort(sorted, rows->n, sizeof *sorted, by_experiment);
	for (size_t i = 0; i < rows->n; i++) {
		const double	size = base_size(rows->launch, &rows->at[i]);

		if (size > 0)
			rows->at[i].base = find(sorted, rows->n, &rows->at[i], size);
	}
	for (size_t i = 0; i < rows->n; i++) {
		struct launch_row	*row = &rows->at[i];

		if (row->level[0] != '\0' && !row->is_base)
			row->steady = base_size(rows->launch, row) > 0 ? steady_of(row) :
			    row->value;
	}
	free(sorted);
	return ST_OK;
}
