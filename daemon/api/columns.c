/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/api/column.h"
#include "daemon/api/columns.h"
#include "proto/spec/hidden.h"

enum { MAX_DIMS = 64, MAX_CELLS = 2000, DIGITS = 5, PARTS = 10000 };

/* Values by their number: each distinct one is kept once. */
struct words {
	json_t		*values;	/* owned; array */
	json_t		*number;	/* owned; the place of each value, by its text */
	json_t		*last;		/* borrowed of the values; NULL: there is none yet */
	json_int_t	 last_at;
	struct column	 at;		/* for each row, a place; null: none */
	size_t		 n;		/* its entries */
};

struct dim {
	char		*name;	/* owned */
	struct words	 words;
};

struct columns {
	size_t		 n;
	int64_t		 last_cursor, last_job;
	double		 first_s, last_s;	/* finished */
	struct column	 job, value, low, high, same, name;
	json_t		*bound;		/* owned */
	char		*last_name;	/* owned; NULL: there is no row yet */
	struct words	 status, cell;
	struct dim	 dim[MAX_DIMS];
	size_t		 ndims;
};

/* ---- words ---- */

static bool
words_init(struct words *w)
{
	*w = (struct words){ .values = json_array(), .number = json_object() };
	return w->values != NULL && w->number != NULL;
}

static void
words_release(struct words *w)
{
	json_decref(w->values);
	json_decref(w->number);
	column_release(&w->at);
}

/* The place of a value; -1: no memory. */
static json_int_t
place_of(struct words *w, json_t *value)
{
	char	*text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
	json_t	*at = text != NULL ? json_object_get(w->number, text) : NULL;
	bool	 ok = text != NULL;

	if (ok && at == NULL) {
		at = json_integer((json_int_t)json_array_size(w->values));
		ok = json_object_set_new(w->number, text, at) == 0 &&
		    json_array_append(w->values, value) == 0;
	}
	free(text);
	return ok ? json_integer_value(at) : -1;
}

static enum status
words_add(struct words *w, json_t *value)
{
	if (w->last == NULL || !json_equal(w->last, value)) {
		if ((w->last_at = place_of(w, value)) < 0)
			return ST_NOMEM;
		w->last = json_array_get(w->values, (size_t)w->last_at);
	}
	column_int(&w->at, w->last_at);
	w->n++;
	return ST_OK;
}

/* Takes the value. */
static enum status
words_take(struct words *w, json_t *value)
{
	enum status	st = value != NULL ? words_add(w, value) : ST_NOMEM;

	json_decref(value);
	return st;
}

/* Rows that have no value, up to row n. */
static void
words_skip(struct words *w, size_t n)
{
	for (; w->n < n; w->n++)
		column_null(&w->at);
}

/* ---- the space ---- */

/* NULL: no memory, or MAX_DIMS are there. */
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
	return words_init(&d->words) ? d : NULL;
}

/* Members beyond MAX_DIMS are not shown. */
static enum status
add_member(struct columns *p, const char *name, json_t *value)
{
	struct dim	*d = dim_named(p, name);

	if (d == NULL)
		return p->ndims == MAX_DIMS ? ST_OK : ST_NOMEM;
	words_skip(&d->words, p->n);
	return words_add(&d->words, value);
}

static enum status
add_meta(struct columns *p, const char *meta)
{
	json_t		*doc = meta != NULL ? json_loads(meta, 0, NULL) : NULL, *value;
	const char	*name;
	enum status	 st = ST_OK;

	(void)hidden_replace(doc);
	json_object_foreach(doc, name, value)
		if (st == ST_OK)
			st = add_member(p, name, value);
	json_decref(doc);
	return st;
}

/* ---- rows ---- */

struct columns *
columns_new(void)
{
	struct columns	*p = calloc(1, sizeof *p);

	if (p == NULL)
		return NULL;
	p->bound = json_object();
	if (words_init(&p->status) && words_init(&p->cell) && p->bound != NULL)
		return p;
	columns_free(p);
	return NULL;
}

void
columns_free(struct columns *p)
{
	struct column	*all[] = { &p->job, &p->value, &p->low, &p->high, &p->same, &p->name };

	if (p == NULL)
		return;
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		column_release(all[i]);
	json_decref(p->bound);
	free(p->last_name);
	words_release(&p->status);
	words_release(&p->cell);
	for (size_t i = 0; i < p->ndims; i++) {
		free(p->dim[i].name);
		words_release(&p->dim[i].words);
	}
	free(p);
}

/* How many characters a name begins with that the one before has: ASCII, each a byte. */
static size_t
beginning(const char *before, const char *name)
{
	size_t	n = 0;

	while (name[n] != '\0' && (name[n] & 0x80) == 0 && name[n] == before[n])
		n++;
	return n;
}

static enum status
add_name(struct columns *p, const char *name)
{
	const size_t	same = p->last_name != NULL ? beginning(p->last_name, name) : 0;

	column_int(&p->same, (int64_t)same);
	column_string(&p->name, name + same);
	free(p->last_name);
	return (p->last_name = strdup(name)) != NULL ? ST_OK : ST_NOMEM;
}

static enum status
add_bound(struct columns *p, double bound_ns)
{
	char	key[24];

	if (!isfinite(bound_ns))
		return ST_OK;
	(void)snprintf(key, sizeof key, "%zu", p->n);
	return json_object_set_new(p->bound, key, json_real(bound_ns)) == 0 ? ST_OK : ST_NOMEM;
}

static enum status
add_words(struct columns *p, const struct point_row *row)
{
	enum status	st;

	if ((st = words_take(&p->status, json_string(row->status))) != ST_OK ||
	    (st = words_take(&p->cell, json_integer(row->spec_id))) != ST_OK ||
	    (st = add_bound(p, row->bound_ns)) != ST_OK ||
	    (st = add_name(p, row->name)) != ST_OK)
		return st;
	return add_meta(p, row->meta);
}

/* From one time to another, in ten-thousandths of the value. */
static void
add_distance(struct column *c, double from_ns, double to_ns, double value_ns)
{
	const double	parts = PARTS * (to_ns - from_ns) / value_ns;

	if (isfinite(parts) && fabs(parts) < 1e9)
		column_int(c, lround(parts));
	else
		column_null(c);
}

enum status
columns_add(void *arg, const struct point_row *row)
{
	struct columns	*p = arg;
	enum status	 st = add_words(p, row);

	if (st != ST_OK)
		return st;
	column_int(&p->job, row->job_id - p->last_job);
	column_number(&p->value, row->value_ns, DIGITS);
	add_distance(&p->low, row->low_ns, row->value_ns, row->value_ns);
	add_distance(&p->high, row->value_ns, row->high_ns, row->value_ns);
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

static enum status
put_column(struct evbuffer *out, const char *name, struct column *c)
{
	const char	*text = column_array(c);

	return text != NULL && evbuffer_add_printf(out, ",\"%s\":", name) > 0 &&
	    evbuffer_add(out, text, strlen(text)) == 0 ? ST_OK : ST_NOMEM;
}

/* Takes the value. */
static enum status
put_value(struct evbuffer *out, const char *before, json_t *value)
{
	char	*text = value != NULL ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
	int	 n = text != NULL ? evbuffer_add_printf(out, "%s%s", before, text) : -1;

	free(text);
	json_decref(value);
	return n > 0 ? ST_OK : ST_NOMEM;
}

static enum status
put_dim(struct columns *p, struct dim *d, struct evbuffer *out)
{
	enum status	st;

	words_skip(&d->words, p->n);
	if ((st = put_value(out, "{\"name\":", json_string(d->name))) != ST_OK ||
	    (st = put_value(out, ",\"values\":", json_incref(d->words.values))) != ST_OK ||
	    (st = put_column(out, "at", &d->words.at)) != ST_OK)
		return st;
	return evbuffer_add(out, "}", 1) == 0 ? ST_OK : ST_NOMEM;
}

static enum status
put_dims(struct columns *p, struct evbuffer *out)
{
	enum status	st = evbuffer_add_printf(out, ",\"dims\":[") > 0 ? ST_OK : ST_NOMEM;

	for (size_t i = 0; i < p->ndims && st == ST_OK; i++)
		if (i == 0 || evbuffer_add(out, ",", 1) == 0)
			st = put_dim(p, &p->dim[i], out);
		else
			st = ST_NOMEM;
	return st == ST_OK && evbuffer_add(out, "]", 1) == 0 ? ST_OK : ST_NOMEM;
}

enum status
columns_put(struct columns *p, struct store *store, struct evbuffer *out)
{
	struct {
		const char	*name;
		struct column	*column;
	} all[] = { { "job", &p->job }, { "same", &p->same }, { "name", &p->name },
	    { "status", &p->status.at }, { "value_ns", &p->value }, { "low", &p->low },
	    { "high", &p->high }, { "cell", &p->cell.at } };
	enum status	st = ST_OK;

	if (evbuffer_add_printf(out, "\"count\":%zu,\"first\":%.3f,\"last\":%.3f", p->n,
	    p->first_s, p->last_s) < 0)
		return ST_NOMEM;
	for (size_t i = 0; i < sizeof all / sizeof all[0] && st == ST_OK; i++)
		st = put_column(out, all[i].name, all[i].column);
	if (st != ST_OK ||
	    (st = put_value(out, ",\"statuses\":", json_incref(p->status.values))) != ST_OK ||
	    (st = put_value(out, ",\"bound_ns\":", json_incref(p->bound))) != ST_OK ||
	    (st = put_value(out, ",\"cells\":", cells_json(p, store))) != ST_OK)
		return st;
	return put_dims(p, out);
}
