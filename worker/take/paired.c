/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "proto/base/rank.h"
#include "worker/take/paired.h"

static const unsigned	looks[] = { SPEC_MIN_PAIRS, 31, 61, 101 };
enum { NLOOKS = sizeof looks / sizeof looks[0] };

const char *
verdict_name(enum verdict v)
{
	static const char *const	names[VERDICT_N] = { "faster", "slower",
	    "indistinguishable", "undecided" };

	return (unsigned)v < VERDICT_N ? names[v] : "?";
}

size_t
paired_looks(unsigned max_pairs)
{
	size_t	n = 0;

	while (n < NLOOKS && looks[n] < max_pairs)
		n++;
	return n + 1;
}

unsigned
paired_next_look(unsigned pairs, unsigned max_pairs)
{
	for (size_t i = 0; i < NLOOKS; i++)
		if (looks[i] > pairs && looks[i] < max_pairs)
			return looks[i];
	return max_pairs;
}

static enum verdict
verdict_of(const struct paired *p, double resolution, bool last)
{
	if (p->has_interval && p->low >= 1 - resolution && p->high <= 1 + resolution)
		return VERDICT_INDISTINGUISHABLE;
	if (p->has_interval && p->high < 1 && p->ratio <= 1 - resolution / 2)
		return VERDICT_FASTER;
	if (p->has_interval && p->low > 1 && p->ratio >= 1 + resolution / 2)
		return VERDICT_SLOWER;
	return last ? VERDICT_INDISTINGUISHABLE : VERDICT_UNDECIDED;
}

void
paired_look(const struct contest *rule, double *ratio, size_t n, bool last, struct paired *out)
{
	size_t	r = rank_median(n, rule->error / (double)paired_looks(rule->max_pairs));

	qsort(ratio, n, sizeof *ratio, rank_ascending);
	out->pairs = n;
	out->ratio = rank_middle(ratio, n);
	out->has_interval = r != 0;
	out->low = ratio[r != 0 ? r - 1 : 0];
	out->high = ratio[r != 0 ? n - r : n - 1];
	out->verdict = verdict_of(out, rule->resolution, last);
}
