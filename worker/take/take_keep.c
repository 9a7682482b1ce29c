/* SPDX-License-Identifier: Apache-2.0 */
/* The samples that stand for the job, in nanoseconds. */
#include <stdlib.h>

#include "worker/take/memory_canary.h"
#include "worker/taken/pace.h"
#include "worker/take/take_parts.h"

#define LEAST_CLEAN	3u

bool
take_has_share(const struct take *k, unsigned parts)
{
	const unsigned	wanted = k->wanted < k->taken ? k->wanted : k->taken;
	unsigned	need = (wanted + parts - 1) / parts;

	need = need < LEAST_CLEAN ? LEAST_CLEAN : need;
	return k->clean >= (need < wanted ? need : wanted);
}

/*
 * Of the n best, which come first, as many as are wanted, and of no process more than its share.
 * Returns how many; they come first.
 */
static size_t
pick(const struct taking *t, size_t n)
{
	struct take	*k = t->take;
	unsigned	*had = calloc(k->processes, sizeof *had);
	size_t		 picked = 0;

	for (size_t i = 0; i < n && picked < k->wanted; i++) {
		struct take_sample	s = k->sample[i];

		if (had == NULL || t->each == 0 ||
		    had[s.process]++ < t->each + (s.process < t->extra))
			k->sample[picked++] = s;
	}
	free(had);
	return picked;
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
	n = take_has_share(k, TAKE_ENOUGH) ? k->clean : k->taken;
	qsort(k->sample, k->samples, sizeof *k->sample, take_by_worth);
	k->samples = pick(t, n);
	qsort(k->sample, k->samples, sizeof *k->sample, take_by_place);
	for (size_t i = 0; i < k->samples; i++)
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
