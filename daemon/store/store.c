/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/store/store_impl.h"

enum {
	BUSY_TIMEOUT_MS = 5000,		/* at the start; later: STORE_BUSY_MS */
	READER_TIMEOUT_MS = 1000,	/* for the moment in which a database in use is recovered */
	PROGRESS_STEPS = 10000,		/* of SQLite's machine: a fraction of a millisecond */
};

static const char *const sql_text[Q_N] = {
#define X(name, sql) [Q_##name] = sql,
	STATEMENT_LIST(X)
#undef X
};

/* Statements and schema are the program's: no row or table that it wrote leads to these. */
static bool
is_damage(int code)
{
	return code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_CONSTRAINT ||
	    code == SQLITE_MISMATCH || code == SQLITE_ERROR;
}

enum status
store_fault(const struct store *s, struct fault *why, const char *doing)
{
	int	code = sqlite3_errcode(s->db);

	enum status	st = code == SQLITE_NOMEM ? ST_NOMEM : ST_IO;

	(void)fault_set(why, st, "%s: %s: %s", s->path, doing, sqlite3_errmsg(s->db));
	if (is_damage(code))
		fault_hint(why, "assay check lists all damage; restore a backup");
	return st;
}

/* ---- opening ---- */

int
store_version(const struct store *s)
{
	sqlite3_stmt	*q;
	int		 version = -1;

	if (sqlite3_prepare_v2(s->db, "PRAGMA user_version", -1, &q, NULL) != SQLITE_OK)
		return -1;
	if (sqlite3_step(q) == SQLITE_ROW)
		version = sqlite3_column_int(q, 0);
	(void)sqlite3_finalize(q);
	return version;
}

static enum status
prepare_all(struct store *s, struct fault *why)
{
	for (unsigned i = 0; i < Q_N; i++)
		if (sqlite3_prepare_v3(s->db, sql_text[i], -1, SQLITE_PREPARE_PERSISTENT, &s->q[i],
		    NULL) != SQLITE_OK)
			return store_fault(s, why, sql_text[i]);
	return ST_OK;
}

/*
 * What a savepoint may undo stays in memory: SQLite would write it to a file from 64 KiB on, tens
 * of writes a result.  It does not count its allocations, which takes a lock for each.  Both are
 * refused after the first connection, which is harmless.
 */
static void
configure_library(void)
{
	(void)sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, -1);
	(void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

enum status
store_open(struct store **out, const char *path, struct fault *why)
{
	static const char pragmas[] =
	    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;"
	    /* of indexes over a million results: their inner pages */
	    "PRAGMA cache_size = -16384;";
	struct store	*s;
	enum status	 st;

	*out = NULL;
	if ((s = calloc(1, sizeof *s)) == NULL || (s->path = strdup(path)) == NULL) {
		free(s);
		return fault_set(why, ST_NOMEM, "store");
	}
	STAILQ_INIT(&s->held);
	configure_library();
	if (sqlite3_open(path, &s->db) != SQLITE_OK ||
	    sqlite3_busy_timeout(s->db, BUSY_TIMEOUT_MS) != SQLITE_OK ||
	    sqlite3_exec(s->db, pragmas, NULL, NULL, NULL) != SQLITE_OK) {
		st = store_fault(s, why, "opening");
		goto fail;
	}
	if ((st = store_upgrade(s, why)) != ST_OK || (st = prepare_all(s, why)) != ST_OK ||
	    (st = store_still_there(s, why)) != ST_OK ||
	    (st = wal_new(&s->wal, s->db, path, why)) != ST_OK)
		goto fail;
	(void)sqlite3_busy_timeout(s->db, STORE_BUSY_MS);
	s->boot = store_this_boot();
	*out = s;
	return ST_OK;
fail:
	store_free(s);
	return st;
}

bool
store_is_over(const struct store *s)
{
	return s->is_over != NULL && s->is_over(s->over_arg);
}

static int
on_progress(void *arg)
{
	return store_is_over(arg);
}

enum status
store_open_reader(struct store **out, const char *path, struct fault *why)
{
	struct store	*s = calloc(1, sizeof *s);
	enum status	 st;

	*out = NULL;
	if (s == NULL || (s->path = strdup(path)) == NULL) {
		free(s);
		return fault_set(why, ST_NOMEM, "store");
	}
	if (sqlite3_open_v2(path, &s->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) !=
	    SQLITE_OK || sqlite3_busy_timeout(s->db, READER_TIMEOUT_MS) != SQLITE_OK ||
	    sqlite3_exec(s->db, "PRAGMA cache_size = -1024", NULL, NULL, NULL) != SQLITE_OK)
		st = store_fault(s, why, "opening");
	else
		st = prepare_all(s, why);
	if (st != ST_OK) {
		store_free(s);
		return st;
	}
	s->rows = kept_rows_new();
	sqlite3_progress_handler(s->db, PROGRESS_STEPS, on_progress, s);
	*out = s;
	return ST_OK;
}

void
store_free(struct store *s)
{
	if (s == NULL)
		return;
	for (unsigned i = 0; i < Q_N; i++)
		(void)sqlite3_finalize(s->q[i]);
	(void)sqlite3_finalize(s->query);
	kept_rows_free(s->rows);
	free(s->seen_by);
	wal_free(s->wal);
	(void)sqlite3_close(s->db);
	json_decref(s->last_spec);
	free(s->last_spec_text);
	free(s->waiters);
	free(s->path);
	free(s);
}

const char *
store_path(const struct store *s)
{
	return s->path;
}

/* ---- statements: bind, step, reset ---- */

sqlite3_stmt *
store_statement(struct store *s, enum statement which)
{
	sqlite3_stmt	*q = s->q[which];

	(void)sqlite3_reset(q);
	(void)sqlite3_clear_bindings(q);
	return q;
}

void
store_bind_text(sqlite3_stmt *q, int at, const char *text)
{
	(void)sqlite3_bind_text(q, at, text, -1, SQLITE_STATIC);
}

/* Run a statement and ignore its rows. */
enum status
store_run(struct store *s, sqlite3_stmt *q, struct fault *why)
{
	int	 rc = sqlite3_step(q);
	enum status st = ST_OK;

	if (rc != SQLITE_DONE && rc != SQLITE_ROW)
		st = store_fault(s, why, sqlite3_sql(q));
	(void)sqlite3_reset(q);
	return st;
}

/* An integer from the first row; `otherwise` if there is no row or no value. */
int64_t
store_first_int(sqlite3_stmt *q, int64_t otherwise)
{
	int64_t	value = otherwise;

	if (sqlite3_step(q) == SQLITE_ROW && sqlite3_column_type(q, 0) != SQLITE_NULL)
		value = sqlite3_column_int64(q, 0);
	(void)sqlite3_reset(q);
	return value;
}

const char *
store_column(sqlite3_stmt *q, int i)
{
	const char	*text = (const char *)sqlite3_column_text(q, i);

	return text != NULL ? text : "";
}

/* ---- the group ---- */

void
store_forget_spec(struct store *s)
{
	json_decref(s->last_spec);
	s->last_spec = NULL;
}

/* Forget rows that may be gone after a rollback. */
static void
forget_rows(struct store *s)
{
	store_forget_spec(s);
	s->next_cursor = 0;
}

void
store_set_on_dirty(struct store *s, dirty_fn *on_dirty, void *arg)
{
	s->on_dirty = on_dirty;
	s->on_dirty_arg = arg;
}

enum status
store_when_durable(struct store *s, durable_fn *fn, void *arg, bool hurry)
{
	if (s->nwaiters == s->max_waiters) {
		size_t		 max = s->max_waiters != 0 ? s->max_waiters * 2 : 64;
		struct waiter	*more = realloc(s->waiters, max * sizeof *more);

		if (more == NULL)
			return ST_NOMEM;
		s->waiters = more;
		s->max_waiters = max;
	}
	s->waiters[s->nwaiters++] = (struct waiter){ fn, arg };
	if ((hurry || !s->open_group) && s->on_dirty != NULL)
		s->on_dirty(s->on_dirty_arg, hurry);
	return ST_OK;
}

void
store_hurry(struct store *s)
{
	if (s->open_group && s->on_dirty != NULL)
		s->on_dirty(s->on_dirty_arg, true);
}

enum status
store_commit(struct store *s, struct fault *why)
{
	struct fault	 local;
	struct waiter	*waiters = s->waiters;
	size_t		 n = s->nwaiters;
	enum status	 st = ST_OK;

	if (s->is_locked)
		return ST_OK;
	local.text[0] = '\0';
	if (s->open_group) {
		if ((st = store_still_there(s, &local)) == ST_OK)
			st = store_run(s, store_statement(s, Q_COMMIT), &local);
		if (st != ST_OK && !sqlite3_get_autocommit(s->db))
			(void)store_run(s, store_statement(s, Q_ROLLBACK), NULL);
		if (st != ST_OK)
			forget_rows(s);
		store_note_commit(s, st, &local);
		s->open_group = false;
		s->marks = 0;
		s->uncounted = 0;
	}
	s->waiters = NULL;		/* callbacks may queue new ones, for the next group */
	s->nwaiters = s->max_waiters = 0;
	for (size_t i = 0; i < n; i++)
		waiters[i].fn(waiters[i].arg, st, &local);
	free(waiters);
	if (st != ST_OK && why != NULL)
		*why = local;
	return st;
}

enum status
store_mark(struct store *s, struct fault *why)
{
	enum status	st = store_join_group(s, why);

	if (st == ST_OK && (st = store_count_kept(s, why)) == ST_OK)
		st = store_run(s, store_statement(s, Q_MARK), why);
	if (st == ST_OK)
		s->marks++;
	return st;
}

enum status
store_keep(struct store *s, struct fault *why)
{
	enum status	st = store_count_kept(s, why);

	if (st == ST_OK && (st = store_run(s, store_statement(s, Q_KEEP), why)) == ST_OK)
		s->marks--;
	return st;
}

void
store_undo(struct store *s)
{
	forget_rows(s);
	s->uncounted = 0;
	s->marks--;
	(void)store_run(s, store_statement(s, Q_UNDO), NULL);
	(void)store_run(s, store_statement(s, Q_KEEP), NULL);
}
