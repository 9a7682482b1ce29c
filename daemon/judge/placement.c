/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/judge/placement.h"
#include "daemon/judge/stats.h"

/* As a worker that is to be believed says it: SPEC_MAX_LAYOUTS, two rounds. */
enum { MAX_POINTS = 64, MAX_ROUNDS = 2 };

static const char *const	factors[] = { "code", "operands", "stack" };

struct point {
	const json_t	*told;			/* borrowed */
	double		 median_ns;
	double		 round_ns[MAX_ROUNDS];
	size_t		 rounds;
};

struct layouts {
	bool		 is_normalised;
	size_t		 n;
	struct point	 point[MAX_POINTS];
};

/* ---- reading ---- */

static bool
is_quiet(const json_t *round)
{
	const json_t	*sample;
	size_t		 i;

	json_array_foreach(round, i, sample)
		if (json_number_value(json_object_get(sample, "slowness")) <= 0 ||
		    json_is_true(json_object_get(sample, "loud")))
			return false;
	return true;
}

static bool
all_are_quiet(const json_t *points)
{
	const json_t	*point, *round;
	size_t		 i, k;

	json_array_foreach(points, i, point)
		json_array_foreach(json_object_get(point, "rounds"), k, round)
			if (!is_quiet(round))
				return false;
	return true;
}

/* Appends a round's times to x, which has room; returns how many. */
static size_t
add_round(double *x, const json_t *round, bool normalise)
{
	const json_t	*sample;
	size_t		 i;

	json_array_foreach(round, i, sample) {
		x[i] = json_number_value(json_object_get(sample, "ns"));
		if (normalise)
			x[i] /= json_number_value(json_object_get(sample, "slowness"));
	}
	return json_array_size(round);
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
read_point(struct point *p, const json_t *told, bool normalise)
{
	const json_t	*rounds = json_object_get(told, "rounds"), *round;
	size_t		 i, n = 0;
	double		*all, *own;

	json_array_foreach(rounds, i, round)
		n += json_array_size(round);
	if ((all = calloc(2 * n + 1, sizeof *all)) == NULL)
		return false;
	own = all + n;
	*p = (struct point){ .told = told };
	n = 0;
	json_array_foreach(rounds, i, round) {
		size_t	more = add_round(own, round, normalise);

		memcpy(all + n, own, more * sizeof *all);
		n += more;
		if (i < MAX_ROUNDS)
			p->round_ns[p->rounds++] = median_of(own, more);
	}
	p->median_ns = median_of(all, n);
	free(all);
	return true;
}

static bool
read_layouts(struct layouts *l, const json_t *reported, bool gated)
{
	const json_t	*points = json_object_get(reported, "points"), *told;
	size_t		 i;

	l->is_normalised = gated && all_are_quiet(points);
	l->n = 0;
	json_array_foreach(points, i, told) {
		if (l->n == MAX_POINTS)
			break;
		if (!read_point(&l->point[l->n], told, l->is_normalised))
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

static bool
counts_for(const struct layouts *l, size_t i, const char *factor)
{
	const char	*varied = json_string_value(json_object_get(l->point[i].told, "varied"));

	return factor == NULL || i == 0 || (varied != NULL && strcmp(varied, factor) == 0);
}

/*
 * The largest less the smallest, relative to the typical, of the layouts that differ from the first in this factor
 * alone (NULL: of all).  JSON null where there is none.
 */
static json_t *
spread_json(const struct layouts *l, const char *factor)
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
	return n < 2 ? json_null() : json_real((most - least) / typical_ns(l));
}

static json_t *
by_json(const struct layouts *l)
{
	json_t	*o = json_object();

	for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++)
		(void)json_object_set_new(o, factors[i], spread_json(l, factors[i]));
	return o;
}

/* What two processes with the same layout differ by: the median over the layouts. */
static json_t *
repeat_json(const struct layouts *l)
{
	double	x[MAX_POINTS];
	size_t	n = 0;

	for (size_t i = 0; i < l->n; i++)
		if (l->point[i].rounds == MAX_ROUNDS)
			x[n++] = fabs(l->point[i].round_ns[1] - l->point[i].round_ns[0]) / l->point[i].median_ns;
	return n == 0 ? json_null() : json_real(median_of(x, n));
}

static json_t *
each_json(const struct layouts *l)
{
	static const char *const	copied[] = { "varied", "code_offset", "operand_shift", "stack_offset" };
	json_t				*list = json_array();

	for (size_t i = 0; i < l->n; i++) {
		json_t	*o = json_object();

		for (size_t k = 0; k < sizeof copied / sizeof copied[0]; k++)
			(void)json_object_set(o, copied[k], json_object_get(l->point[i].told, copied[k]));
		(void)json_object_set_new(o, "median_ns", json_real(l->point[i].median_ns));
		(void)json_array_append_new(list, o);
	}
	return list;
}

static void
copy_member(json_t *o, const json_t *from, const char *name)
{
	json_t	*value = json_object_get(from, name);

	(void)json_object_set(o, name, value != NULL ? value : json_null());
}

static json_t *
result_of(const struct layouts *l, const json_t *reported)
{
	const char	*mode = json_string_value(json_object_get(reported, "mode"));
	json_t		*o = json_object();

	copy_member(o, reported, "mode");
	(void)json_object_set_new(o, "layouts", json_integer((json_int_t)l->n));
	copy_member(o, reported, "seed");
	copy_member(o, reported, "samples");
	copy_member(o, reported, "cut_short");
	(void)json_object_set_new(o, "normalised", json_boolean(l->is_normalised));
	(void)json_object_set_new(o, "spread", spread_json(l, NULL));
	if (mode != NULL && strcmp(mode, "sweep") == 0) {
		(void)json_object_set_new(o, "repeat", repeat_json(l));
		(void)json_object_set_new(o, "by", by_json(l));
	}
	copy_member(o, reported, "stays");
	(void)json_object_set_new(o, "each", each_json(l));
	return o;
}

json_t *
placement_result(const json_t *reported, bool gated)
{
	struct layouts	*l;
	json_t		*o = NULL;

	if (!json_is_object(reported))
		return json_null();
	if (json_object_get(reported, "points") == NULL)
		return json_deep_copy(reported);
	if ((l = calloc(1, sizeof *l)) == NULL)
		return NULL;
	if (read_layouts(l, reported, gated))
		o = result_of(l, reported);
	free(l);
	return o;
}
