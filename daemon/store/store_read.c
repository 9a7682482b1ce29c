/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/store/store_impl.h"

enum status
store_job_doc(struct store *s, int64_t id, json_t **doc, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_JOB_DOC);
	json_t		*spec = NULL;
	enum status	 st = ST_OK;

	*doc = NULL;
	(void)sqlite3_bind_int64(q, 1, id);
	if (sqlite3_step(q) != SQLITE_ROW) {
		(void)sqlite3_reset(q);
		return fault_set(why, ST_NOT_FOUND, "there is no job %" PRId64, id);
	}
	*doc = json_loads(store_column(q, 0), 0, NULL);
	spec = json_loads(store_column(q, 1), 0, NULL);
	(void)sqlite3_reset(q);
	if (*doc == NULL || spec == NULL || json_object_set(*doc, "spec", spec) != 0) {
		json_decref(*doc);
		*doc = NULL;
		st = fault_set(why, ST_IO, "%s: job %" PRId64 " cannot be read", s->path, id);
	}
	json_decref(spec);
	return st;
}

enum status
store_job_rest(struct store *s, int64_t id, char **rest, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_JOB_DOC);
	enum status	 st = ST_OK;

	*rest = NULL;
	(void)sqlite3_bind_int64(q, 1, id);
	if (sqlite3_step(q) != SQLITE_ROW)
		st = fault_set(why, ST_NOT_FOUND, "there is no job %" PRId64, id);
	else if ((*rest = strdup(store_column(q, 0))) == NULL)
		st = fault_set(why, ST_NOMEM, "job");
	(void)sqlite3_reset(q);
	return st;
}

enum status
store_each_unfinished(struct store *s, unfinished_fn *fn, void *arg, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_JOBS_OPEN);
	enum status	 st = ST_OK;
	int		 rc;

	while (st == ST_OK && (rc = sqlite3_step(q)) == SQLITE_ROW) {
		struct unfinished	u = {
			.id = sqlite3_column_int64(q, 0), .sweep_id = sqlite3_column_int64(q, 1),
			.spec_id = sqlite3_column_int64(q, 2), .sweep_name = store_column(q, 3),
			.spec = store_column(q, 4), .rest = store_column(q, 5),
			.submitter = (uid_t)sqlite3_column_int64(q, 6),
			.submitted = sqlite3_column_double(q, 7),
		};

		st = fn(arg, &u);
	}
	if (st == ST_OK && rc != SQLITE_DONE)
		st = store_fault(s, why, "reading unfinished jobs");
	(void)sqlite3_reset(q);
	return st;
}

enum status
store_job(struct store *s, int64_t id, job_row_fn *fn, void *arg, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_JOB_ROW);
	enum status	 st;

	(void)sqlite3_bind_int64(q, 1, id);
	if (sqlite3_step(q) != SQLITE_ROW) {
		st = fault_set(why, ST_NOT_FOUND, "there is no job %" PRId64, id);
	} else {
		struct job_row	row = {
			.id = id, .sweep_id = sqlite3_column_int64(q, 1),
			.sweep_name = store_column(q, 2), .name = store_column(q, 3),
			.submitter = (uid_t)sqlite3_column_int64(q, 4),
			.submitted = sqlite3_column_double(q, 5),
			.priority = sqlite3_column_int(q, 6),
			.status = (const char *)sqlite3_column_text(q, 7),
			.result = (const char *)sqlite3_column_text(q, 8),
		};

		st = fn(arg, &row);
	}
	(void)sqlite3_reset(q);
	return st;
}

bool
store_has_job(struct store *s, int64_t id)
{
	sqlite3_stmt	*q = store_statement(s, Q_JOB_HAS);

	(void)sqlite3_bind_int64(q, 1, id);
	return store_first_int(q, 0) != 0;
}

/* Rows of (status word, count) into an array by enum status; returns their sum. */
static int64_t
count_by_status(sqlite3_stmt *q, int64_t by_status[ST_N])
{
	int64_t	sum = 0;

	memset(by_status, 0, sizeof(int64_t) * ST_N);
	while (sqlite3_step(q) == SQLITE_ROW) {
		enum status	st;

		sum += sqlite3_column_int64(q, 1);
		if (status_from_word(&st, store_column(q, 0)))
			by_status[st] += sqlite3_column_int64(q, 1);
	}
	(void)sqlite3_reset(q);
	return sum;
}

enum status
store_sweep(struct store *s, int64_t id, const char *name, struct sweep_row *row, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, id != 0 ? Q_SWEEP_BY_ID : Q_SWEEP_BY_NAME);

	memset(row, 0, sizeof *row);
	if (id != 0)
		(void)sqlite3_bind_int64(q, 1, id);
	else
		store_bind_text(q, 1, name);
	if (sqlite3_step(q) != SQLITE_ROW) {
		(void)sqlite3_reset(q);
		if (id != 0)
			return fault_set(why, ST_NOT_FOUND, "there is no sweep %" PRId64, id);
		return fault_set(why, ST_NOT_FOUND, "there is no sweep \"%s\"", name);
	}
	row->id = sqlite3_column_int64(q, 0);
	(void)snprintf(row->name, sizeof row->name, "%s", store_column(q, 1));
	row->submitter = (uid_t)sqlite3_column_int64(q, 2);
	row->submitted = sqlite3_column_double(q, 3);
	(void)sqlite3_reset(q);
	q = store_statement(s, Q_SWEEP_JOBS);
	(void)sqlite3_bind_int64(q, 1, row->id);
	row->jobs = store_first_int(q, 0);
	q = store_statement(s, Q_SWEEP_STATUS);
	(void)sqlite3_bind_int64(q, 1, row->id);
	row->finished = count_by_status(q, row->by_status);
	return ST_OK;
}

json_t *
store_sweep_estimators(struct store *s, int64_t id)
{
	sqlite3_stmt	*q = store_statement(s, Q_SWEEP_ESTIMATORS);
	json_t		*list = json_array();

	(void)sqlite3_bind_int64(q, 1, id);
	while (sqlite3_step(q) == SQLITE_ROW)
		(void)json_array_append_new(list, json_string(store_column(q, 0)));
	(void)sqlite3_reset(q);
	return list;
}

int64_t
store_sweep_cell(struct store *s, int64_t sweep_id, int64_t after)
{
	sqlite3_stmt	*q = store_statement(s, Q_SWEEP_CELL);

	(void)sqlite3_bind_int64(q, 1, sweep_id);
	(void)sqlite3_bind_int64(q, 2, after);
	return store_first_int(q, 0);
}

bool
store_sweep_name(struct store *s, int64_t id, char *buf, size_t bytes)
{
	sqlite3_stmt	*q = store_statement(s, Q_SWEEP_BY_ID);
	bool		 found;

	(void)sqlite3_bind_int64(q, 1, id);
	if ((found = sqlite3_step(q) == SQLITE_ROW))
		(void)snprintf(buf, bytes, "%s", store_column(q, 1));
	(void)sqlite3_reset(q);
	return found;
}

enum status
store_totals(struct store *s, int64_t by_status[ST_N], int64_t *jobs, struct fault *why)
{
	(void)why;
	(void)count_by_status(store_statement(s, Q_TOTAL_STATUS), by_status);
	*jobs = store_first_int(store_statement(s, Q_TOTAL_JOBS), 0);
	return ST_OK;
}

/* ---- results by filter ---- */

struct clause {
	char	sql[1024];
	size_t	used;
};

static void
put(struct clause *c, const char *fmt, ...)
{
	va_list	ap;
	int	n;

	va_start(ap, fmt);
	n = vsnprintf(c->sql + c->used, sizeof c->sql - c->used, fmt, ap);
	va_end(ap);
	c->used += (size_t)n < sizeof c->sql - c->used ? (size_t)n : sizeof c->sql - c->used - 1;
}

/* The text has only constants; values are bound by name. */
static void
put_filter(struct clause *c, const struct result_filter *f)
{
	static const char *const tail[] = {
		[ORDER_ID] = " AND cursor > :after ORDER BY cursor",
		[ORDER_NEWEST] = " AND (:after = 0 OR cursor < :after) ORDER BY cursor DESC",
		[ORDER_FASTEST] = (" AND value_ns IS NOT NULL AND (value_ns, cursor) > "
		    "(:value, :after)" " ORDER BY value_ns, cursor"),
	};

	put(c, "SELECT cursor, job_id, value_ns, json FROM results WHERE 1");
	if (f->sweep_id != 0)
		put(c, " AND sweep_id = :sweep");
	if (f->spec_id != 0)
		put(c, " AND spec_id = :spec");
	if (f->nids != 0)
		put(c, " AND job_id IN (SELECT value FROM json_each(:ids))");
	if (f->status >= 0)
		put(c, " AND status = :status");
	if (f->name != NULL)
		put(c, " AND name = :name");
	if (f->routine != NULL)
		put(c, " AND routine = :routine");
	if (f->since > 0)
		put(c, " AND finished >= :since");
	if (f->before > 0)
		put(c, " AND finished < :before");
	if (f->submitter >= 0)
		put(c, " AND submitter = :submitter");
	put(c, "%s LIMIT :limit", tail[f->order]);
}

/* "[1,2,3]", owned by the caller; NULL: out of memory. */
static char *
ids_as_json(const struct result_filter *f)
{
	size_t	 bytes = f->nids * 21 + 3, used = 1;
	char	*text = malloc(bytes);

	if (text == NULL)
		return NULL;
	text[0] = '[';
	for (size_t i = 0; i < f->nids; i++)
		used += (size_t)snprintf(text + used, bytes - used, "%s%" PRId64,
		    i != 0 ? "," : "", f->ids[i]);
	(void)snprintf(text + used, bytes - used, "]");
	return text;
}

static void
bind_filter(sqlite3_stmt *q, const struct result_filter *f, const char *ids)
{
#define AT(name) sqlite3_bind_parameter_index(q, name)	/* 0 if absent: binding it does nothing */
	(void)sqlite3_bind_int64(q, AT(":sweep"), f->sweep_id);
	(void)sqlite3_bind_int64(q, AT(":spec"), f->spec_id);
	(void)sqlite3_bind_text(q, AT(":ids"), ids, -1, SQLITE_STATIC);
	(void)sqlite3_bind_text(q, AT(":status"),
	    f->status >= 0 ? status_word((enum status)f->status) : NULL, -1, SQLITE_STATIC);
	(void)sqlite3_bind_text(q, AT(":name"), f->name, -1, SQLITE_STATIC);
	(void)sqlite3_bind_text(q, AT(":routine"), f->routine, -1, SQLITE_STATIC);
	(void)sqlite3_bind_double(q, AT(":since"), f->since);
	(void)sqlite3_bind_double(q, AT(":before"), f->before);
	(void)sqlite3_bind_int64(q, AT(":submitter"), f->submitter);
	(void)sqlite3_bind_double(q, AT(":value"), f->after_value);
	(void)sqlite3_bind_int64(q, AT(":after"), f->after_cursor);
	(void)sqlite3_bind_int64(q, AT(":limit"), (int64_t)f->limit);
#undef AT
}

enum status
store_results(struct store *s, const struct result_filter *f, result_row_fn *fn, void *arg,
    struct fault *why)
{
	struct clause	 c = { .used = 0 };
	sqlite3_stmt	*q = NULL;
	char		*ids = NULL;
	enum status	 st = ST_OK;
	int		 rc = SQLITE_DONE;

	put_filter(&c, f);
	if (f->nids != 0 && (ids = ids_as_json(f)) == NULL)
		return fault_set(why, ST_NOMEM, "ids");
	if (sqlite3_prepare_v2(s->db, c.sql, -1, &q, NULL) != SQLITE_OK) {
		st = store_fault(s, why, c.sql);
		goto fail;
	}
	bind_filter(q, f, ids);
	while (st == ST_OK && (rc = sqlite3_step(q)) == SQLITE_ROW) {
		struct result_row	row = {
			.cursor = sqlite3_column_int64(q, 0), .job_id = sqlite3_column_int64(q, 1),
			.value_ns = sqlite3_column_double(q, 2), .json = store_column(q, 3),
			.json_bytes = (size_t)sqlite3_column_bytes(q, 3),
		};

		st = fn(arg, &row);
	}
	if (st == ST_OK && rc != SQLITE_DONE)
		st = store_fault(s, why, "reading results");
fail:
	(void)sqlite3_finalize(q);
	free(ids);
	return st;
}
