/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "worker/take/looks.h"

static double
own_ticks(const struct take *k, uint64_t ticks)
{
	return ticks > k->subtracted_ticks ? (double)(ticks - k->subtracted_ticks) : 1;
}

static void
put_ratios(const struct take *k, const struct take_sample *s, size_t n, double *ratio)
{
	for (size_t i = 0; i < n; i++)
		ratio[i] = own_ticks(k, s[i].raw.ticks) / own_ticks(k, s[i].against_ticks);
}

/*
 * Of as many clean pairs as are wanted: the pairs that will be kept if sampling ends now.  Owned;
 * NULL: no memory.
 */
static double *
ratios_so_far(const struct take *k)
{
	struct take_sample	*clean = calloc(k->samples, sizeof *clean);
	double			*ratio = calloc(k->wanted, sizeof *ratio);
	size_t			 n = 0;

	for (size_t i = 0; clean != NULL && i < k->samples; i++)
		if (take_counts(k, &k->sample[i]))
			clean[n++] = k->sample[i];
	if (clean == NULL || ratio == NULL) {
		free(clean);
		free(ratio);
		return NULL;
	}
	qsort(clean, n, sizeof *clean, take_by_worth);
	put_ratios(k, clean, k->wanted, ratio);
	free(clean);
	return ratio;
}

/*
 * With the gate given up, what was loud counts, and there may be enough for a later look: earlier
 * ones are passed.
 */
static void
pass_looks(struct take *k, unsigned max_pairs)
{
	unsigned	next;

	while (k->wanted < max_pairs && (next = paired_next_look(k->wanted, max_pairs)) <= k->clean)
		k->wanted = next;
}

static bool
is_due(void *arg, struct take *k)
{
	struct looks	*l = arg;
	struct paired	 found = { .verdict = VERDICT_UNDECIDED };
	double		*ratio;

	if (k->clean < k->wanted)
		return false;
	pass_looks(k, l->rule->max_pairs);
	if ((ratio = ratios_so_far(k)) != NULL)
		paired_look(l->rule, ratio, k->wanted, false, &found);
	free(ratio);
	l->looks++;
	if (found.verdict != VERDICT_UNDECIDED || k->wanted >= l->rule->max_pairs) {
		k->ended_by = found.verdict != VERDICT_UNDECIDED ? "interval" : "max_pairs";
		return true;
	}
	k->wanted = paired_next_look(k->wanted, l->rule->max_pairs);
	return false;
}

struct take_rule
looks_rule(struct looks *l)
{
	return (struct take_rule){ is_due, l };
}

/*
 * When sampling ended before a look was due, this is one: of what there is.  A verdict of too few
 * clean pairs stands on all that were kept, each marked in the samples.
 */
enum status
looks_end(const struct looks *l, const struct take *k, struct looks_end *end)
{
	double	*ratio = calloc(k->samples + 1, sizeof *ratio);
	bool	 in_time = k->clean >= k->wanted;

	*end = (struct looks_end){ .looks = l->looks + !in_time, .by = k->ended_by };
	if (ratio == NULL)
		return ST_INTERNAL;
	put_ratios(k, k->sample, k->samples, ratio);
	if (k->samples > 0)
		paired_look(l->rule, ratio, k->samples, true, &end->found);
	free(ratio);
	return ST_OK;
}
