/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "client/search/groups.h"
#include "proto/base/rank.h"

#define MAD_TO_SIGMA	1.4826
#define LEAST_SPREAD	0.01		/* of a time, as no clock is finer */

/* The calls, and what is found out about them. */
struct calls {
	const double	*ns;			/* borrowed; n */
	bool		*aside;			/* owned; n: does not count */
	double		*x, *scratch;		/* owned; n each, one allocation */
	size_t		 n;
	double		 slow_ns;		/* from here on a call is slow; INFINITY: none is */
};

const char *
group_name(enum group_kind kind)
{
	static const char *const	names[GROUP_NKINDS] = {
		"all", "early", "late", "slow", "fast"
	};

	return names[kind];
}

static double
median(double *x, size_t n)
{
	qsort(x, n, sizeof *x, rank_ascending);
	return rank_middle(x, n);
}

/* ---- the split ---- */

/* The size of the lower of two groups, of n sorted values, with the least squares within. */
static size_t
best_cut(const double *x, size_t n)
{
	double	sum = 0, all = 0, best = -1;
	size_t	cut = n;

	for (size_t i = 0; i < n; i++)
		all += x[i];
	for (size_t i = 1; i < n; i++) {
		double	mean_gap, between;

		sum += x[i - 1];
		mean_gap = (all - sum) / (double)(n - i) - sum / (double)i;
		between = mean_gap * mean_gap * (double)i * (double)(n - i);
		if (between > best) {
			best = between;
			cut = i;
		}
	}
	return cut;
}

/* Of sorted logarithms of times: do those from the cut on certainly make another group? */
static bool
lie_apart(const double *x, size_t n, size_t cut, double *scratch)
{
	const double	low = rank_middle(x, cut), high = rank_middle(x + cut, n - cut);
	double		spread;

	for (size_t i = 0; i < n; i++)
		scratch[i] = fabs(x[i] - (i < cut ? low : high));
	spread = fmax(MAD_TO_SIGMA * median(scratch, n), LEAST_SPREAD);
	return high - low >= log(GROUPS_APART) && high - low >= GROUPS_SPREADS * spread &&
	    x[cut] - x[cut - 1] > spread;
}

/* Of sorted logarithms: the time that certainly lies apart from the middle. */
static double
far_from_the_middle(const double *x, size_t n, double *scratch)
{
	const double	middle = rank_middle(x, n);
	double		spread;

	for (size_t i = 0; i < n; i++)
		scratch[i] = fabs(x[i] - middle);
	spread = fmax(MAD_TO_SIGMA * median(scratch, n), LEAST_SPREAD);
	return exp(middle + fmax(log(GROUPS_APART), GROUPS_SPREADS * spread));
}

static double
threshold(const struct calls *c)
{
	double	limit;
	size_t	m = 0, first = 0, cut;

	for (size_t i = 0; i < c->n; i++)
		if (!c->aside[i])
			c->x[m++] = log(c->ns[i]);
	if (m < 2)
		return INFINITY;
	qsort(c->x, m, sizeof *c->x, rank_ascending);
	cut = best_cut(c->x, m);
	if (lie_apart(c->x, m, cut, c->scratch))
		return exp(0.5 * (c->x[cut - 1] + c->x[cut]));
	limit = far_from_the_middle(c->x, m, c->scratch);
	while (c->aside[first])
		first++;
	return c->ns[first] > limit ? limit : INFINITY;
}

/* Slow calls behind the first fast one, if they are rare; returns how many. */
static size_t
set_stray_aside(struct calls *c)
{
	size_t	first = 0, stray = 0;

	while (first < c->n && (c->aside[first] || c->ns[first] >= c->slow_ns))
		first++;
	for (size_t i = first; i < c->n; i++)
		stray += !c->aside[i] && c->ns[i] >= c->slow_ns;
	if (stray * GROUPS_RARE > c->n && stray > 1)
		return 0;
	for (size_t i = first; i < c->n; i++)
		c->aside[i] |= c->ns[i] >= c->slow_ns;
	return stray;
}

/* ---- the groups ---- */

/* The slow calls, or the others. */
static void
describe(const struct calls *c, struct group *g, enum group_kind kind, bool slow)
{
	double	all = 0, own = 0;

	*g = (struct group){ .kind = kind };
	for (size_t i = 0; i < c->n; i++) {
		if (c->aside[i])
			continue;
		all += c->ns[i];
		if ((c->ns[i] >= c->slow_ns) != slow)
			continue;
		own += c->ns[i];
		c->scratch[g->calls++] = c->ns[i];
	}
	g->share = own / all;
	g->median_ns = median(c->scratch, g->calls);
	g->min_ns = c->scratch[0];
}

static bool
alternate(const struct calls *c)
{
	bool	fast = false;

	for (size_t i = 0; i < c->n; i++) {
		if (!c->aside[i] && fast && c->ns[i] >= c->slow_ns)
			return true;
		fast |= !c->aside[i] && c->ns[i] < c->slow_ns;
	}
	return false;
}

static void
split(struct groups *g, struct calls *c)
{
	size_t	stray;
	bool	turns;

	do {
		c->slow_ns = threshold(c);
		stray = isinf(c->slow_ns) ? 0 : set_stray_aside(c);
		g->set_aside += stray;
	} while (stray > 0);
	if (isinf(c->slow_ns)) {
		g->n = 1;
		describe(c, &g->group[0], GROUP_ALL, false);
		return;
	}
	turns = alternate(c);
	g->n = 2;
	describe(c, &g->group[0], turns ? GROUP_SLOW : GROUP_EARLY, true);
	describe(c, &g->group[1], turns ? GROUP_FAST : GROUP_LATE, false);
}

static enum status
check_times(const double *ns, size_t n, struct fault *why)
{
	if (n < GROUPS_LEAST_CALLS)
		return fault_set(why, ST_BAD_REQUEST, "%zu times are too few to sort: at least %d",
		    n, GROUPS_LEAST_CALLS);
	for (size_t i = 0; i < n; i++)
		if (!(ns[i] > 0) || isinf(ns[i]))
			return fault_set(why, ST_BAD_REQUEST, "call %zu did not take %g ns", i + 1,
			    ns[i]);
	return ST_OK;
}

enum status
groups_split(struct groups *g, const double *ns, size_t n, struct fault *why)
{
	struct calls	c = { .ns = ns, .n = n };
	enum status	st;

	*g = (struct groups){ .n = 0 };
	if ((st = check_times(ns, n, why)) != ST_OK)
		return st;
	c.x = calloc(2 * n, sizeof *c.x);
	c.aside = calloc(n, sizeof *c.aside);
	c.scratch = c.x != NULL ? c.x + n : NULL;
	if (c.x != NULL && c.aside != NULL)
		split(g, &c);
	else
		st = fault_set(why, ST_NOMEM, "%zu times", n);
	free(c.x);
	free(c.aside);
	return st;
}
