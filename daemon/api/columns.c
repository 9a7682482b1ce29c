/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/api/columns.h"

enum { MAX_DIMS = 64, MAX_CELLS = 2000, DIGITS = 5, PARTS = 10000 };

/* Values by their number: each distinct one is kept once. */
struct words {
	json_t	*values;	/* owned; array */
	json_t	*number;	/* owned; the place of each value, by its text */
	json_t	*at;		/* owned; array: for each row, a place; null: none */
};

struct dim {
	char		*name;	/* owned */
	struct words	 words;
};

struct columns {
	size_t		 n;
	int64_t		 last_cursor, last_job;
	double		 first_s, last_s;	/* finished */
	json_t		*job, *value, *low, *high, *bound, *name;	/* owned; columns */
	struct words	 status, cell;
	struct dim	 dim[MAX_DIMS];
	size_t		 ndims;
};

/* ---- columns ---- */

static bool
words_init(struct words *w)
{
	*w = (struct words){ json_array(), json_object(), json_array() };
	return w->values != NULL && w->number != NULL && w->at != NULL;
}

static void
words_release(struct words *w)
{
	json_decref(w->values);
	json_decref(w->number);
	json_decref(w->at);
}

/* Takes the value.  `text` tells values apart. */
static enum status
words_add(struct words *w, const char *text, json_t *value)
{
	json_t	*at = json_object_get(w->number, text);

	if (at == NULL) {
		at = json_integer((json_int_t)json_array_size(w->values));
		if (json_object_set_new(w->number, text, at) != 0 ||
		    json_array_append(w->values, value) != 0) {
			json_decref(value);
			return ST_NOMEM;
		}
	}
	json_decref(value);
	return json_array_append(w->at, at) == 0 ? ST_OK : ST_NOMEM;
}

/* Pages show four digits at most: the rest would be most of what is sent. */
static json_t *
rounded(double x)
{
	char	text[32];

	if (!isfinite(x))
		return json_null();
	(void)snprintf(text, sizeof text, "%.*g", (int)DIGITS, x);
	x = strtod(text, NULL);
	return x == floor(x) && fabs(x) < 1e15 ? json_integer((json_int_t)x) : json_real(x);
}

/* From one time to another, in ten-thousandths of the value. */
static json_t *
distance(double from_ns, double to_ns, double value_ns)
{
	const double	parts = PARTS * (to_ns - from_ns) / value_ns;

	return isfinite(parts) && fabs(parts) < 1e9 ? json_integer((json_int_t)lround(parts)) :
	    json_null();
}

/* ---- the space ---- */

static struct dim *
dim_named(struct columns *p, const char *name)
{
	struct dim	*d;

	for (size_t i = 0; i < p->ndims; i++)
		if (strcmp(p->dim[i].name, name) == 0)
			return &p->dim[i];
	if (p->ndims == MAX_DIMS)
		return NULL;
	d = &p->dim[p->ndims];
	if ((d->name = strdup(name)) == NULL)
		return NULL;
	p->ndims++;
	if (!words_init(&d->words))
		return NULL;
	for (size_t i = 0; i < p->n; i++)	/* rows before it had no such member */
		(void)json_array_append_new(d->words.at, json_null());
	return d;
}

/* Members beyond MAX_DIMS are not shown. */
static enum status
add_member(struct columns *p, const char *name, json_t *value)
{
	struct dim	*d = dim_named(p, name);
	char		*text;
	enum status	 st;

	if (d == NULL)
		return p->ndims == MAX_DIMS ? ST_OK : ST_NOMEM;
	if ((text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT)) == NULL)
		return ST_NOMEM;
	st = words_add(&d->words, text, json_incref(value));
	free(text);
	return st;
}

static enum status
add_meta(struct columns *p, const char *meta)
{
	json_t		*doc = meta != NULL ? json_loads(meta, 0, NULL) : NULL, *value;
	const char	*name;
	enum status	 st = ST_OK;

	json_object_foreach(doc, name, value)
		if (st == ST_OK)
			st = add_member(p, name, value);
	json_decref(doc);
	for (size_t i = 0; i < p->ndims && st == ST_OK; i++)	/* those that it lacks */
		if (json_array_size(p->dim[i].words.at) <= p->n &&
		    json_array_append_new(p->dim[i].words.at, json_null()) != 0)
			st = ST_NOMEM;
	return st;
}

/* ---- rows ---- */

struct columns *
columns_new(void)
{
	struct columns	*p = calloc(1, sizeof *p);

	if (p == NULL)
		return NULL;
	p->job = json_array();
	p->value = json_array();
	p->low = json_array();
	p->high = json_array();
	p->bound = json_object();
	p->name = json_array();
	if (!words_init(&p->status) || !words_init(&p->cell) || p->job == NULL ||
	    p->value == NULL || p->low == NULL || p->high == NULL || p->bound == NULL ||
	    p->name == NULL) {
		columns_free(p);
		return NULL;
	}
	return p;
}

void
columns_free(struct columns *p)
{
	if (p == NULL)
		return;
	json_decref(p->job);
	json_decref(p->value);
	json_decref(p->low);
	json_decref(p->high);
	json_decref(p->bound);
	json_decref(p->name);
	words_release(&p->status);
	words_release(&p->cell);
	for (size_t i = 0; i < p->ndims; i++) {
		free(p->dim[i].name);
		words_release(&p->dim[i].words);
	}
	free(p);
}

static enum status
add_bound(struct columns *p, double bound_ns)
{
	char	key[24];

	if (!isfinite(bound_ns))
		return ST_OK;
	(void)snprintf(key, sizeof key, "%zu", p->n);
	return json_object_set_new(p->bound, key, rounded(bound_ns)) == 0 ? ST_OK : ST_NOMEM;
}

static enum status
add_words(struct columns *p, const struct point_row *row)
{
	char		cell[24];
	enum status	st;

	(void)snprintf(cell, sizeof cell, "%lld", (long long)row->spec_id);
	if ((st = words_add(&p->status, row->status, json_string(row->status))) != ST_OK ||
	    (st = words_add(&p->cell, cell, json_integer(row->spec_id))) != ST_OK ||
	    (st = add_bound(p, row->bound_ns)) != ST_OK)
		return st;
	return add_meta(p, row->meta);
}

enum status
columns_add(void *arg, const struct point_row *row)
{
	struct columns	*p = arg;
	enum status	 st = add_words(p, row);

	if (st != ST_OK)
		return st;
	if (json_array_append_new(p->job, json_integer(row->job_id - p->last_job)) != 0 ||
	    json_array_append_new(p->value, rounded(row->value_ns)) != 0 ||
	    json_array_append_new(p->low, distance(row->low_ns,
	    row->value_ns, row->value_ns)) != 0 ||
	    json_array_append_new(p->high, distance(row->value_ns,
	    row->high_ns, row->value_ns)) != 0 ||
	    json_array_append_new(p->name, json_string(row->name)) != 0)
		return ST_NOMEM;
	if (p->n++ == 0)
		p->first_s = row->finished;
	p->last_s = row->finished;
	p->last_job = row->job_id;
	p->last_cursor = row->cursor;
	return ST_OK;
}

size_t
columns_count(const struct columns *p)
{
	return p->n;
}

int64_t
columns_last(const struct columns *p)
{
	return p->last_cursor;
}

/* ---- the object ---- */

json_t *
columns_cell(struct store *store, int64_t spec_id)
{
	char	*text = store_spec_text(store, spec_id);
	json_t	*spec = text != NULL ? json_loads(text, 0, NULL) : NULL;
	json_t	*cell = json_pack("{s:O?, s:O?}", "params", json_object_get(spec, "params"),
		    "context", json_object_get(spec, "context"));

	json_decref(spec);
	free(text);
	return cell;
}

static json_t *
cells_json(const struct columns *p, struct store *store)
{
	json_t	*list = json_array(), *id;
	size_t	 i;

	json_array_foreach(p->cell.values, i, id)
		(void)json_array_append_new(list, i < MAX_CELLS ?
		    columns_cell(store, json_integer_value(id)) : json_null());
	return list;
}

static json_t *
dims_json(const struct columns *p)
{
	json_t	*list = json_array();

	for (size_t i = 0; i < p->ndims; i++)
		(void)json_array_append_new(list, json_pack("{s:s, s:O, s:O}", "name",
		    p->dim[i].name, "values", p->dim[i].words.values, "at",
		    p->dim[i].words.at));
	return list;
}

enum status
columns_json(struct columns *p, struct store *store, json_t **out)
{
	*out = json_pack("{s:I, s:f, s:f, s:O, s:O, s:O, s:O, s:O, s:O, s:O, s:O, s:O, s:o, s:o}",
	    "count", (json_int_t)p->n, "first", p->first_s, "last", p->last_s, "job", p->job,
	    "name", p->name, "status", p->status.at, "statuses", p->status.values, "value_ns",
	    p->value, "low", p->low, "high", p->high, "bound_ns", p->bound, "cell", p->cell.at,
	    "cells", cells_json(p, store), "dims", dims_json(p));
	return *out != NULL ? ST_OK : ST_NOMEM;
}
