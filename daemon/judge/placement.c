/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/judge/placement.h"
#include "daemon/judge/stats.h"

/* The most rounds that a worker may report: SPEC_MAX_LAYOUTS, twice. */
enum { MAX_POINTS = 64, MAX_ROUNDS = 2 };

struct point {
	const struct layout_point	*from;		/* borrowed */
	double				 median_ns;
	double				 round_ns[MAX_ROUNDS];
	size_t				 rounds;
};

struct layouts {
	bool		 is_normalised;
	size_t		 n;
	struct point	 point[MAX_POINTS];
};

/* ---- reading ---- */

static bool
can_normalise(const struct layout_round *r)
{
	return r->loud.n == 0 && r->slowness.n == r->ns.n;
}

static bool
all_can_normalise(const struct layout_report *l)
{
	const struct layout_point	*p = l->points.at;

	for (size_t i = 0; i < l->points.n; i++) {
		const struct layout_round	*r = p[i].rounds.at;

		for (size_t k = 0; k < p[i].rounds.n; k++)
			if (!can_normalise(&r[k]))
				return false;
	}
	return true;
}

/* Copies a round's times into x, which has room. */
static void
put_round(double *x, const struct layout_round *r, bool normalise)
{
	for (size_t i = 0; i < r->ns.n; i++)
		x[i] = normalise ? r->ns.x[i] / r->slowness.x[i] : r->ns.x[i];
}

/* Sorts x. */
static double
median_of(double *x, size_t n)
{
	struct stats	s;

	if (n == 0)
		return NAN;
	stats_of(x, n, &s);
	return s.median;
}

static bool
read_point(struct point *p, const struct layout_point *from, bool normalise)
{
	const struct layout_round	*r = from->rounds.at;
	size_t				 n = 0;
	double				*all, *own;

	for (size_t i = 0; i < from->rounds.n; i++)
		n += r[i].ns.n;
	if ((all = calloc(2 * n + 1, sizeof *all)) == NULL)
		return false;
	own = all + n;
	*p = (struct point){ .from = from };
	n = 0;
	for (size_t i = 0; i < from->rounds.n; i++) {
		put_round(own, &r[i], normalise);
		memcpy(all + n, own, r[i].ns.n * sizeof *all);
		n += r[i].ns.n;
		if (i < MAX_ROUNDS)
			p->round_ns[p->rounds++] = median_of(own, r[i].ns.n);
	}
	p->median_ns = median_of(all, n);
	free(all);
	return true;
}

/* Layouts with times, as many as fit. */
static bool
read_layouts(struct layouts *l, const struct layout_report *reported, bool gated)
{
	const struct layout_point	*from = reported->points.at;

	l->is_normalised = gated && all_can_normalise(reported);
	l->n = 0;
	for (size_t i = 0; i < reported->points.n && l->n < MAX_POINTS; i++) {
		if (!read_point(&l->point[l->n], &from[i], l->is_normalised))
			return false;
		l->n += l->point[l->n].median_ns > 0;
	}
	return true;
}

/* ---- judging ---- */

static double
typical_ns(const struct layouts *l)
{
	double	x[MAX_POINTS];

	for (size_t i = 0; i < l->n; i++)
		x[i] = l->point[i].median_ns;
	return median_of(x, l->n);
}

/* The first layout is the default, and belongs to each factor. */
static bool
counts_for(const struct layouts *l, size_t i, const char *factor)
{
	return factor == NULL || i == 0 || strcmp(l->point[i].from->varied, factor) == 0;
}

/*
 * The range relative to the median, over the layouts that differ from the first in this factor
 * alone (NULL: over all).  NaN: there are none.
 */
static double
spread_of(const struct layouts *l, const char *factor)
{
	double	least = INFINITY, most = 0;
	size_t	n = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (!counts_for(l, i, factor))
			continue;
		least = fmin(least, l->point[i].median_ns);
		most = fmax(most, l->point[i].median_ns);
		n++;
	}
	return n < 2 ? NAN : (most - least) / typical_ns(l);
}

/*
 * The difference between two processes with one layout: the median over the layouts.  NaN: none was
 * taken twice.
 */
static double
repeat_of(const struct layouts *l)
{
	double	x[MAX_POINTS];
	size_t	n = 0;

	for (size_t i = 0; i < l->n; i++)
		if (l->point[i].rounds == MAX_ROUNDS)
			x[n++] = fabs(l->point[i].round_ns[1] - l->point[i].round_ns[0]) /
			    l->point[i].median_ns;
	return median_of(x, n);
}

/* A factor's spread, if it is more than repeating alone makes; NaN: it is not, or is not known. */
static double
share_of(const struct layouts *l, const char *factor, double repeat)
{
	const double	share = spread_of(l, factor);

	return share < repeat ? NAN : share;
}

static enum status
put_each(const struct layouts *l, struct shape_list *out)
{
	struct result_layout_point	*each;

	if (!shape_list_make(out, l->n, sizeof *each))
		return ST_NOMEM;
	each = out->at;
	for (size_t i = 0; i < l->n; i++) {
		const struct layout_point	*from = l->point[i].from;

		each[i] = (struct result_layout_point){ from->varied, from->code_offset,
		    from->stack_offset, from->operand_shift, l->point[i].median_ns };
	}
	return ST_OK;
}

static enum status
put_several(const struct layouts *l, const struct layout_report *reported,
    struct result_layouts *out)
{
	out->layouts = l->n;
	out->seed = reported->seed;
	out->samples = reported->samples;
	out->cut_short = reported->cut_short;
	out->normalised = l->is_normalised;
	out->spread = spread_of(l, NULL);
	if ((out->has_by = strcmp(reported->mode, "sweep") == 0)) {
		out->repeat = repeat_of(l);
		out->by = (struct layout_factors){ share_of(l, "code", out->repeat),
		    share_of(l, "operands", out->repeat),
		    share_of(l, "stack", out->repeat) };
	}
	out->stays = reported->stays;
	return put_each(l, &out->each);
}

enum status
placement_judge(const struct layout_report *reported, bool gated, struct result_layout *out)
{
	struct layouts	*l;
	enum status	 st = ST_NOMEM;

	out->mode = reported->mode;
	out->code_offset = reported->code_offset;
	out->stack_offset = reported->stack_offset;
	if (reported->points.n == 0)
		return ST_OK;
	if ((l = calloc(1, sizeof *l)) == NULL)
		return ST_NOMEM;
	out->has_several = true;
	if (read_layouts(l, reported, gated))
		st = put_several(l, reported, &out->several);
	free(l);
	return st;
}
