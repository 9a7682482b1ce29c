/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "proto/base/rank.h"
#include "worker/stop/paired.h"
#include "worker/stop/signed_rank.h"

#define LONG_PAIR_NS	5000000u	/* loading is little beside it: two in a group */
#define LONGEST_PAIR_NS	20000000u	/* one */

const char *
verdict_name(enum verdict v)
{
	static const char *const	names[VERDICT_N] = { "faster", "slower",
	    "indistinguishable", "undecided" };

	return (unsigned)v < VERDICT_N ? names[v] : "?";
}

unsigned
paired_group(unsigned max_pairs, uint64_t pair_ns)
{
	const unsigned	few = pair_ns > LONGEST_PAIR_NS ? 1 : pair_ns > LONG_PAIR_NS ? 2 :
			    PAIRED_GROUP;
	const unsigned	each = max_pairs / PAIRED_FIRST;

	return each >= few ? few : each > 1 ? each : 1;
}

/* Not so near to the last one that they would decide on the same groups. */
static bool
is_look(unsigned groups, unsigned most)
{
	return groups + groups / 3 < most;
}

size_t
paired_looks(unsigned most)
{
	size_t	n = 1;

	for (unsigned at = PAIRED_FIRST; is_look(at, most); at *= 2)
		n++;
	return n;
}

unsigned
paired_next_look(unsigned groups, unsigned most)
{
	for (unsigned at = PAIRED_FIRST; is_look(at, most); at *= 2)
		if (at > groups)
			return at;
	return most;
}

/* ---- groups ---- */

static double
spread_of(const double *x, size_t n)
{
	double	mean = 0, squares = 0;

	for (size_t i = 0; i < n; i++)
		mean += x[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (x[i] - mean) * (x[i] - mean);
	return n > 1 ? sqrt(squares / (double)(n - 1)) : NAN;
}

/* Of the logarithms: in each group the median, and the spread if it has several. */
struct groups {
	double	*x;			/* the ratios'; owned */
	double	*median, *spread;	/* owned */
	size_t	 n, spreads;
};

static void
add_group(struct groups *g, double *x, size_t n)
{
	if (n > 1)
		g->spread[g->spreads++] = spread_of(x, n);
	qsort(x, n, sizeof *x, rank_ascending);
	g->median[g->n++] = rank_middle(x, n);
}

static void
release_groups(struct groups *g)
{
	free(g->x);
	free(g->median);
	free(g->spread);
}

static enum status
make_groups(struct groups *g, const struct paired_ratio *r, size_t n)
{
	*g = (struct groups){ .x = calloc(n, sizeof *g->x),
	    .median = calloc(n, sizeof *g->median), .spread = calloc(n, sizeof *g->spread) };
	if (g->x == NULL || g->median == NULL || g->spread == NULL)
		return ST_NOMEM;
	for (size_t i = 0; i < n; i++)
		g->x[i] = log(r[i].ratio);
	for (size_t i = 0, to; i < n; i = to) {
		for (to = i + 1; to < n && r[to].process == r[i].process; to++)
			;
		add_group(g, g->x + i, to - i);
	}
	return ST_OK;
}

/* ---- a look ---- */

static enum verdict
verdict_of(const struct paired *p, double resolution, bool last)
{
	if (p->has_interval && p->high < 1 && p->ratio <= 1 - resolution / 2)
		return VERDICT_FASTER;
	if (p->has_interval && p->low > 1 && p->ratio >= 1 + resolution / 2)
		return VERDICT_SLOWER;
	if (p->has_interval && p->low >= 1 - resolution && p->high <= 1 + resolution)
		return VERDICT_INDISTINGUISHABLE;
	return last ? VERDICT_INDISTINGUISHABLE : VERDICT_UNDECIDED;
}

static enum status
look_at(const struct contest *rule, size_t looks, struct groups *g, bool last, struct paired *out)
{
	struct signed_rank	middle;

	if (!signed_rank(g->median, g->n, rule->error / (double)looks, &middle))
		return ST_NOMEM;
	out->groups = g->n;
	out->ratio = exp(middle.middle);
	out->low = exp(middle.low);
	out->high = exp(middle.high);
	out->has_interval = middle.has_interval;
	out->between = spread_of(g->median, g->n);
	qsort(g->spread, g->spreads, sizeof *g->spread, rank_ascending);
	out->within = g->spreads > 0 ? rank_middle(g->spread, g->spreads) : NAN;
	out->verdict = verdict_of(out, rule->resolution, last);
	return ST_OK;
}

enum status
paired_look(const struct contest *rule, size_t looks, const struct paired_ratio *ratio, size_t n,
    bool last, struct paired *out)
{
	struct groups	g;
	enum status	st = make_groups(&g, ratio, n);

	*out = (struct paired){ .pairs = n, .verdict = VERDICT_UNDECIDED };
	if (st == ST_OK)
		st = look_at(rule, looks, &g, last, out);
	release_groups(&g);
	return st;
}
