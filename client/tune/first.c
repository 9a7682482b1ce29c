/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "client/tune/first.h"
#include "proto/text/expr.h"

enum { NEAR_TRIES = 4000 };

static const struct {
	const char	*name, *group, *member;		/* group: of host.get; NULL: itself */
} facts[] = {
	{ "L1_BYTES", "caches", "l1_bytes" }, { "L2_BYTES", "caches", "l2_bytes" },
	{ "L3_BYTES", "caches", "l3_bytes" }, { "LINE_BYTES", "caches", "line_bytes" },
	{ "L1_WAYS", "caches", "l1_ways" }, { "L2_WAYS", "caches", "l2_ways" },
	{ "L3_WAYS", "caches", "l3_ways" }, { "CPUS", NULL, "cpus" },
};
enum { NFACTS = sizeof facts / sizeof facts[0] };

struct known {
	const json_t	*host, *params;		/* borrowed */
};

static bool
put_value(const json_t *v, struct value *out)
{
	if (json_is_integer(v))
		*out = (struct value){ .kind = VALUE_INT, .i = json_integer_value(v) };
	else if (json_is_real(v))
		*out = (struct value){ .kind = VALUE_REAL, .r = json_real_value(v) };
	else
		return false;
	return true;
}

static bool
look_up(void *arg, const char *name, struct value *out)
{
	const struct known	*k = arg;

	for (size_t i = 0; i < NFACTS; i++)
		if (strcmp(name, facts[i].name) == 0)
			return put_value(json_object_get(facts[i].group != NULL ?
			    json_object_get(k->host, facts[i].group) : k->host,
			    facts[i].member), out);
	return put_value(json_object_get(k->params, name), out);
}

static enum status
refuse_name(const char *name, struct fault *why)
{
	const char	*names[NFACTS + 1] = { NULL }, *near;

	for (size_t i = 0; i < NFACTS; i++)
		names[i] = facts[i].name;
	(void)fault_set(why, ST_BAD_SPEC, "there is no fact or number \"%s\"", name);
	if ((near = nearest_name(name, names)) != NULL)
		fault_hint(why, "did you mean %s?", near);
	else
		fault_hint(why, "facts are L1_BYTES, L2_BYTES, L3_BYTES, LINE_BYTES, L1_WAYS, "
		    "L2_WAYS, L3_WAYS, CPUS; numbers are the spec's params");
	return ST_BAD_SPEC;
}

static enum status
evaluate(const json_t *text, struct known *k, double *out, struct fault *why)
{
	struct expr	*e;
	struct value	 v;
	const char	*name;
	enum status	 st;

	if (!json_is_string(text))
		return fault_set(why, ST_BAD_SPEC, "must be an expression, as text");
	if ((st = expr_parse(&e, json_string_value(text), why)) != ST_OK)
		return st;
	for (size_t i = 0; st == ST_OK && (name = expr_name(e, i)) != NULL; i++)
		if (!look_up(k, name, &v))
			st = refuse_name(name, why);
	if (st == ST_OK && (st = expr_eval(e, look_up, k, &v, why)) == ST_OK)
		*out = value_real(&v);
	expr_free(e);
	return st;
}

static uint32_t
nearest(const struct field *f, size_t d, double wanted)
{
	uint32_t	at = 0;
	double		least = INFINITY;

	for (uint32_t i = 0; i < f->grid.values[d]; i++) {
		const json_t	*v = field_value(f, d, i);
		const double	 far = fabs(json_number_value(v) - wanted);

		if (far < least) {
			least = far;
			at = i;
		}
	}
	return at;
}

/* Places away from the wanted point, in parts of each dimension. */
static double
distance(const struct grid *g, const struct point *a, const struct point *b)
{
	double	far = 0;

	for (size_t d = 0; d < g->ndims; d++)
		far += fabs((double)a->at[d] - b->at[d]) / g->values[d];
	return far;
}

/* The point, or the nearest of many by chance, and of their neighbours. */
static bool
nearest_inside(const struct grid *g, struct point *p)
{
	const struct point	wanted = *p;
	struct dice		dice = { 1 };
	struct point		q;
	bool			found = grid_admits(g, p);
	double			least = INFINITY;

	for (unsigned i = 0; !found && i < NEAR_TRIES && grid_random(g, &dice, &q); i++) {
		if (distance(g, &q, &wanted) < least) {
			least = distance(g, &q, &wanted);
			*p = q;
		}
	}
	return found || isfinite(least);
}

static enum status
check_names(const struct field *f, const json_t *first, struct fault *why)
{
	const char	*name, *names[GRID_MAX_DIMENSIONS + 1] = { NULL }, *near;
	json_t		*text;
	size_t		 d;

	for (d = 0; d < f->grid.ndims; d++)
		names[d] = field_name(f, d);
	json_object_foreach((json_t *)(uintptr_t)first, name, text) {
		for (d = 0; d < f->grid.ndims && strcmp(name, names[d]) != 0; d++)
			continue;
		if (d < f->grid.ndims && f->grid.ordered[d])
			continue;
		(void)fault_at(why, ST_BAD_SPEC, name, d < f->grid.ndims ?
		    "its values are not numbers that rise or fall" :
		    "is no dimension that is searched");
		if ((near = nearest_name(name, names)) != NULL && d == f->grid.ndims)
			fault_hint(why, "did you mean %s?", near);
		return ST_BAD_SPEC;
	}
	return ST_OK;
}

enum status
first_point(const struct field *f, const json_t *first, const json_t *host, struct point *p,
    bool *found, struct fault *why)
{
	struct known	k = { host, json_object_get(json_object_get(f->sweep, "spec"), "params") };
	enum status	st;

	*found = false;
	if ((st = check_names(f, first, why)) != ST_OK)
		return fault_within(why, "tune.first");
	for (size_t d = 0; d < f->grid.ndims; d++) {
		const char	*name = field_name(f, d);
		const json_t	*text = json_object_get(first, name);
		double		 wanted = 0;

		p->at[d] = f->grid.ordered[d] ? f->grid.values[d] / 2 : 0;
		if (text == NULL)
			continue;
		if ((st = evaluate(text, &k, &wanted, why)) != ST_OK) {
			(void)fault_within(why, name);
			return fault_within(why, "tune.first");
		}
		p->at[d] = nearest(f, d, wanted);
	}
	*found = nearest_inside(&f->grid, p);
	return ST_OK;
}
