/* SPDX-License-Identifier: Apache-2.0 */
/* The samples that stand for the job, in nanoseconds. */
#include <stdlib.h>

#include "worker/take/memory_canary.h"
#include "worker/take/pace.h"
#include "worker/take/take_parts.h"

#define LEAST_CLEAN	3u

/* Fewer than a third of those wanted, or than three: they cannot stand for the result. */
bool
take_has_too_few(const struct take *k)
{
	const unsigned	wanted = k->wanted < k->taken ? k->wanted : k->taken;
	unsigned	need = (wanted + 2) / 3;

	need = need < LEAST_CLEAN ? LEAST_CLEAN : need;
	return k->clean < (need < wanted ? need : wanted);
}

static int
by_place(const void *a, const void *b)
{
	const struct take_sample	*x = a, *y = b;

	return (x->nth > y->nth) - (x->nth < y->nth);
}

/* The clean ones; with too few of them the best of the others too, each marked with its fault. */
static void
choose(struct taking *t)
{
	struct take	*k = t->take;
	unsigned	 n;

	take_give_up_memory(t);
	take_give_up_quiet(t);
	if (t->judged_memory)
		memory_gate_end(&t->with->gate->memory,
		    k->memory_off == NULL && !k->memory_failed);
	if (t->judged)
		patience_end(&t->with->gate->patience, k->canary_off == NULL && !k->gate_failed,
		    t->plan->waits_all ? 0 : k->waited_ns);
	n = take_has_too_few(k) ? k->taken : k->clean;
	n = n < k->wanted ? n : k->wanted;
	qsort(k->sample, k->samples, sizeof *k->sample, take_by_worth);
	qsort(k->sample, n, sizeof *k->sample, by_place);
	k->samples = n;
	for (size_t i = 0; i < n; i++)
		k->kept_unfit += k->sample[i].disturbed || k->sample[i].loud;
}

static double
call_ns_of(const struct taking *t, uint64_t ticks)
{
	const uint64_t	overhead = t->take->subtracted_ticks;
	const uint64_t	own = ticks > overhead ? ticks - overhead : 0;

	return tick_ns(t->with->tick, own) / (double)t->plan->run.calls;
}

static void
convert(struct taking *t)
{
	const struct gate	*gate = t->with->gate;
	struct take		*k = t->take;
	uint64_t		 least = UINT64_MAX;

	k->canary_base_ticks = gate != NULL ? gate_base_ticks(gate) : 0;
	k->memory_ticks = memory_canary_median(k);
	if (gate != NULL)
		pace_normalise(k, gate, t->plan);
	k->slow_clock = t->plan->gating == GATING_ON && pace_is_in_doubt(k, t->plan);
	k->gate_failed |= k->slow_clock;
	for (size_t i = 0; i < k->samples; i++) {
		struct take_sample	*s = &k->sample[i];

		s->ns = call_ns_of(t, s->raw.ticks);
		s->against_ns = call_ns_of(t, s->against_ticks);
		s->canary_ratio = gate != NULL ? gate_ratio(gate, &s->raw) : 0;
		s->memory_ratio = gate != NULL ?
		    memory_gate_ratio(&gate->memory, s->raw.memory_canary) : 0;
		if (s->raw.ticks < least)
			least = s->raw.ticks;
	}
	k->within_noise = least < 2 * k->empty_ticks ||
	    tick_ns(t->with->tick, least - k->subtracted_ticks) < 2 * t->with->tick->resolution_ns;
	k->region_ticks = least;
}

void
take_keep(struct taking *t)
{
	choose(t);
	convert(t);
}
