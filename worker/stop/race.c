/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "proto/base/rank.h"
#include "worker/stop/race.h"
#include "worker/taken/units.h"

/* One unit more: it is at or below the median with a chance of a half. */
static void
step(double *alive, size_t n)
{
	for (size_t k = n; k > 0; k--)
		alive[k] = 0.5 * (alive[k] + alive[k - 1]);
	alive[0] *= 0.5;
}

size_t
race_rank(size_t n)
{
	double	alive[RACE_MOST + 2] = { 1 };	/* k units at or below, and no look ended it */
	double	spent = 0;
	size_t	rank = 0;

	if (n > RACE_MOST)
		return 0;
	for (size_t i = 1; i <= n; i++) {
		step(alive, i);
		for (; rank < i && spent + alive[rank] <=
		    RACE_MISS * (double)i / (double)(i + 2); rank++) {
			spent += alive[rank];
			alive[rank] = 0;
		}
	}
	return rank;
}

/* Also where others have to be kept, for lack of quiet. */
static bool
is_quiet(const struct take *k, const struct take_sample *s)
{
	(void)k;
	return !s->disturbed && !s->loud && !s->memory_loud;
}

static double
ns_of(double ticks, const struct plan *p, const struct tick *tick)
{
	return ticks > 0 ? ticks * 1e9 / tick->hz / (double)p->run.calls : 0;
}

bool
race_is_lost(const struct race *race, struct take *k, const struct plan *p, const struct gate *g,
    const struct tick *tick)
{
	size_t	 n, rank;
	double	*x = take_units(k, p, g, is_quiet, &n), bound_ns = 0;

	if (x != NULL && (rank = race_rank(n)) > 0) {
		qsort(x, n, sizeof *x, rank_ascending);
		bound_ns = ns_of(x[rank - 1], p, tick);
	}
	free(x);
	if (!(bound_ns > race->above_ns))
		return false;
	k->raced = true;
	k->bound_ns = bound_ns;
	k->ended_by = "race";
	k->wanted = k->clean;
	return true;
}
