/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/search/groups.h"

#define MAD_TO_SIGMA	1.4826
#define LEAST_SPREAD	0.01		/* of a time: clocks are not finer, and equal times would lie apart by nothing */

const char *
group_name(enum group_kind kind)
{
	static const char *const	names[GROUP_NKINDS] = { "all", "early", "late", "slow", "fast" };

	return names[kind];
}

static int
ascending(const void *a, const void *b)
{
	double	x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
median(double *x, size_t n)
{
	qsort(x, n, sizeof *x, ascending);
	return 0.5 * (x[(n - 1) / 2] + x[n / 2]);
}

/* ---- the split ---- */

/* How many of n sorted values are the lower of two groups with the least sum of squares within. */
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

/* Sorted logarithms of times: is what lies at and beyond the cut certainly another group? */
static bool
lie_apart(const double *x, size_t n, size_t cut, double *scratch)
{
	double	low = 0.5 * (x[(cut - 1) / 2] + x[cut / 2]);
	double	high = 0.5 * (x[cut + (n - cut - 1) / 2] + x[cut + (n - cut) / 2]), spread;

	for (size_t i = 0; i < n; i++)
		scratch[i] = fabs(x[i] - (i < cut ? low : high));
	spread = fmax(MAD_TO_SIGMA * median(scratch, n), LEAST_SPREAD);
	return high - low >= log(GROUPS_APART) && high - low >= GROUPS_SPREADS * spread &&
	    x[cut] - x[cut - 1] > spread;
}

/* The time that is certainly not of the kind that most are, of sorted logarithms. */
static double
far_from_the_middle(const double *x, size_t n, double *scratch)
{
	double	middle = 0.5 * (x[(n - 1) / 2] + x[n / 2]), spread;

	for (size_t i = 0; i < n; i++)
		scratch[i] = fabs(x[i] - middle);
	spread = fmax(MAD_TO_SIGMA * median(scratch, n), LEAST_SPREAD);
	return exp(middle + fmax(log(GROUPS_APART), GROUPS_SPREADS * spread));
}

/* The time from which on a call is slow; INFINITY: none is. */
static double
threshold(const double *ns, const bool *aside, size_t n, double *x, double *scratch)
{
	double	limit;
	size_t	m = 0, cut;

	for (size_t i = 0; i < n; i++)
		if (!aside[i])
			x[m++] = log(ns[i]);
	if (m < 2)
		return INFINITY;
	qsort(x, m, sizeof *x, ascending);
	cut = best_cut(x, m);
	if (lie_apart(x, m, cut, scratch))
		return exp(0.5 * (x[cut - 1] + x[cut]));
	limit = far_from_the_middle(x, m, scratch);
	for (m = 0; aside[m]; m++)
		continue;
	return ns[m] > limit ? limit : INFINITY;
}

/* Slow calls behind the first fast one, where they are rare; how many. */
static size_t
set_stray_aside(const double *ns, bool *aside, size_t n, double slow)
{
	size_t	first = 0, stray = 0;

	while (first < n && (aside[first] || ns[first] >= slow))
		first++;
	for (size_t i = first; i < n; i++)
		stray += !aside[i] && ns[i] >= slow;
	if (stray * GROUPS_RARE > n && stray > 1)
		return 0;
	for (size_t i = first; i < n; i++)
		aside[i] |= ns[i] >= slow;
	return stray;
}

/* ---- the groups ---- */

/* What is not set aside and lies on its side of the threshold. */
static void
describe(struct group *g, enum group_kind kind, const double *ns, const bool *aside, size_t n, bool above, double slow,
    double *scratch)
{
	*g = (struct group){ .kind = kind };
	for (size_t i = 0; i < n; i++)
		if (!aside[i] && (ns[i] >= slow) == above)
			scratch[g->calls++] = ns[i];
	g->median_ns = median(scratch, g->calls);
	g->min_ns = scratch[0];
}

static bool
alternate(const double *ns, const bool *aside, size_t n, double slow)
{
	bool	fast = false;

	for (size_t i = 0; i < n; i++) {
		if (!aside[i] && fast && ns[i] >= slow)
			return true;
		fast |= !aside[i] && ns[i] < slow;
	}
	return false;
}

static void
split(struct groups *g, const double *ns, size_t n, bool *aside, double *x, double *scratch)
{
	double	slow;
	size_t	stray;
	bool	turns;

	do {
		slow = threshold(ns, aside, n, x, scratch);
		stray = isinf(slow) ? 0 : set_stray_aside(ns, aside, n, slow);
		g->set_aside += stray;
	} while (stray > 0);
	if (isinf(slow)) {
		g->n = 1;
		describe(&g->group[0], GROUP_ALL, ns, aside, n, false, slow, scratch);
		return;
	}
	turns = alternate(ns, aside, n, slow);
	g->n = 2;
	describe(&g->group[0], turns ? GROUP_SLOW : GROUP_EARLY, ns, aside, n, true, slow, scratch);
	describe(&g->group[1], turns ? GROUP_FAST : GROUP_LATE, ns, aside, n, false, slow, scratch);
}

enum status
groups_split(struct groups *g, const double *ns, size_t n, struct fault *why)
{
	double		*x = calloc(2 * n + 1, sizeof *x);
	bool		*aside = calloc(n + 1, sizeof *aside);
	enum status	 st = ST_OK;

	*g = (struct groups){ .n = 0 };
	if (x == NULL || aside == NULL)
		st = fault_set(why, ST_NOMEM, "%zu times", n);
	else if (n < GROUPS_LEAST_CALLS)
		st = fault_set(why, ST_BAD_REQUEST, "%zu times are too few to sort: at least %d", n,
		    GROUPS_LEAST_CALLS);
	for (size_t i = 0; st == ST_OK && i < n; i++)
		if (!(ns[i] > 0) || isinf(ns[i]))
			st = fault_set(why, ST_BAD_REQUEST, "call %zu did not take %g ns", i + 1, ns[i]);
	if (st == ST_OK)
		split(g, ns, n, aside, x, x + n);
	free(x);
	free(aside);
	return st;
}

/* ---- reading ---- */

enum status
groups_time(const char *text, double *ns, struct fault *why)
{
	static const struct {
		const char	*name;
		double		 ns;
	} units[] = { { "", 1 }, { "ns", 1 }, { "us", 1e3 }, { "\xc2\xb5s", 1e3 }, { "\xce\xbcs", 1e3 }, { "ms", 1e6 },
	    { "s", 1e9 } };
	char	*end;
	double	 value = strtod(text, &end);
	size_t	 unit;

	end += end != text ? strspn(end, " \t") : 0;
	unit = strcspn(end, " \t\r");
	for (unsigned i = 0; end != text && i < sizeof units / sizeof units[0]; i++) {
		if (strlen(units[i].name) != unit || strncmp(units[i].name, end, unit) != 0)
			continue;
		*ns = value * units[i].ns;
		if (end[unit + strspn(end + unit, " \t\r")] == '\0' && *ns > 0 && !isinf(*ns))
			return ST_OK;
	}
	(void)fault_set(why, ST_BAD_REQUEST, "\"%.40s\" is no time", text);
	fault_hint(why, "a number and ns, us, ms or s: 12.3us; nanoseconds without a unit");
	return ST_BAD_REQUEST;
}

static enum status
parse_json(const char *text, double *ns, size_t *n, struct fault *why)
{
	json_error_t	 error;
	json_t		*doc = json_loads(text, 0, &error);
	const json_t	*list = json_is_object(doc) ? json_object_get(doc, "calls_ns") : doc;
	enum status	 st = ST_OK;

	if (doc == NULL)
		st = fault_set(why, ST_BAD_REQUEST, "line %d: %s", error.line, error.text);
	else if (!json_is_array(list))
		st = fault_set(why, ST_BAD_REQUEST, "is an object without an array calls_ns");
	for (size_t i = 0; st == ST_OK && i < json_array_size(list); i++) {
		const json_t	*v = json_array_get(list, i);

		if (json_is_string(v))
			st = groups_time(json_string_value(v), &ns[(*n)++], why);
		else if (json_number_value(v) > 0)
			ns[(*n)++] = json_number_value(v);
		else
			st = fault_set(why, ST_BAD_REQUEST, "element %zu is no time", i + 1);
	}
	json_decref(doc);
	return st;
}

static enum status
parse_lines(char *text, double *ns, size_t *n, struct fault *why)
{
	enum status	st = ST_OK;
	size_t		line = 1;

	for (char *s = text, *next; st == ST_OK && s != NULL; s = next, line++) {
		if ((next = strchr(s, '\n')) != NULL)
			*next++ = '\0';
		s[strcspn(s, "#")] = '\0';
		s += strspn(s, " \t\r");
		if (*s != '\0' && (st = groups_time(s, &ns[*n], why)) == ST_OK)
			++*n;
	}
	if (st != ST_OK) {
		char	place[32];

		(void)snprintf(place, sizeof place, "line %zu", line - 1);
		(void)fault_within(why, place);
	}
	return st;
}

/* No text has more times than every other byte. */
enum status
groups_parse(const char *text, double **ns, size_t *n, struct fault *why)
{
	char		*copy = strdup(text), first = text[strspn(text, " \t\r\n")];
	enum status	 st;

	*n = 0;
	*ns = calloc(strlen(text) / 2 + 2, sizeof **ns);
	if (copy == NULL || *ns == NULL)
		st = fault_set(why, ST_NOMEM, "times");
	else if (first == '[' || first == '{')
		st = parse_json(text, *ns, n, why);
	else
		st = parse_lines(copy, *ns, n, why);
	free(copy);
	if (st != ST_OK) {
		free(*ns);
		*ns = NULL;
	}
	return st;
}
