/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "client/print/ranking.h"

void
ranking_init(struct ranking *k, const struct row *const *rows, size_t n)
{
	const char	*estimator = NULL;

	*k = (struct ranking){ .rows = rows, .n = n };
	for (size_t i = 0; i < n; i++) {
		if (rows[i]->status != ST_OK)
			continue;
		k->is_mixed = k->is_mixed ||
		    (estimator != NULL && strcmp(estimator, rows[i]->estimator) != 0);
		estimator = rows[i]->estimator;
	}
}

double
ranking_ns(const struct ranking *k, const struct row *r)
{
	if (r->status != ST_OK)
		return NAN;
	return k->is_mixed ? r->median_ns : r->value_ns;
}

double
ranking_speedup(const struct ranking *k, const struct row *base, const struct row *r)
{
	if (strcmp(base->problem, r->problem) != 0)
		return NAN;
	return ranking_ns(k, base) / ranking_ns(k, r);
}
