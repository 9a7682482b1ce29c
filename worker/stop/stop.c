/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "proto/base/rank.h"
#include "worker/stop/stop.h"
#include "worker/taken/units.h"

static double
width(const struct stop *s, const struct take *k)
{
	size_t	 n;
	double	*x = take_units(k, s->plan, s->gate, take_counts, &n);
	double	 w = x != NULL ? rank_width(x, n) : HUGE_VAL;

	free(x);
	return w;
}

/* Half as many again, up to the most. */
static unsigned
more(unsigned n, unsigned most)
{
	return most - n > n / 2 + 1 ? n + n / 2 + 1 : most;
}

static bool
end(struct take *k, const char *by)
{
	k->ended_by = by;
	return true;
}

/*
 * Processes that agree are enough; of those that do not, one more at a time, until all the samples
 * are there.
 */
static bool
is_settled(const struct stop *s, struct take *k)
{
	const struct plan	*p = s->plan;

	if (k->wanted >= p->samples || width(s, k) <= STOP_AGREE)
		return end(k, "samples");
	k->wanted += p->samples / p->processes;
	return false;
}

/* Of what is spent on samples beyond the first. */
static bool
is_spent(struct stop *s, uint64_t now_ns, uint64_t lost_ns)
{
	if (s->since_ns == 0)
		s->since_ns = now_ns - lost_ns;
	return now_ns - s->since_ns >= s->plan->budget_ns;
}

bool
stop_is_due(struct stop *s, struct take *k, uint64_t now_ns, uint64_t lost_ns)
{
	if (k->clean < k->wanted)
		return s->since_ns != 0 && is_spent(s, now_ns, lost_ns) ? end(k, "budget") : false;
	if (s->plan->interval == 0)
		return is_settled(s, k);
	if ((k->width = width(s, k)) <= s->plan->interval)
		return end(k, "interval");
	if (k->wanted >= s->plan->max_samples)
		return end(k, "max_samples");
	if (is_spent(s, now_ns, lost_ns))
		return end(k, "budget");
	k->wanted = more(k->wanted, s->plan->max_samples);
	return false;
}

void
stop_early(struct take *k)
{
	k->ended_by = k->cut_short ? "wall limit" : "budget";
}
