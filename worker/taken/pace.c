/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "proto/base/rank.h"
#include "worker/runner/sample/canary.h"
#include "worker/taken/pace.h"

#define FASTEST_SHARE	10u

double
pace_slowness(const struct gate *g, const struct plan *p, const struct runner_sample *s)
{
	double	pace = gate_pace(g, s);

	if (pace == 0)
		return gate_ratio(g, s);
	return !plan_flushes(p) ? pace : 1;
}

/* A tenth of them was taken at least at that pace; 0: of one it is not known. */
static double
typical_pace(const struct take *k, const struct gate *g)
{
	double	*x = calloc(k->samples + 1, sizeof *x), typical;

	if (x == NULL)
		return 0;
	for (size_t i = 0; i < k->samples; i++)
		x[i] = gate_pace(g, &k->sample[i].raw);
	qsort(x, k->samples, sizeof *x, rank_ascending);
	typical = k->samples > 0 && x[0] > 0 ? x[k->samples / FASTEST_SHARE] : 0;
	free(x);
	return typical;
}

void
pace_normalise(struct take *k, const struct gate *g, const struct plan *p)
{
	double	typical = typical_pace(k, g), clock = gate_clock(g), scale = 1;

	k->clock = clock;
	k->own_clock = typical;
	if (clock < 1 || clock > GATE_TOLERANCE)
		clock = 1;
	if (typical > 0 && !plan_flushes(p))
		scale = (clock < typical ? clock : typical) / typical;
	for (size_t i = 0; i < k->samples; i++) {
		k->sample[i].pace = gate_pace(g, &k->sample[i].raw);
		k->sample[i].slowness = pace_slowness(g, p, &k->sample[i].raw) * scale;
	}
}

/* Of one sample; 0: not known. */
static double
ghz_of(const struct runner_sample *s, const struct gate *g, const struct tick *tick)
{
	const double	ticks = ((double)s->pace_before + s->pace_after) / 2;
	const double	ns = ticks / tick->hz * 1e9 - tick->overhead_ns;

	return gate_pace(g, s) > 0 && ns > 0 ? RT_PACE_CYCLES / ns : 0;
}

double
pace_ghz(const struct take *k, const struct gate *g, const struct tick *tick)
{
	double	*x = calloc(k->samples + 1, sizeof *x), ghz = 0;

	if (x == NULL || k->samples == 0) {
		free(x);
		return 0;
	}
	for (size_t i = 0; i < k->samples; i++)
		x[i] = ghz_of(&k->sample[i].raw, g, tick);
	qsort(x, k->samples, sizeof *x, rank_ascending);
	ghz = x[0] > 0 ? rank_middle(x, k->samples) : 0;
	free(x);
	return ghz;
}

bool
pace_is_in_doubt(const struct take *k, const struct plan *p)
{
	return !p->has_frequency && !plan_flushes(p) && k->clock > GATE_TOLERANCE &&
	    k->own_clock > GATE_TOLERANCE;
}
