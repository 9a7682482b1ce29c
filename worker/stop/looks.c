/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "worker/stop/looks.h"

static double
own_ticks(const struct take *k, uint64_t ticks)
{
	return ticks > k->subtracted_ticks ? (double)(ticks - k->subtracted_ticks) : 1;
}

/* Ratios of n samples, in the order of their processes; owned; NULL: no memory. */
static struct paired_ratio *
ratios_of(const struct take *k, const struct take_sample *s, size_t n)
{
	struct paired_ratio	*r = calloc(n + 1, sizeof *r);

	for (size_t i = 0; r != NULL && i < n; i++)
		r[i] = (struct paired_ratio){ own_ticks(k, s[i].raw.ticks) /
		    own_ticks(k, s[i].against_ticks), s[i].process };
	return r;
}

/* ---- groups ---- */

static unsigned
most_groups(const struct looks *l)
{
	return l->rule->max_pairs / (l->each != 0 ? l->each : 1);
}

/* Groups, and pairs in them, that were not disturbed, and quiet unless with_loud.  As taken. */
static unsigned
count_groups(const struct take *k, bool with_loud, unsigned *pairs)
{
	unsigned	groups = 0, last = 0;

	*pairs = 0;
	for (size_t i = 0; i < k->samples; i++) {
		const struct take_sample	*s = &k->sample[i];

		if (s->disturbed || (!with_loud && (s->loud || s->memory_loud)))
			continue;
		groups += *pairs == 0 || s->process != last;
		last = s->process;
		++*pairs;
	}
	return groups;
}

/*
 * The groups and pairs to be looked at.  Loud pairs stray ten times as far as others, so they count
 * only if most groups have no other, and if quiet is not required.
 */
static unsigned
count_best(const struct looks *l, const struct take *k, unsigned *pairs)
{
	unsigned	all, groups = count_groups(k, true, &all);
	unsigned	quiet = count_groups(k, false, pairs);

	if (l->needs_quiet || 2 * quiet >= groups)
		return quiet;
	*pairs = all;
	return groups;
}

/* Of the present group. */
static unsigned
count_clean(const struct looks *l, const struct take *k)
{
	unsigned	clean = 0;

	for (size_t i = l->first; i < k->samples; i++)
		clean += take_counts(k, &k->sample[i]);
	return clean;
}

static void
next_group(struct looks *l, struct take *k)
{
	k->processes++;
	l->first = k->samples;
	l->pairs->is_stale = true;
	k->wanted = k->clean + l->each;
}

/* ---- looks ---- */

static bool
is_late(const struct looks *l, const struct take *k)
{
	return k->taken >= LOOKS_PAIRS && take_now(l->clock) >= l->end_ns;
}

/* A verdict of the best n of the pairs so far, which will be kept if sampling ends now. */
static enum verdict
look(struct looks *l, const struct take *k, size_t n)
{
	struct take_sample	*best = calloc(k->samples, sizeof *best);
	struct paired_ratio	*ratio;
	struct paired		 found = { .verdict = VERDICT_UNDECIDED };

	if (best == NULL)
		return VERDICT_UNDECIDED;
	for (size_t i = 0; i < k->samples; i++)
		best[i] = k->sample[i];
	qsort(best, k->samples, sizeof *best, take_by_worth);
	qsort(best, n, sizeof *best, take_by_place);
	if ((ratio = ratios_of(k, best, n)) != NULL)
		(void)paired_look(l->rule, paired_looks(most_groups(l)), ratio, n, false, &found);
	free(ratio);
	free(best);
	l->looks++;
	return found.verdict;
}

static bool
end(struct take *k, unsigned pairs, const char *by)
{
	k->wanted = pairs;
	k->ended_by = by;
	return true;
}

/* A group is over. */
static bool
look_if_due(struct looks *l, struct take *k)
{
	unsigned	pairs, groups = count_best(l, k, &pairs);
	const bool	late = is_late(l, k);
	const bool	full = groups >= most_groups(l) || pairs >= l->rule->max_pairs;

	pairs = pairs < l->rule->max_pairs ? pairs : l->rule->max_pairs;
	if (groups < l->next && !late && !full)
		return false;
	if (pairs > 0 && look(l, k, pairs) != VERDICT_UNDECIDED)
		return end(k, pairs, "interval");
	if (full || late)
		return end(k, pairs, full ? "max_pairs" : "budget");
	l->next = paired_next_look(groups, most_groups(l));
	return false;
}

static bool
is_due(void *arg, struct take *k)
{
	struct looks	*l = arg;
	unsigned	 clean;

	if (l->each == 0) {
		l->each = paired_group(l->rule->max_pairs, 2 * l->pairs->one.took_ns);
		l->next = paired_next_look(0, most_groups(l));
	}
	clean = count_clean(l, k);
	if (clean < l->each && k->samples - l->first < LOOKS_TRIES * l->each) {
		k->wanted = k->clean + l->each - clean;
		return false;
	}
	if (look_if_due(l, k))
		return true;
	next_group(l, k);
	return false;
}

void
looks_begin(struct looks *l, const struct contest *rule, struct pairs *pairs,
    const struct plan *plan, const struct take_clock *clock)
{
	*l = (struct looks){ .rule = rule, .pairs = pairs, .clock = clock,
	    .needs_quiet = plan->gating == GATING_ON,
	    .end_ns = take_now(clock) + PAIRS_SIDES * plan->budget_ns };
}

struct take_rule
looks_rule(struct looks *l)
{
	return (struct take_rule){ is_due, l, LOOKS_PATIENCE_NS };
}

/*
 * When sampling ended before a look was due, this is one: of what there is.  A verdict of too few
 * clean pairs stands on all that were kept, each marked in the samples.
 */
enum status
looks_end(const struct looks *l, const struct take *k, struct looks_end *end)
{
	const bool		 was_due = k->clean >= k->wanted;
	struct paired_ratio	*ratio = ratios_of(k, k->sample, k->samples);
	enum status		 st = ST_OK;

	*end = (struct looks_end){ .looks = l->looks + !was_due, .by = k->ended_by };
	if (ratio == NULL)
		return ST_INTERNAL;
	if (k->samples > 0)
		st = paired_look(l->rule, paired_looks(most_groups(l)), ratio, k->samples, true,
		    &end->found);
	free(ratio);
	return st == ST_OK ? ST_OK : ST_INTERNAL;
}
