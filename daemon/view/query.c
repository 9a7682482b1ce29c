/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/view/query.h"

#define FILTERS									\
	{ "sweep", PARAM_SWEEP, false, 0, 0 },					\
	{ "ids", PARAM_IDS, false, 1, QUERY_MAX_IDS },				\
	{ "status", PARAM_TEXT, false, 1, 32 },					\
	{ "name", PARAM_TEXT, false, 0, PARAMS_NAME_BYTES },			\
	{ "routine", PARAM_TEXT, false, 0, PARAMS_NAME_BYTES },			\
	{ "since", PARAM_NUMBER, false, 0, INT64_C(1) << 40 },			\
	{ "before", PARAM_NUMBER, false, 0, INT64_C(1) << 40 },			\
	{ "order", PARAM_TEXT, false, 1, 16 },					\
	{ "cursor", PARAM_TEXT, false, 1, QUERY_CURSOR_BYTES - 1 }

const struct api_param query_params[] = {
	FILTERS,
	{ "limit", PARAM_INT, false, 1, QUERY_MAX_LIMIT },
	{ NULL, PARAM_BOOL, false, 0, 0 },
};

const struct api_param query_stream_params[] = {
	FILTERS,
	{ "limit", PARAM_INT, false, 1, INT64_C(1) << 40 },
	{ NULL, PARAM_BOOL, false, 0, 0 },
};

static const struct order_row {
	const char		*name;
	char			 letter;	/* in cursors */
	enum result_order	 order;
} orders[] = {
	{ "id", 'i', ORDER_ID },
	{ "newest", 'n', ORDER_NEWEST },
	{ "fastest", 'f', ORDER_FASTEST },
};
enum { NORDERS = sizeof orders / sizeof orders[0] };

static enum status
parse_order(const char *name, enum result_order *order, struct fault *why)
{
	*order = ORDER_ID;
	if (name == NULL)
		return ST_OK;
	for (unsigned i = 0; i < NORDERS; i++) {
		if (strcmp(orders[i].name, name) == 0) {
			*order = orders[i].order;
			return ST_OK;
		}
	}
	return fault_at(why, ST_BAD_REQUEST, "order", "must be \"id\", \"newest\" or \"fastest\"");
}

static enum status
parse_status(const char *word, int *status, struct fault *why)
{
	const char	*names[ST_N + 1] = { NULL }, *nearest;
	enum status	 st;

	*status = -1;
	if (word == NULL)
		return ST_OK;
	if (status_from_word(&st, word) && status_is_outcome(st)) {
		*status = (int)st;
		return ST_OK;
	}
	for (unsigned i = 0; status_is_outcome(i); i++)
		names[i] = status_word(i);
	(void)fault_at(why, ST_BAD_REQUEST, "status", "\"%s\" is not an outcome", word);
	if ((nearest = nearest_name(word, names)) != NULL)
		fault_hint(why, "did you mean \"%s\"?", nearest);
	return ST_BAD_REQUEST;
}

/* ---- cursors ---- */

void
query_put_cursor(char buf[QUERY_CURSOR_BYTES], const struct result_filter *f)
{
	uint64_t	bits;

	memcpy(&bits, &f->after_value, sizeof bits);
	if (f->order == ORDER_FASTEST)
		(void)snprintf(buf, QUERY_CURSOR_BYTES, "f.%" PRId64 ".%016" PRIx64,
		    f->after_cursor, bits);
	else
		(void)snprintf(buf, QUERY_CURSOR_BYTES, "%c.%" PRId64, orders[f->order].letter,
		    f->after_cursor);
}

/* Accepts only the text of query_put_cursor: the text is written again and compared. */
enum status
query_get_cursor(struct result_filter *f, const char *text, struct fault *why)
{
	char			 again[QUERY_CURSOR_BYTES], letter = '\0';
	struct result_filter	 read = { .order = f->order };
	uint64_t		 bits = 0;
	int			 n = sscanf(text, "%c.%18" SCNd64 ".%16" SCNx64, &letter,
				    &read.after_cursor, &bits);

	memcpy(&read.after_value, &bits, sizeof bits);
	if (n >= 2)
		query_put_cursor(again, &read);
	if (n < 2 || read.after_cursor <= 0 || !isfinite(read.after_value) ||
	    strcmp(again, text) != 0) {
		(void)fault_at(why, ST_BAD_REQUEST, "cursor", "not a cursor of this order");
		fault_hint(why, "give \"next\" of the previous page, with the same filters");
		return ST_BAD_REQUEST;
	}
	f->after_cursor = read.after_cursor;
	f->after_value = read.after_value;
	return ST_OK;
}

/* ---- parameters ---- */

static const char *
text_of(const json_t *params, const char *name)
{
	return json_string_value(json_object_get(params, name));
}

static enum status
fill_filter(struct query *q, struct fault *why)
{
	struct result_filter	*f = &q->filter;
	const json_t		*p = q->params, *ids = json_object_get(p, "ids");
	const char		*cursor = text_of(p, "cursor");
	enum status		 st;

	f->submitter = -1;
	f->name = text_of(p, "name");
	f->routine = text_of(p, "routine");
	f->since = json_number_value(json_object_get(p, "since"));
	f->before = json_number_value(json_object_get(p, "before"));
	q->limited = json_object_get(p, "limit") != NULL;
	q->limit = (size_t)params_int(p, "limit", QUERY_DEFAULT_LIMIT);
	if ((st = parse_order(text_of(p, "order"), &f->order, why)) != ST_OK ||
	    (st = parse_status(text_of(p, "status"), &f->status, why)) != ST_OK)
		return st;
	if (cursor != NULL && (st = query_get_cursor(f, cursor, why)) != ST_OK)
		return st;
	if (ids == NULL)
		return ST_OK;
	st = params_ids(ids, &q->ids, &f->nids, why);
	f->ids = q->ids;
	return st;
}

enum status
query_parse(struct query *q, const struct viewer *viewer, const json_t *params,
    struct fault *why)
{
	enum status	st;

	memset(q, 0, sizeof *q);
	q->viewer = *viewer;
	q->params = json_incref((json_t *)(uintptr_t)params);
	if ((st = fill_filter(q, why)) != ST_OK)
		query_release(q);
	return st;
}

void
query_release(struct query *q)
{
	free(q->ids);
	json_decref(q->params);
	memset(q, 0, sizeof *q);
}

/* ---- the store ---- */

enum status
query_resolve(struct query *q, struct store *store, struct fault *why)
{
	const json_t		*sweep = json_object_get(q->params, "sweep");
	struct sweep_row	 row;
	enum status		 st;

	if (sweep == NULL)
		return ST_OK;
	st = store_sweep(store, json_integer_value(sweep), json_string_value(sweep), &row, why);
	if (st == ST_OK) {
		q->filter.sweep_id = row.id;
		q->filter.corrected = row.corrects && q->filter.order == ORDER_FASTEST;
	}
	return st;
}

struct filling {
	struct query	*query;
	struct page	*page;
	size_t		 bytes;
};

static enum status
fill_page(void *arg, const struct result_row *row)
{
	struct filling	*f = arg;
	struct page	*p = f->page;
	struct shown	 r = { row->json, row->json_bytes, row->owner, row->rank };

	if (p->rows + p->ndamaged == p->max_rows || f->bytes >= QUERY_PAGE_BYTES ||
	    p->ndamaged == QUERY_MAX_DAMAGED) {
		p->more = true;
		return ST_FULL;
	}
	f->query->filter.after_cursor = row->cursor;
	f->query->filter.after_value = row->value_ns;
	if (row->json == NULL) {
		p->damaged[p->ndamaged++] = row->job_id;
		return ST_OK;
	}
	if ((p->rows != 0 && evbuffer_add(p->out, p->between, strlen(p->between)) != 0) ||
	    view_put(&f->query->viewer, p->out, &r) != ST_OK)
		return ST_NOMEM;
	p->rows++;
	f->bytes += row->json_bytes;
	return ST_OK;
}

json_t *
query_damaged(const struct page *page)
{
	json_t	*ids = page->ndamaged != 0 ? json_array() : NULL;

	for (size_t i = 0; i < page->ndamaged; i++)
		(void)json_array_append_new(ids, json_integer(page->damaged[i]));
	return ids;
}

enum status
query_page(struct query *q, struct store *store, struct page *page, struct fault *why)
{
	struct result_filter	 filter = q->filter;
	struct filling		 f = { .query = q, .page = page };
	enum status		 st;

	page->rows = page->ndamaged = 0;
	page->more = false;
	filter.limit = page->max_rows + 1;	/* one row more, to see whether a page follows */
	st = store_results(store, &filter, fill_page, &f, why);
	if (st == ST_FULL)
		return ST_OK;
	return st == ST_NOMEM ? fault_set(why, ST_NOMEM, "results") : st;
}
