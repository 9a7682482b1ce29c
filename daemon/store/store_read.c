/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "daemon/store/store_impl.h"
#include "proto/base/fnv.h"

/* After a step without a row; rc is its code.  Numbers have no gaps, and none is given twice. */
static enum status
no_such_job(struct store *s, int rc, int64_t id, struct fault *why)
{
	if (rc != SQLITE_DONE)
		return store_fault(s, why, "reading a job");
	if (id > store_first_int(store_statement(s, Q_JOB_LAST), 0))
		return fault_set(why, ST_NOT_FOUND, "there is no job %" PRId64, id);
	return fault_set(why, ST_NOT_FOUND, "job %" PRId64 " was pruned with its result", id);
}

/* A row of Q_JOB_DOC.  A spec is found by its checksum; older versions had another. */
static bool
is_whole_job(sqlite3_stmt *q)
{
	return store_is_whole(q, 0, 2, 0) && (sqlite3_column_type(q, 2) == SQLITE_NULL ||
	    sqlite3_column_int64(q, 3) == (int64_t)fnv1a(store_column(q, 1)));
}

enum status
store_job_doc(struct store *s, int64_t id, json_t **doc, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_JOB_DOC);
	json_t		*spec = NULL;
	enum status	 st = ST_OK;
	int		 rc;

	*doc = NULL;
	(void)sqlite3_bind_int64(q, 1, id);
	if ((rc = sqlite3_step(q)) != SQLITE_ROW) {
		st = no_such_job(s, rc, id, why);
		(void)sqlite3_reset(q);
		return st;
	}
	if (is_whole_job(q)) {
		*doc = json_loads(store_column(q, 0), 0, NULL);
		spec = json_loads(store_column(q, 1), 0, NULL);
	}
	(void)sqlite3_reset(q);
	if (*doc == NULL || spec == NULL || json_object_set(*doc, "spec", spec) != 0) {
		json_decref(*doc);
		*doc = NULL;
		st = store_damaged(s, why, "job", id);
	}
	json_decref(spec);
	return st;
}

enum status
store_job_rest(struct store *s, int64_t id, char **rest, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_JOB_DOC);
	enum status	 st = ST_OK;
	int		 rc;

	*rest = NULL;
	(void)sqlite3_bind_int64(q, 1, id);
	if ((rc = sqlite3_step(q)) != SQLITE_ROW)
		st = no_such_job(s, rc, id, why);
	else if (!is_whole_job(q))
		st = store_damaged(s, why, "job", id);
	else if ((*rest = strdup(store_column(q, 0))) == NULL)
		st = fault_set(why, ST_NOMEM, "job");
	(void)sqlite3_reset(q);
	return st;
}

enum status
store_job(struct store *s, int64_t id, job_row_fn *fn, void *arg, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_JOB_ROW);
	enum status	 st;
	int		 rc;

	(void)sqlite3_bind_int64(q, 1, id);
	if ((rc = sqlite3_step(q)) != SQLITE_ROW) {
		st = no_such_job(s, rc, id, why);
	} else if (sqlite3_column_type(q, 8) != SQLITE_NULL &&
	    !store_is_whole(q, 8, 9, sqlite3_column_int64(q, 10))) {
		st = store_damaged(s, why, "the result of job", id);
	} else {
		struct job_row	row = {
			.id = id, .sweep_id = sqlite3_column_int64(q, 1),
			.sweep_name = store_column(q, 2), .name = store_column(q, 3),
			.owner = { (uid_t)sqlite3_column_int64(q, 4),
			    (const char *)sqlite3_column_text(q, 13) },
			.submitted = sqlite3_column_double(q, 5),
			.priority = sqlite3_column_int(q, 6),
			.status = (const char *)sqlite3_column_text(q, 7),
			.result = (const char *)sqlite3_column_text(q, 8),
			.rank = { (const char *)sqlite3_column_text(q, 11),
			    sqlite3_column_double(q, 12) },
		};

		st = fn(arg, &row);
	}
	(void)sqlite3_reset(q);
	return st;
}

double
store_oldest_open(struct store *s)
{
	sqlite3_stmt	*q = store_statement(s, Q_JOB_OLDEST);
	double		 submitted = sqlite3_step(q) == SQLITE_ROW ?
			    sqlite3_column_double(q, 0) : 0;

	(void)sqlite3_reset(q);
	return submitted;
}

static bool
has_job(struct store *s, int64_t id)
{
	sqlite3_stmt	*q = store_statement(s, Q_JOB_HAS);

	(void)sqlite3_bind_int64(q, 1, id);
	return store_first_int(q, 0) != 0;
}

/*
 * Where nothing was pruned, and each sweep has arrived whole, the newest number says it of all.
 */
enum status
store_has_jobs(struct store *s, const int64_t *ids, size_t n, struct fault *why)
{
	const int64_t	last = store_first_int(store_statement(s, Q_JOB_LAST), 0);
	const bool	whole = store_first_int(store_statement(s, Q_JOBS_MISSING), 0) == 0;

	for (size_t i = 0; i < n; i++)
		if (ids[i] > last || (!whole && !has_job(s, ids[i])))
			return no_such_job(s, SQLITE_DONE, ids[i], why);
	return ST_OK;
}

int64_t
store_counters(struct store *s, int64_t sweep_id, int64_t *jobs, int64_t by_status[ST_N])
{
	sqlite3_stmt	*q = store_statement(s, Q_COUNTERS);
	int64_t		 results = 0;

	*jobs = 0;
	memset(by_status, 0, sizeof(int64_t) * ST_N);
	(void)sqlite3_bind_int64(q, 1, sweep_id);
	while (sqlite3_step(q) == SQLITE_ROW) {
		const char	*what = store_column(q, 0);
		int64_t		 n = sqlite3_column_int64(q, 1);
		enum status	 st;

		if (strcmp(what, "jobs") == 0) {
			*jobs = n;
			continue;
		}
		results += n;
		if (status_from_word(&st, what))
			by_status[st] += n;
	}
	(void)sqlite3_reset(q);
	return results;
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
	row->corrects = sqlite3_column_int(q, 5) != 0;
	(void)sqlite3_reset(q);
	row->finished = store_counters(s, row->id, &row->jobs, row->by_status);
	return ST_OK;
}

json_t *
store_statuses(const struct sweep_row *row)
{
	json_t	*statuses = json_object();

	for (unsigned st = 0; status_is_outcome(st); st++)
		if (row->by_status[st] != 0)
			(void)json_object_set_new(statuses, status_word(st),
			    json_integer(row->by_status[st]));
	return statuses;
}

/* A seek for each, because a sweep has few estimators and many results. */
json_t *
store_sweep_estimators(struct store *s, int64_t id)
{
	json_t	*list = json_array(), *found = NULL;

	do {
		sqlite3_stmt	*q = store_statement(s, Q_SWEEP_ESTIMATOR);
		const char	*last = found != NULL ? json_string_value(found) : "";

		(void)sqlite3_bind_int64(q, 1, id);
		(void)sqlite3_bind_text(q, 2, last, -1, SQLITE_TRANSIENT);
		found = NULL;
		if (sqlite3_step(q) == SQLITE_ROW && sqlite3_column_type(q, 0) != SQLITE_NULL)
			found = json_string(store_column(q, 0));
		(void)sqlite3_reset(q);
	} while (found != NULL && json_array_append_new(list, found) == 0);
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
	(void)store_counters(s, 0, jobs, by_status);
	return ST_OK;
}
