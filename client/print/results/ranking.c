/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/print/results/ranking.h"

void
ranking_init(struct ranking *k, const struct row *const *rows, size_t n)
{
	const char	*estimator = NULL;

	*k = (struct ranking){ .rows = rows, .n = n };
	for (size_t i = 0; i < n; i++) {
		if (!row_is_ranked(rows[i]))
			continue;
		k->is_mixed = k->is_mixed ||
		    (estimator != NULL && strcmp(estimator, rows[i]->estimator) != 0);
		estimator = rows[i]->estimator;
	}
}

double
ranking_taken_ns(const struct ranking *k, const struct row *r)
{
	if (!row_is_ranked(r))
		return NAN;
	return k->is_mixed ? r->median_ns : r->value_ns;
}

double
ranking_ns(const struct ranking *k, const struct row *r)
{
	return ranking_taken_ns(k, r) * r->correction;
}

double
ranking_speedup(const struct ranking *k, const struct row *base, const struct row *r)
{
	if (strcmp(base->problem, r->problem) != 0)
		return NAN;
	return ranking_ns(k, base) / ranking_ns(k, r);
}

static const double *
interval_of(const struct ranking *k, const struct row *r)
{
	return k->is_mixed ? r->ci95_ns : r->value_ci95_ns;
}

bool
ranking_overlap(const struct ranking *k, const struct row *a, const struct row *b)
{
	const double	*x = interval_of(k, a), *y = interval_of(k, b);

	return !(x[1] * a->correction < y[0] * b->correction ||
	    y[1] * b->correction < x[0] * a->correction);	/* NaN: not known to lie apart */
}

bool
ranking_is_tied(const struct ranking *k, size_t i, double noise)
{
	const double	slower = ranking_ns(k, k->rows[i]) / ranking_ns(k, k->rows[0]) - 1;

	return ranking_overlap(k, k->rows[0], k->rows[i]) || slower < noise;
}

/* ---- the order ---- */

/* Those with a time, those that were given up, the failures. */
static int
class_of(const struct row *r)
{
	return row_is_ranked(r) ? 0 : r->status == ST_OK ? 1 : 2;
}

static int
compare_rows(const struct row *a, const struct row *b, double a_ns, double b_ns)
{
	const int	a_class = class_of(a), b_class = class_of(b);

	if (a_class != b_class)
		return a_class < b_class ? -1 : 1;
	if (a_class == 0 && a_ns != b_ns)
		return a_ns < b_ns ? -1 : 1;
	return (a->job > b->job) - (a->job < b->job);
}

static int
compare_values(const void *x, const void *y)
{
	const struct row	*const *a = x, *const *b = y;

	return compare_rows(*a, *b, (*a)->value_ns * (*a)->correction,
	    (*b)->value_ns * (*b)->correction);
}

static int
compare_medians(const void *x, const void *y)
{
	const struct row	*const *a = x, *const *b = y;

	return compare_rows(*a, *b, (*a)->median_ns * (*a)->correction,
	    (*b)->median_ns * (*b)->correction);
}

void
ranking_sort(const struct row **rows, size_t n)
{
	struct ranking	k;

	ranking_init(&k, rows, n);
	qsort(rows, n, sizeof *rows, k.is_mixed ? compare_medians : compare_values);
}
