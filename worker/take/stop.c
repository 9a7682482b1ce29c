/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "proto/base/rank.h"
#include "worker/take/pace.h"
#include "worker/take/stop.h"

/*
 * The ranked figure, up to a factor: ticks of the routine's own, and of a core at its best clock as
 * far as the canary shows it.
 */
static double
worth(const struct stop *s, const struct take *k, const struct take_sample *one)
{
	double	own = (double)one->raw.ticks - (double)k->subtracted_ticks;
	double	slowness = k->canary_off == NULL && s->plan->normalised ?
	    pace_slowness(s->gate, s->plan, &one->raw) : 0;

	return slowness > 0 ? own / slowness : own;
}

static double
width(const struct stop *s, const struct take *k)
{
	double		*x = calloc(k->samples + 1, sizeof *x), w = 0;
	uint64_t	*process = calloc(k->samples + 1, sizeof *process);
	size_t		 n = 0;

	for (size_t i = 0; x != NULL && process != NULL && i < k->samples; i++)
		if (take_counts(k, &k->sample[i])) {
			process[n] = k->sample[i].process;
			x[n++] = worth(s, k, &k->sample[i]);
		}
	if (n > 0 && process[n - 1] != process[0])
		n = rank_medians(x, process, n, x);
	if (x != NULL && process != NULL)
		w = rank_width(x, n);
	free(process);
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
		return end(k, "samples");
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
