/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/tune/field.h"

/* ---- opening ---- */

static bool
is_made(const struct field *f, size_t d)
{
	return d >= f->made_at && d < f->made_at + f->made.ndims;
}

const char *
field_name(const struct field *f, size_t d)
{
	return is_made(f, d) ? f->made.name[d - f->made_at] : points_name(f->points, f->dim[d]);
}

const json_t *
field_value(const struct field *f, size_t d, size_t at)
{
	return is_made(f, d) ? json_array_get(f->made.values[d - f->made_at], at) :
	    points_value(f->points, f->dim[d], at);
}

/* Numbers that only rise or only fall: near values act alike. */
static bool
is_ordered(const struct field *f, size_t d)
{
	const size_t	n = f->grid.values[d];
	double		last = 0, turn = 0;

	for (size_t i = 0; i < n; i++) {
		const json_t	*v = field_value(f, d, i);
		const double	 now = json_number_value(v);

		if (!json_is_number(v) || (i > 0 && now == last) ||
		    (i > 1 && (now > last) != (turn > 0)))
			return false;
		turn = now - last;
		last = now;
	}
	return true;
}

static enum status
add_cells(struct field *f, size_t dimension, struct fault *why)
{
	f->cell_dim[f->ncell_dims++] = dimension;
	f->ncells *= points_values(f->points, dimension);
	if (f->ncells <= FIELD_MAX_CELLS)
		return ST_OK;
	(void)fault_at(why, ST_BAD_SPEC, "space", "each variant would be timed in more than %d "
	    "cells", FIELD_MAX_CELLS);
	fault_hint(why, "sizes, contexts and other members of the spec are not searched: every "
	    "variant is timed with each of them; give fewer values");
	return ST_BAD_SPEC;
}

static bool	 admits(void *arg, const struct point *, size_t known);

static enum status
add_dimension(struct field *f, size_t dimension, size_t values, bool is_known,
    struct fault *why)
{
	struct grid	*g = &f->grid;
	const size_t	 d = g->ndims;

	if (d == GRID_MAX_DIMENSIONS)
		return fault_at(why, ST_BAD_SPEC, "space", "has more than %d dimensions",
		    GRID_MAX_DIMENSIONS);
	f->dim[d] = dimension;
	f->known[d + 1] = f->known[d] | (is_known ? UINT64_C(1) << dimension : 0);
	g->values[d] = (uint32_t)values;
	g->ordered[d] = is_ordered(f, d);
	g->ndims++;
	return ST_OK;
}

/* A variant is known when all that it was made of is. */
static enum status
add_made(struct field *f, size_t dimension, struct fault *why)
{
	enum status	st = made_open(&f->made, json_object_get(f->sweep, "made"), why);

	f->made_at = f->grid.ndims;
	for (size_t d = 0; st == ST_OK && d < f->made.ndims; d++)
		st = add_dimension(f, dimension, json_array_size(f->made.values[d]),
		    d + 1 == f->made.ndims, why);
	return st;
}

static enum status
split_dimensions(struct field *f, struct fault *why)
{
	struct grid	*g = &f->grid;
	enum status	 st;
	size_t		 had;

	f->ncells = 1;
	for (size_t d = 0; d < points_dimensions(f->points); d++) {
		if (points_is_cell(f->points, d)) {
			if ((st = add_cells(f, d, why)) != ST_OK)
				return st;
			continue;
		}
		had = g->ndims;
		if (strcmp(points_name(f->points, d), "variant") == 0 &&
		    (st = add_made(f, d, why)) != ST_OK)
			return st;
		if (g->ndims == had &&
		    (st = add_dimension(f, d, points_values(f->points, d), true, why)) != ST_OK)
			return st;
	}
	g->admits = admits;
	g->arg = f;
	if (g->ndims == 0)
		return fault_at(why, ST_BAD_SPEC, "space", "has nothing to search: all of it "
		    "belongs to the spec, not to the variant");
	if (!grid_measure(g))
		return fault_at(why, ST_BAD_SPEC, "space", "has more than 2^62 points");
	return ST_OK;
}

/* A list of variants becomes a template and one dimension. */
static enum status
list_as_space(json_t *sweep, struct fault *why)
{
	json_t	*variants = json_object_get(sweep, "variants");

	if (json_object_get(sweep, "space") != NULL)
		return ST_OK;
	if (json_array_size(variants) == 0) {
		(void)fault_set(why, ST_BAD_SPEC, "has neither a space nor a list of variants");
		fault_hint(why, "tune searches a sweep: see assay-sweep(1)");
		return ST_BAD_SPEC;
	}
	(void)json_object_set_new(sweep, "template", json_object());
	(void)json_object_set_new(sweep, "space", json_pack("{s:O}", "variant", variants));
	(void)json_object_del(sweep, "variants");
	return ST_OK;
}

enum status
field_open(struct field **out, json_t *sweep, struct fault *why)
{
	struct field	*f = calloc(1, sizeof *f);
	enum status	 st;

	*out = NULL;
	if (f == NULL) {
		json_decref(sweep);
		return fault_set(why, ST_NOMEM, "space");
	}
	f->sweep = sweep;
	if ((st = list_as_space(sweep, why)) != ST_OK ||
	    (st = points_open(&f->points, sweep, why)) != ST_OK ||
	    (st = split_dimensions(f, why)) != ST_OK) {
		field_free(f);
		return st;
	}
	*out = f;
	return ST_OK;
}

void
field_free(struct field *f)
{
	if (f == NULL)
		return;
	points_free(f->points);
	made_release(&f->made);
	json_decref(f->sweep);
	free(f);
}

/* ---- points ---- */

/* The variant that the script's parameters made; false: it made none. */
static bool
find_made(const struct field *f, const struct point *p, size_t *variant)
{
	uint32_t	at[MADE_MAX_DIMENSIONS];

	for (size_t d = 0; d < f->made.ndims; d++)
		at[d] = p->at[f->made_at + d] < f->grid.values[f->made_at + d] ?
		    p->at[f->made_at + d] : 0;
	return made_variant(&f->made, at, variant);
}

/* Move the space to a point and cell. */
static void
stand(struct field *f, const struct point *p, size_t cell)
{
	size_t	at[GRID_MAX_DIMENSIONS] = { 0 };

	for (size_t d = 0; d < f->grid.ndims; d++)
		at[f->dim[d]] = p->at[d] < f->grid.values[d] ? p->at[d] : 0;
	if (f->made.ndims > 0)
		(void)find_made(f, p, &at[f->dim[f->made_at]]);
	for (size_t d = f->ncell_dims; d-- > 0;) {
		const size_t	n = points_values(f->points, f->cell_dim[d]);

		at[f->cell_dim[d]] = cell % n;
		cell /= n;
	}
	points_move(f->points, at);
}

static bool
ask(struct field *f, uint64_t known)
{
	bool	wanted = false;

	if (!f->failed && points_admits_known(f->points, known, &wanted, &f->trouble) != ST_OK)
		f->failed = true;
	return wanted && !f->failed;
}

bool
field_has(struct field *f, const struct point *p, size_t cell)
{
	stand(f, p, cell);
	return ask(f, UINT64_MAX);
}

/* A point is in the space if any cell has it. */
static bool
admits(void *arg, const struct point *p, size_t known)
{
	struct field	*f = arg;
	size_t		 variant;
	bool		 any = false;

	if (f->made.ndims > 0 && known >= f->made_at + f->made.ndims &&
	    !find_made(f, p, &variant))
		return false;
	stand(f, p, 0);
	if (!ask(f, f->known[known]))
		return false;
	if (known < f->grid.ndims || f->ncell_dims == 0)
		return true;
	for (size_t cell = 0; cell < f->ncells && !any; cell++)
		any = field_has(f, p, cell);
	return any;
}

enum status
field_job(struct field *f, const struct point *p, size_t cell, json_t **job, struct fault *why)
{
	stand(f, p, cell);
	return points_job(f->points, job, why);
}

/* Whole variants are numbers. */
static json_t *
value_json(const char *name, const json_t *v, size_t at)
{
	return json_is_object(v) && strcmp(name, "variant") == 0 ?
	    json_integer((json_int_t)at) : json_incref((json_t *)(uintptr_t)v);
}

json_t *
field_values(const struct field *f, const struct point *p)
{
	json_t	*o = json_object();

	for (size_t d = 0; d < f->grid.ndims; d++)
		(void)json_object_set_new(o, field_name(f, d), value_json(field_name(f, d),
		    field_value(f, d, p->at[d]), p->at[d]));
	return o;
}

json_t *
field_cell_values(const struct field *f, size_t cell)
{
	json_t	*o = json_object();

	for (size_t d = f->ncell_dims; d-- > 0;) {
		const size_t	n = points_values(f->points, f->cell_dim[d]);

		(void)json_object_set(o, points_name(f->points, f->cell_dim[d]),
		    (json_t *)(uintptr_t)points_value(f->points, f->cell_dim[d], cell % n));
		cell /= n;
	}
	return o;
}

static bool
find_value(const struct field *f, size_t d, const json_t *wanted, uint32_t *at)
{
	for (*at = 0; *at < f->grid.values[d]; ++*at) {
		json_t	*v = value_json(field_name(f, d), field_value(f, d, *at), *at);
		bool	 same = json_equal(v, wanted) != 0;

		json_decref(v);
		if (same)
			return true;
	}
	return false;
}

bool
field_find(const struct field *f, const json_t *values, struct point *p)
{
	for (size_t d = 0; d < f->grid.ndims; d++) {
		const json_t	*v = json_object_get(values, field_name(f, d));

		if (v == NULL || !find_value(f, d, v, &p->at[d]))
			return false;
	}
	return true;
}

/* ---- words ---- */

static size_t
put_value(const json_t *v, char *buf, size_t bytes)
{
	const json_t	*item;
	size_t		 i, used = 0;
	char		*text;

	if (json_is_string(v))
		return (size_t)snprintf(buf, bytes, "%.60s", json_string_value(v));
	if (json_is_integer(v))
		return (size_t)snprintf(buf, bytes, "%" JSON_INTEGER_FORMAT,
		    json_integer_value(v));
	if (json_is_array(v)) {
		buf[0] = '\0';
		json_array_foreach(v, i, item)
			if (used < bytes)
				used += (size_t)snprintf(buf + used, bytes - used, "%s%s",
				    i > 0 ? "," : "", json_is_string(item) ?
				    json_string_value(item) : "?");
		return used;
	}
	text = json_dumps(v, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));
	used = (size_t)snprintf(buf, bytes, "%.60s", text != NULL ? text : "?");
	free(text);
	return used;
}

/* Takes the values. */
static char *
put_words(json_t *values, char *buf, size_t bytes)
{
	const char	*name;
	json_t		*v;
	size_t		 used = 0;

	buf[0] = '\0';
	json_object_foreach(values, name, v) {
		if (used < bytes)
			used += (size_t)snprintf(buf + used, bytes - used, "%s%s=",
			    used > 0 ? " " : "", name);
		if (used < bytes)
			used += put_value(v, buf + used, bytes - used);
	}
	json_decref(values);
	return buf;
}

/* The name of a whole variant that is the only dimension; NULL: it is not so. */
static const char *
own_name(const struct field *f, const struct point *p)
{
	return f->grid.ndims != 1 || f->made.ndims > 0 ? NULL : json_string_value(
	    json_object_get(field_value(f, 0, p->at[0]), "name"));
}

char *
field_words(const struct field *f, const struct point *p, char *buf, size_t bytes)
{
	const char	*name = own_name(f, p);

	if (name == NULL)
		return put_words(field_values(f, p), buf, bytes);
	(void)snprintf(buf, bytes, "%s", name);
	return buf;
}

char *
field_cell_words(const struct field *f, size_t cell, char *buf, size_t bytes)
{
	return put_words(field_cell_values(f, cell), buf, bytes);
}
