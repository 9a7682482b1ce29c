/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/view/column.h"
#include "daemon/view/columns.h"
#include "daemon/view/distinct.h"
#include "daemon/view/plain.h"
#include "proto/text/hidden.h"

enum { MAX_DIMS = 64, MAX_CELLS = 2000, DIGITS = 5, PARTS = 10000,
       STATUS_BYTES = 64 };

struct dim {
	char		*name;	/* owned */
	struct distinct	 distinct;
};

struct columns {
	size_t		 n;
	int64_t		 last_cursor, last_job;
	double		 first_s, last_s;	/* finished */
	size_t		 nrepeats;	/* rows whose time is another's */
	struct column	 job, value, low, high, same, name, repeat;
	json_t		*bound;		/* owned */
	/* of the row before */
	char		*last_name;	/* owned; NULL: there is none */
	char		 last_status[STATUS_BYTES];
	int64_t		 last_spec;
	struct distinct	 status, cell;
	struct dim	 dim[MAX_DIMS];
	size_t		 ndims;
	struct plain	 plain;		/* of the row that is added */
	/* of rows whose points have these names */
	bool		 is_shown;
	struct dim	*of[PLAIN_MAX];		/* borrowed; NULL: it is not shown */
};

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
	return distinct_init(&d->distinct) ? d : NULL;
}

/* Where the values of a member go in this row; NULL as above. */
static struct distinct *
values_of(struct columns *p, const char *name)
{
	struct dim	*d = dim_named(p, name);

	if (d == NULL)
		return NULL;
	distinct_skip(&d->distinct, p->n);
	return &d->distinct;
}

/* Members beyond MAX_DIMS are not shown. */
static enum status
unless_full(const struct columns *p)
{
	return p->ndims == MAX_DIMS ? ST_OK : ST_NOMEM;
}

static enum status
add_members(struct columns *p, json_t *doc)
{
	struct distinct	*values;
	const char	*name;
	json_t		*value;
	enum status	 st = ST_OK;

	(void)hidden_replace(doc);
	json_object_foreach(doc, name, value)
		if (st == ST_OK)
			st = (values = values_of(p, name)) != NULL ? distinct_add(values, value) :
			    unless_full(p);
	return st;
}

/* A source has several lines, and so is never plain, or it is known by its name. */
static bool
is_shown_as_it_is(const struct plain *plain)
{
	for (size_t i = 0; i < plain->n; i++)
		if (hidden_is_source(plain->member[i].name, NULL))
			return false;
	return true;
}

/* Rows of a sweep mostly have the same names: these are looked up once. */
static void
know_names(struct columns *p)
{
	const struct plain	*plain = &p->plain;

	if (plain->has_same_names && p->n > 0)
		return;
	p->is_shown = is_shown_as_it_is(plain);
	for (size_t i = 0; p->is_shown && i < plain->n; i++)
		p->of[i] = dim_named(p, plain->member[i].name);
}

static enum status
add_plain(struct columns *p)
{
	enum status	st = ST_OK;

	for (size_t i = 0; i < p->plain.n && st == ST_OK; i++) {
		if (p->of[i] == NULL) {
			st = unless_full(p);
			continue;
		}
		distinct_skip(&p->of[i]->distinct, p->n);
		st = distinct_add_text(&p->of[i]->distinct, p->plain.member[i].value);
	}
	return st;
}

/* Of a point that has no members of other kinds. */
static bool
is_plain(struct columns *p, const char *meta)
{
	if (!plain_read(&p->plain, meta))
		return false;
	know_names(p);
	return p->is_shown;
}

static enum status
add_meta(struct columns *p, const char *meta)
{
	json_t		*doc;
	enum status	 st;

	if (meta == NULL)
		return ST_OK;
	if (is_plain(p, meta))
		return add_plain(p);
	doc = json_loads(meta, 0, NULL);
	st = add_members(p, doc);
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
	if (distinct_init(&p->status) && distinct_init(&p->cell) && p->bound != NULL)
		return p;
	columns_free(p);
	return NULL;
}

void
columns_free(struct columns *p)
{
	struct column	*all[] = { &p->job, &p->value, &p->low, &p->high, &p->same, &p->name,
	    &p->repeat };

	if (p == NULL)
		return;
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		column_release(all[i]);
	json_decref(p->bound);
	free(p->last_name);
	distinct_release(&p->status);
	distinct_release(&p->cell);
	for (size_t i = 0; i < p->ndims; i++) {
		free(p->dim[i].name);
		distinct_release(&p->dim[i].distinct);
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
add_status(struct columns *p, const char *status)
{
	char	text[STATUS_BYTES + 2];

	if (p->n > 0 && strcmp(p->last_status, status) == 0) {
		distinct_again(&p->status);
		return ST_OK;
	}
	(void)snprintf(p->last_status, sizeof p->last_status, "%s", status);
	(void)snprintf(text, sizeof text, "\"%s\"", p->last_status);
	return distinct_add_text(&p->status, text);
}

static enum status
add_spec(struct columns *p, int64_t id)
{
	char	text[24];

	if (p->n > 0 && p->last_spec == id) {
		distinct_again(&p->cell);
		return ST_OK;
	}
	p->last_spec = id;
	(void)snprintf(text, sizeof text, "%" PRId64, id);
	return distinct_add_text(&p->cell, text);
}

static enum status
add_words(struct columns *p, const struct point_row *row)
{
	enum status	st;

	if ((st = add_status(p, row->status)) != ST_OK ||
	    (st = add_spec(p, row->spec_id)) != ST_OK ||
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
	column_int(&p->repeat, row->repeat_of != 0 ? row->job_id - row->repeat_of : 0);
	p->nrepeats += row->repeat_of != 0;
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

	distinct_skip(&d->distinct, p->n);
	if ((st = put_value(out, "{\"name\":", json_string(d->name))) != ST_OK ||
	    (st = put_value(out, ",\"values\":", json_incref(d->distinct.values))) != ST_OK ||
	    (st = put_column(out, "at", &d->distinct.at)) != ST_OK)
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
	if (st == ST_OK && p->nrepeats > 0)
		st = put_column(out, "repeat", &p->repeat);
	if (st != ST_OK ||
	    (st = put_value(out, ",\"statuses\":", json_incref(p->status.values))) != ST_OK ||
	    (st = put_value(out, ",\"bound_ns\":", json_incref(p->bound))) != ST_OK ||
	    (st = put_value(out, ",\"cells\":", cells_json(p, store))) != ST_OK)
		return st;
	return put_dims(p, out);
}
