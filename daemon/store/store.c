/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/store/migrations.h"
#include "daemon/store/store_impl.h"
#include "proto/base/log.h"

enum { BUSY_TIMEOUT_MS = 5000 };

static const char *const sql_text[Q_N] = {
#define X(name, sql) [Q_##name] = sql,
	STATEMENT_LIST(X)
#undef X
};

enum status
store_fault(const struct store *s, struct fault *why, const char *doing)
{
	int	code = sqlite3_errcode(s->db);

	return fault_set(why, code == SQLITE_NOMEM ? ST_NOMEM : ST_IO, "%s: %s: %s", s->path, doing,
	    sqlite3_errmsg(s->db));
}

/* ---- opening ---- */

static int
user_version(sqlite3 *db)
{
	sqlite3_stmt	*q;
	int		 version = -1;

	if (sqlite3_prepare_v2(db, "PRAGMA user_version", -1, &q, NULL) != SQLITE_OK)
		return -1;
	if (sqlite3_step(q) == SQLITE_ROW)
		version = sqlite3_column_int(q, 0);
	(void)sqlite3_finalize(q);
	return version;
}

/* Each migration and its version number are written together or not at all. */
static enum status
migrate(struct store *s, int from, struct fault *why)
{
	for (int v = from; migrations[v] != NULL; v++) {
		char	 bump[64];

		(void)snprintf(bump, sizeof bump, "PRAGMA user_version = %d", v + 1);
		if (sqlite3_exec(s->db, "BEGIN EXCLUSIVE", NULL, NULL, NULL) != SQLITE_OK ||
		    sqlite3_exec(s->db, migrations[v], NULL, NULL, NULL) != SQLITE_OK ||
		    sqlite3_exec(s->db, bump, NULL, NULL, NULL) != SQLITE_OK ||
		    sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK) {
			(void)store_fault(s, why, "migration");
			(void)sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
			return ST_IO;
		}
	}
	return ST_OK;
}

static enum status
upgrade(struct store *s, struct fault *why)
{
	int		version = user_version(s->db), newest = 0;
	enum status	st;

	while (migrations[newest] != NULL)
		newest++;
	if (version < 0)
		return store_fault(s, why, "reading its version");
	if (version > newest)
		return fault_set(why, ST_CONFLICT,
		    "%s has version %d, this assayd knows only %d: use the newer assayd", s->path,
		    version, newest);
	if ((st = migrate(s, version, why)) == ST_OK)
		log_info("store=%s version=%d found=%d", s->path, newest, version);
	return st;
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

enum status
store_open(struct store **out, const char *path, struct fault *why)
{
	static const char pragmas[] =
	    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;";
	struct store	*s;
	enum status	 st;

	*out = NULL;
	if ((s = calloc(1, sizeof *s)) == NULL || (s->path = strdup(path)) == NULL) {
		free(s);
		return fault_set(why, ST_NOMEM, "store");
	}
	if (sqlite3_open(path, &s->db) != SQLITE_OK ||
	    sqlite3_busy_timeout(s->db, BUSY_TIMEOUT_MS) != SQLITE_OK ||
	    sqlite3_exec(s->db, pragmas, NULL, NULL, NULL) != SQLITE_OK) {
		st = store_fault(s, why, "opening");
		goto fail;
	}
	if ((st = upgrade(s, why)) != ST_OK || (st = prepare_all(s, why)) != ST_OK)
		goto fail;
	*out = s;
	return ST_OK;
fail:
	store_free(s);
	return st;
}

void
store_free(struct store *s)
{
	if (s == NULL)
		return;
	for (unsigned i = 0; i < Q_N; i++)
		(void)sqlite3_finalize(s->q[i]);
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

/* Forget rows that may be gone after a rollback. */
static void
forget_rows(struct store *s)
{
	json_decref(s->last_spec);
	s->last_spec = NULL;
	s->next_cursor = 0;
}

void
store_set_on_dirty(struct store *s, dirty_fn *on_dirty, void *arg)
{
	s->on_dirty = on_dirty;
	s->on_dirty_arg = arg;
}

enum status
store_join_group(struct store *s, struct fault *why)
{
	enum status	st;

	if (s->open_group)
		return ST_OK;
	if ((st = store_run(s, store_statement(s, Q_BEGIN), why)) != ST_OK)
		return st;
	s->open_group = true;
	if (s->on_dirty != NULL)
		s->on_dirty(s->on_dirty_arg, false);
	return ST_OK;
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

enum status
store_commit(struct store *s, struct fault *why)
{
	struct fault	 local;
	struct waiter	*waiters = s->waiters;
	size_t		 n = s->nwaiters;
	enum status	 st = ST_OK;

	local.text[0] = '\0';
	if (s->open_group) {
		st = store_run(s, store_statement(s, Q_COMMIT), &local);
		if (st != ST_OK && !sqlite3_get_autocommit(s->db))
			(void)store_run(s, store_statement(s, Q_ROLLBACK), NULL);
		if (st != ST_OK)
			forget_rows(s);
		s->open_group = false;
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

	return st != ST_OK ? st : store_run(s, store_statement(s, Q_MARK), why);
}

enum status
store_keep(struct store *s, struct fault *why)
{
	return store_run(s, store_statement(s, Q_KEEP), why);
}

void
store_undo(struct store *s)
{
	forget_rows(s);
	(void)store_run(s, store_statement(s, Q_UNDO), NULL);
	(void)store_run(s, store_statement(s, Q_KEEP), NULL);
}
