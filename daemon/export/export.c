/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/export/export_impl.h"
#include "daemon/store/store_export.h"
#include "proto/base/name.h"

static const struct export_format *const formats[] = {
	&export_kernel_tuner, &export_t4, &export_t4_1_1, &export_csv, &export_ndjson,
	&export_markdown, &export_lnt, &export_bencher
};
enum { NFORMATS = sizeof formats / sizeof formats[0] };

enum status
export_find(const struct export_format **out, const char *name, struct fault *why)
{
	const char	*names[NFORMATS + 1] = { NULL }, *near;
	char		 all[200] = "";

	for (unsigned i = 0; i < NFORMATS; i++) {
		*out = formats[i];
		if (strcmp(formats[i]->name, name) == 0)
			return ST_OK;
		names[i] = formats[i]->name;
		(void)snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s",
		    i > 0 ? ", " : "", names[i]);
	}
	*out = NULL;
	(void)fault_at(why, ST_BAD_REQUEST, "format", "there is no format \"%.40s\"", name);
	if ((near = nearest_name(name, names)) != NULL)
		fault_hint(why, "did you mean \"%s\"?", near);
	else
		fault_hint(why, "%s", all);
	return ST_BAD_REQUEST;
}

const char *
export_name(const struct export_format *f)
{
	return f->name;
}

const char *
export_type(const struct export_format *f)
{
	return f->type;
}

const char *
export_suffix(const struct export_format *f)
{
	return f->suffix;
}

/* ---- life ---- */

struct export *
export_new(const struct export_format *format, int64_t sweep_id, export_show_fn *show, void *arg)
{
	struct export	*e = calloc(1, sizeof *e);

	if (e == NULL) {
		free(arg);
		return NULL;
	}
	e->format = format;
	e->sweep_id = sweep_id;
	e->show = show;
	e->show_arg = arg;
	result_clear(&e->head);
	return e;
}

void
export_free(struct export *e)
{
	if (e == NULL)
		return;
	if (e->first != NULL)
		result_release(&e->head);
	json_decref(e->first);
	json_decref(e->doc);
	json_decref(e->damaged);
	free(e->show_arg);
	free(e);
}

const struct export_format *
export_format_of(const struct export *e)
{
	return e->format;
}

/* ---- cursors: where it is, and what was found at the beginning ---- */

void
export_cursor(const struct export *e, char buf[EXPORT_CURSOR_BYTES])
{
	(void)snprintf(buf, EXPORT_CURSOR_BYTES, "e.%" PRId64 ".%" PRIu64 ".%d", e->cursor,
	    e->rows, e->names_repeat);
}

/* Only the text that export_cursor writes. */
enum status
export_resume(struct export *e, const char *cursor, struct fault *why)
{
	char	again[EXPORT_CURSOR_BYTES];
	int	repeat = 0;

	if (strcmp(cursor, EXPORT_START) == 0)
		return ST_OK;
	if (sscanf(cursor, "e.%18" SCNd64 ".%18" SCNu64 ".%1d", &e->cursor, &e->rows,
	    &repeat) == 3) {
		e->names_repeat = repeat == 1;
		export_cursor(e, again);
		e->has_begun = true;
		if (e->cursor >= 0 && strcmp(again, cursor) == 0)
			return ST_OK;
	}
	(void)fault_at(why, ST_BAD_REQUEST, "cursor", "not a cursor of an export");
	fault_hint(why, "give \"cursor\" of the page before, with the same sweep and format");
	return ST_BAD_REQUEST;
}

/* ---- rows ---- */

static enum status
keep_first(void *arg, const struct result_row *row)
{
	struct export	*e = arg;

	if (row->json == NULL)
		return ST_OK;
	e->first = json_loadb(row->json, row->json_bytes, 0, NULL);
	if (e->first != NULL &&
	    result_get(&e->head, e->first, SHAPE_LENIENT, NULL) != ST_OK) {
		json_decref(e->first);
		e->first = NULL;
		result_clear(&e->head);
	}
	return e->first != NULL ? ST_FULL : ST_OK;
}

static enum status
open_sweep(struct export *e, struct fault *why)
{
	const struct result_filter	filter = { .sweep_id = e->sweep_id, .status = -1,
					    .submitter = -1, .order = ORDER_ID, .limit = 100 };
	enum status			st;

	if ((st = store_sweep(e->store, e->sweep_id, NULL, &e->sweep, why)) != ST_OK ||
	    (st = store_sweep_doc(e->store, e->sweep_id, &e->doc, why)) != ST_OK)
		return st;
	st = store_results(e->store, &filter, keep_first, e, why);
	if (st != ST_OK && st != ST_FULL)
		return st;
	if (e->format->needs_unique && !e->has_begun)
		e->names_repeat = store_sweep_names_repeat(e->store, e->sweep_id);
	e->is_open = true;
	return ST_OK;
}

/* Is it about a variant, and not about the host or a user? */
static bool
is_of_a_variant(const struct result *r)
{
	static const char *const	others[] = { "cancelled", "expired", "internal",
					    "too_noisy" };

	if (r->yardstick || r->time.quick || r->status == NULL)
		return false;
	for (unsigned i = 0; i < sizeof others / sizeof others[0]; i++)
		if (strcmp(r->status, others[i]) == 0)
			return false;
	return true;
}

static void
put_row(struct export *e, const struct result *r, json_t *doc)
{
	const struct export_row	row = { r, doc };

	if (!e->format->has_all && !is_of_a_variant(r))
		return;
	e->rows += e->format->row(e, e->out, &row);
}

static void
note_damaged(struct export *e, int64_t job)
{
	if (e->damaged == NULL)
		e->damaged = json_array();
	(void)json_array_append_new(e->damaged, json_integer(job));
}

static enum status
take_row(void *arg, const struct result_row *row)
{
	struct export	*e = arg;
	struct result	 r;
	json_t		*doc;

	if (e->page_rows == EXPORT_PAGE_ROWS || e->out->bytes >= EXPORT_PAGE_BYTES)
		return ST_FULL;
	e->page_rows++;
	e->cursor = row->cursor;
	doc = row->json != NULL ? json_loadb(row->json, row->json_bytes, 0, NULL) : NULL;
	if (doc != NULL && !e->show(e->show_arg, doc, row))
		export_hide(e, doc);
	if (doc != NULL && result_get(&r, doc, SHAPE_LENIENT, NULL) == ST_OK) {
		put_row(e, &r, doc);
		result_release(&r);
	} else {
		note_damaged(e, row->job_id);
	}
	json_decref(doc);
	return e->out->failed ? ST_NOMEM : ST_OK;
}

static enum status
put_rows(struct export *e, struct fault *why)
{
	const struct result_filter	filter = { .sweep_id = e->sweep_id, .status = -1,
					    .submitter = -1, .order = ORDER_ID,
					    .after_cursor = e->cursor,
					    .limit = EXPORT_PAGE_ROWS + 1 };
	enum status			st;

	st = store_results(e->store, &filter, take_row, e, why);
	if (st == ST_OK) {
		e->format->end(e, e->out);
		e->is_over = true;
	}
	return st == ST_FULL ? ST_OK : st;
}

static enum status
put_page(struct export *e, struct fault *why)
{
	enum status	st = ST_OK;

	if (!e->is_open && (st = open_sweep(e, why)) != ST_OK)
		return st;
	if (!e->has_begun && (st = e->format->begin(e, e->out, why)) != ST_OK)
		return st;
	e->has_begun = true;
	st = put_rows(e, why);
	return st == ST_NOMEM || (st == ST_OK && e->out->failed) ?
	    fault_set(why, ST_NOMEM, "export") : st;
}

enum status
export_page(struct export *e, struct store *store, struct text *out, struct fault *why)
{
	enum status	st;

	json_decref(e->damaged);
	e->damaged = NULL;
	e->store = store;
	e->out = out;
	e->page_rows = 0;
	st = put_page(e, why);
	e->store = NULL;
	e->out = NULL;
	return st;
}

bool
export_is_over(const struct export *e)
{
	return e->is_over;
}

const json_t *
export_damaged(const struct export *e)
{
	return e->damaged;
}
