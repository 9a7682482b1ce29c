/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "worker/pace.h"

double
pace_slowness(const struct gate *g, const struct plan *p, struct gate_reading r)
{
	double	pace = gate_pace(g, r);

	if (pace == 0)
		return gate_ratio(g, r);
	return p->method == PLAN_WARM ? pace : 1;
}

static int
by_value(const void *a, const void *b)
{
	const double	*x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The median of their paces; 0: of one it is not known. */
static double
typical_pace(const struct take *k, const struct gate *g)
{
	double	*x = calloc(k->samples + 1, sizeof *x), typical;

	if (x == NULL)
		return 0;
	for (size_t i = 0; i < k->samples; i++)
		x[i] = gate_pace(g, k->sample[i].canary);
	qsort(x, k->samples, sizeof *x, by_value);
	typical = k->samples > 0 && x[0] > 0 ? x[k->samples / 2] : 0;
	free(x);
	return typical;
}

void
pace_normalise(struct take *k, const struct gate *g, const struct plan *p)
{
	double	typical = typical_pace(k, g), scale = 1;

	k->clock = gate_clock(g);
	k->own_clock = typical;
	if (typical > 0 && p->method == PLAN_WARM)
		scale = (k->clock > 0 && k->clock < typical ? k->clock : typical) / typical;
	for (size_t i = 0; i < k->samples; i++)
		k->sample[i].slowness = pace_slowness(g, p, k->sample[i].canary) * scale;
}
