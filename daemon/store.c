/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "daemon/log.h"
#include "daemon/migrations.h"
#include "daemon/store.h"

enum { BUSY_TIMEOUT_MS = 5000 };

/* Statements that are prepared once; store_results builds its own. */
#define STATEMENT_LIST(X)								\
	X(BEGIN, "BEGIN IMMEDIATE")							\
	X(COMMIT, "COMMIT")								\
	X(ROLLBACK, "ROLLBACK")								\
	X(MARK, "SAVEPOINT call")							\
	X(KEEP, "RELEASE call")								\
	X(UNDO, "ROLLBACK TO call")							\
	X(SPEC_FIND, "SELECT id FROM specs WHERE hash = ?1 AND text = ?2")		\
	X(SPEC_ADD, "INSERT INTO specs (hash, text) VALUES (?1, ?2)")			\
	X(SWEEP_ADD, "INSERT INTO sweeps (name, submitter, submitted, doc) VALUES (?1, ?2, ?3, ?4)")	\
	X(JOB_BY_KEY, "SELECT id, spec_id, doc FROM jobs WHERE submitter = ?1 AND key = ?2")		\
	X(JOB_ADD, "INSERT INTO jobs (sweep_id, spec_id, submitter, submitted, name, routine, key, priority, doc)"	\
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")						\
	X(JOB_DOC, "SELECT j.doc, s.text FROM jobs j JOIN specs s ON s.id = j.spec_id WHERE j.id = ?1")	\
	X(JOBS_OPEN, "SELECT id, sweep_id, submitter, submitted FROM jobs WHERE open = 1 ORDER BY id")							\
	X(JOB_CLOSE, "UPDATE jobs SET open = 0 WHERE id = ?1 AND open = 1")		\
	X(RESULT_ADD, "INSERT INTO results (job_id, sweep_id, submitter, status, name, routine, finished, value_ns, json)" \
	    " SELECT id, sweep_id, submitter, ?2, name, routine, ?3, ?4, ?5 FROM jobs WHERE id = ?1")	\
	X(CURSOR_LAST, "SELECT seq FROM sqlite_sequence WHERE name = 'results'")	\
	X(JOB_ROW, "SELECT j.id, j.sweep_id, w.name, j.name, j.submitter, j.submitted, j.priority, r.status, r.json"	\
	    " FROM jobs j LEFT JOIN sweeps w ON w.id = j.sweep_id LEFT JOIN results r ON r.job_id = j.id"	\
	    " WHERE j.id = ?1")									\
	X(SWEEP_BY_ID, "SELECT id, name, submitter, submitted FROM sweeps WHERE id = ?1")	\
	X(SWEEP_BY_NAME, "SELECT id, name, submitter, submitted FROM sweeps WHERE name = ?1")	\
	X(SWEEP_JOBS, "SELECT count(*) FROM jobs WHERE sweep_id = ?1")			\
	X(SWEEP_STATUS, "SELECT status, count(*) FROM results WHERE sweep_id = ?1 GROUP BY status")	\
	X(TOTAL_STATUS, "SELECT status, count(*) FROM results GROUP BY status")		\
	X(TOTAL_JOBS, "SELECT count(*) FROM jobs")

enum statement {
#define X(name, sql) Q_##name,
	STATEMENT_LIST(X)
#undef X
	Q_N
};

static const char *const sql_text[Q_N] = {
#define X(name, sql) [Q_##name] = sql,
	STATEMENT_LIST(X)
#undef X
};

struct waiter {
	durable_fn	*fn;
	void		*arg;
};

struct store {
	sqlite3		*db;		/* owned */
	char		*path;		/* owned */
	sqlite3_stmt	*q[Q_N];	/* owned */
	bool		 open_group;	/* a transaction is open */
	struct waiter	*waiters;	/* owned */
	size_t		 nwaiters, max_waiters;
	void		(*on_dirty)(void *);
	void		*on_dirty_arg;
	json_t		*last_spec;	/* owned reference: the spec last interned, and its row */
	int64_t		 last_spec_id;
};

static enum status
db_fault(const struct store *s, struct fault *why, const char *doing)
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

/* Each migration and its version number land together or not at all. */
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
			(void)db_fault(s, why, "migration");
			(void)sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
			return ST_IO;
		}
		log_info("store=%s version=%d", s->path, v + 1);
	}
	return ST_OK;
}

static enum status
upgrade(struct store *s, struct fault *why)
{
	int	version = user_version(s->db), newest = 0;

	while (migrations[newest] != NULL)
		newest++;
	if (version < 0)
		return db_fault(s, why, "reading its version");
	if (version > newest)
		return fault_set(why, ST_CONFLICT, "%s has version %d, this assayd knows only %d: use the newer assayd",
		    s->path, version, newest);
	return migrate(s, version, why);
}

static enum status
prepare_all(struct store *s, struct fault *why)
{
	for (unsigned i = 0; i < Q_N; i++)
		if (sqlite3_prepare_v3(s->db, sql_text[i], -1, SQLITE_PREPARE_PERSISTENT, &s->q[i], NULL) != SQLITE_OK)
			return db_fault(s, why, sql_text[i]);
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
		st = db_fault(s, why, "opening");
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

static sqlite3_stmt *
fresh(struct store *s, enum statement which)
{
	sqlite3_stmt	*q = s->q[which];

	(void)sqlite3_reset(q);
	(void)sqlite3_clear_bindings(q);
	return q;
}

static void
bind_text(sqlite3_stmt *q, int at, const char *text)
{
	(void)sqlite3_bind_text(q, at, text, -1, SQLITE_STATIC);
}

/* Run a statement that gives no rows (or whose rows do not matter). */
static enum status
run(struct store *s, sqlite3_stmt *q, struct fault *why)
{
	int	 rc = sqlite3_step(q);
	enum status st = ST_OK;

	if (rc != SQLITE_DONE && rc != SQLITE_ROW)
		st = db_fault(s, why, sqlite3_sql(q));
	(void)sqlite3_reset(q);
	return st;
}

/* One integer from the first row, `otherwise` if there is no row or no value. */
static int64_t
first_int(sqlite3_stmt *q, int64_t otherwise)
{
	int64_t	value = otherwise;

	if (sqlite3_step(q) == SQLITE_ROW && sqlite3_column_type(q, 0) != SQLITE_NULL)
		value = sqlite3_column_int64(q, 0);
	(void)sqlite3_reset(q);
	return value;
}

static const char *
column(sqlite3_stmt *q, int i)
{
	const char	*text = (const char *)sqlite3_column_text(q, i);

	return text != NULL ? text : "";
}

/* ---- the group ---- */

void
store_set_on_dirty(struct store *s, void (*on_dirty)(void *), void *arg)
{
	s->on_dirty = on_dirty;
	s->on_dirty_arg = arg;
}

static enum status
join_group(struct store *s, struct fault *why)
{
	enum status	st;

	if (s->open_group)
		return ST_OK;
	if ((st = run(s, fresh(s, Q_BEGIN), why)) != ST_OK)
		return st;
	s->open_group = true;
	if (s->on_dirty != NULL)
		s->on_dirty(s->on_dirty_arg);
	return ST_OK;
}

enum status
store_when_durable(struct store *s, durable_fn *fn, void *arg)
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
	if (!s->open_group && s->on_dirty != NULL)
		s->on_dirty(s->on_dirty_arg);
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
		st = run(s, fresh(s, Q_COMMIT), &local);
		if (st != ST_OK && !sqlite3_get_autocommit(s->db))
			(void)run(s, fresh(s, Q_ROLLBACK), NULL);
		if (st != ST_OK) {		/* its row may be gone with the group */
			json_decref(s->last_spec);
			s->last_spec = NULL;
		}
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
	enum status	st = join_group(s, why);

	return st != ST_OK ? st : run(s, fresh(s, Q_MARK), why);
}

enum status
store_keep(struct store *s, struct fault *why)
{
	return run(s, fresh(s, Q_KEEP), why);
}

void
store_undo(struct store *s)
{
	json_decref(s->last_spec);
	s->last_spec = NULL;
	(void)run(s, fresh(s, Q_UNDO), NULL);
	(void)run(s, fresh(s, Q_KEEP), NULL);
}

/* ---- writing ---- */

static int64_t
fnv1a(const char *text)
{
	uint64_t	h = UINT64_C(0xcbf29ce484222325);

	for (; *text != '\0'; text++)
		h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return (int64_t)h;
}

/* The row of a spec's text, shared by all jobs that have the same one. */
static enum status
intern_spec(struct store *s, json_t *spec, int64_t *id, struct fault *why)
{
	enum status	 st = ST_OK;
	sqlite3_stmt	*q;
	char		*text;

	if (s->last_spec != NULL && (s->last_spec == spec || json_equal(s->last_spec, spec))) {
		*id = s->last_spec_id;
		return ST_OK;
	}
	if ((text = json_dumps(spec, JSON_COMPACT | JSON_SORT_KEYS)) == NULL)
		return fault_set(why, ST_NOMEM, "spec");
	q = fresh(s, Q_SPEC_FIND);
	(void)sqlite3_bind_int64(q, 1, fnv1a(text));
	bind_text(q, 2, text);
	if ((*id = first_int(q, 0)) == 0) {
		q = fresh(s, Q_SPEC_ADD);
		(void)sqlite3_bind_int64(q, 1, fnv1a(text));
		bind_text(q, 2, text);
		st = run(s, q, why);
		*id = sqlite3_last_insert_rowid(s->db);
	}
	free(text);
	if (st == ST_OK) {
		json_decref(s->last_spec);
		s->last_spec = json_incref(spec);
		s->last_spec_id = *id;
	}
	return st;
}

/* The job without its spec, sorted and compact: what a repeated key is compared by. */
static char *
rest_of(const json_t *doc)
{
	json_t	*rest = json_copy((json_t *)(uintptr_t)doc);
	char	*text;

	if (rest == NULL)
		return NULL;
	(void)json_object_del(rest, "spec");
	text = json_dumps(rest, JSON_COMPACT | JSON_SORT_KEYS);
	json_decref(rest);
	return text;
}

/* *id 0: this submitter has not used the key. */
static enum status
find_by_key(struct store *s, const struct new_job *j, int64_t spec_id, const char *rest, int64_t *id, struct fault *why)
{
	sqlite3_stmt	*q = fresh(s, Q_JOB_BY_KEY);
	enum status	 st = ST_OK;

	*id = 0;
	if (j->key[0] == '\0')
		return ST_OK;
	(void)sqlite3_bind_int64(q, 1, j->submitter);
	bind_text(q, 2, j->key);
	if (sqlite3_step(q) == SQLITE_ROW) {
		*id = sqlite3_column_int64(q, 0);
		if (sqlite3_column_int64(q, 1) != spec_id || strcmp(column(q, 2), rest) != 0) {
			st = fault_at(why, ST_CONFLICT, "key", "\"%s\" was used for job %" PRId64 ", which is another document",
			    j->key, *id);
			fault_hint(why, "use a new key for a new job");
		}
	}
	(void)sqlite3_reset(q);
	return st;
}

static enum status
insert_job(struct store *s, const struct new_job *j, int64_t spec_id, const char *rest, struct fault *why)
{
	sqlite3_stmt	*q = fresh(s, Q_JOB_ADD);

	if (j->sweep_id != 0)
		(void)sqlite3_bind_int64(q, 1, j->sweep_id);
	(void)sqlite3_bind_int64(q, 2, spec_id);
	(void)sqlite3_bind_int64(q, 3, j->submitter);
	(void)sqlite3_bind_double(q, 4, j->submitted);
	bind_text(q, 5, j->name);
	bind_text(q, 6, j->routine);
	if (j->key[0] != '\0')
		bind_text(q, 7, j->key);
	(void)sqlite3_bind_int(q, 8, j->priority);
	bind_text(q, 9, rest);
	return run(s, q, why);
}

enum status
store_add_job(struct store *s, const struct new_job *j, int64_t *id, bool *repeated, struct fault *why)
{
	json_t		*spec = json_object_get(j->doc, "spec");
	int64_t		 spec_id;
	char		*rest;
	enum status	 st;

	*repeated = false;
	if (spec == NULL)
		return fault_at(why, ST_BAD_SPEC, "spec", "missing");
	if ((st = join_group(s, why)) != ST_OK || (st = intern_spec(s, spec, &spec_id, why)) != ST_OK)
		return st;
	if ((rest = rest_of(j->doc)) == NULL)
		return fault_set(why, ST_NOMEM, "job");
	st = find_by_key(s, j, spec_id, rest, id, why);
	if (st == ST_OK && *id != 0)
		*repeated = true;
	else if (st == ST_OK && (st = insert_job(s, j, spec_id, rest, why)) == ST_OK)
		*id = sqlite3_last_insert_rowid(s->db);
	free(rest);
	return st;
}

enum status
store_add_sweep(struct store *s, const char *name, uid_t who, double submitted, const json_t *doc, int64_t *id,
    struct fault *why)
{
	sqlite3_stmt	*q;
	char		*text;
	enum status	 st;

	if ((st = join_group(s, why)) != ST_OK)
		return st;
	q = fresh(s, Q_SWEEP_BY_NAME);
	bind_text(q, 1, name);
	if ((*id = first_int(q, 0)) != 0) {
		st = fault_at(why, ST_CONFLICT, "name", "\"%s\" is already the name of sweep %" PRId64, name, *id);
		fault_hint(why, "choose another name");
		return st;
	}
	if ((text = json_dumps(doc, JSON_COMPACT)) == NULL)
		return fault_set(why, ST_NOMEM, "sweep");
	q = fresh(s, Q_SWEEP_ADD);
	bind_text(q, 1, name);
	(void)sqlite3_bind_int64(q, 2, who);
	(void)sqlite3_bind_double(q, 3, submitted);
	bind_text(q, 4, text);
	st = run(s, q, why);
	free(text);
	*id = sqlite3_last_insert_rowid(s->db);
	return st;
}

static enum status
close_job(struct store *s, int64_t job_id, struct fault *why)
{
	sqlite3_stmt	*q = fresh(s, Q_JOB_CLOSE);
	enum status	 st;

	(void)sqlite3_bind_int64(q, 1, job_id);
	if ((st = run(s, q, why)) == ST_OK && sqlite3_changes(s->db) != 1)
		st = fault_set(why, ST_CONFLICT, "job %" PRId64 " has a result already", job_id);
	return st;
}

static enum status
insert_result(struct store *s, int64_t job_id, enum status outcome, const json_t *result, struct fault *why)
{
	double		 value = json_number_value(json_object_get(json_object_get(result, "time"), "value_ns"));
	sqlite3_stmt	*q = fresh(s, Q_RESULT_ADD);
	char		*text = json_dumps(result, JSON_COMPACT);
	enum status	 st;

	if (text == NULL)
		return fault_set(why, ST_NOMEM, "result");
	(void)sqlite3_bind_int64(q, 1, job_id);
	bind_text(q, 2, status_word(outcome));
	(void)sqlite3_bind_double(q, 3, json_number_value(json_object_get(result, "finished")));
	if (value > 0)
		(void)sqlite3_bind_double(q, 4, value);
	bind_text(q, 5, text);
	st = run(s, q, why);
	free(text);
	return st;
}

enum status
store_add_result(struct store *s, int64_t job_id, enum status outcome, json_t *result, int64_t *cursor,
    struct fault *why)
{
	enum status	st;

	if ((st = store_mark(s, why)) != ST_OK)
		return st;
	*cursor = first_int(fresh(s, Q_CURSOR_LAST), 0) + 1;
	if (json_object_set_new(result, "cursor", json_integer(*cursor)) != 0)
		st = fault_set(why, ST_NOMEM, "result");
	if (st == ST_OK && (st = close_job(s, job_id, why)) == ST_OK)
		st = insert_result(s, job_id, outcome, result, why);
	if (st != ST_OK) {
		store_undo(s);
		return st;
	}
	*cursor = sqlite3_last_insert_rowid(s->db);
	return store_keep(s, why);
}

/* ---- reading ---- */

enum status
store_job_doc(struct store *s, int64_t id, json_t **doc, struct fault *why)
{
	sqlite3_stmt	*q = fresh(s, Q_JOB_DOC);
	json_t		*spec = NULL;
	enum status	 st = ST_OK;

	*doc = NULL;
	(void)sqlite3_bind_int64(q, 1, id);
	if (sqlite3_step(q) != SQLITE_ROW) {
		(void)sqlite3_reset(q);
		return fault_set(why, ST_NOT_FOUND, "there is no job %" PRId64, id);
	}
	*doc = json_loads(column(q, 0), 0, NULL);
	spec = json_loads(column(q, 1), 0, NULL);
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
store_each_unfinished(struct store *s, unfinished_fn *fn, void *arg, struct fault *why)
{
	sqlite3_stmt	*q = fresh(s, Q_JOBS_OPEN);
	enum status	 st = ST_OK;
	int		 rc;

	while (st == ST_OK && (rc = sqlite3_step(q)) == SQLITE_ROW) {
		struct unfinished	u = {
			.id = sqlite3_column_int64(q, 0), .sweep_id = sqlite3_column_int64(q, 1),
			.submitter = (uid_t)sqlite3_column_int64(q, 2), .submitted = sqlite3_column_double(q, 3),
		};

		st = fn(arg, &u);
	}
	if (st == ST_OK && rc != SQLITE_DONE)
		st = db_fault(s, why, "reading unfinished jobs");
	(void)sqlite3_reset(q);
	return st;
}

enum status
store_job(struct store *s, int64_t id, job_row_fn *fn, void *arg, struct fault *why)
{
	sqlite3_stmt	*q = fresh(s, Q_JOB_ROW);
	enum status	 st;

	(void)sqlite3_bind_int64(q, 1, id);
	if (sqlite3_step(q) != SQLITE_ROW) {
		st = fault_set(why, ST_NOT_FOUND, "there is no job %" PRId64, id);
	} else {
		struct job_row	row = {
			.id = id, .sweep_id = sqlite3_column_int64(q, 1), .sweep_name = column(q, 2),
			.name = column(q, 3), .submitter = (uid_t)sqlite3_column_int64(q, 4),
			.submitted = sqlite3_column_double(q, 5), .priority = sqlite3_column_int(q, 6),
			.status = (const char *)sqlite3_column_text(q, 7),
			.result = (const char *)sqlite3_column_text(q, 8),
		};

		st = fn(arg, &row);
	}
	(void)sqlite3_reset(q);
	return st;
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
		if (status_from_word(&st, column(q, 0)))
			by_status[st] += sqlite3_column_int64(q, 1);
	}
	(void)sqlite3_reset(q);
	return sum;
}

enum status
store_sweep(struct store *s, int64_t id, const char *name, struct sweep_row *row, struct fault *why)
{
	sqlite3_stmt	*q = fresh(s, id != 0 ? Q_SWEEP_BY_ID : Q_SWEEP_BY_NAME);

	memset(row, 0, sizeof *row);
	if (id != 0)
		(void)sqlite3_bind_int64(q, 1, id);
	else
		bind_text(q, 1, name);
	if (sqlite3_step(q) != SQLITE_ROW) {
		(void)sqlite3_reset(q);
		if (id != 0)
			return fault_set(why, ST_NOT_FOUND, "there is no sweep %" PRId64, id);
		return fault_set(why, ST_NOT_FOUND, "there is no sweep \"%s\"", name);
	}
	row->id = sqlite3_column_int64(q, 0);
	(void)snprintf(row->name, sizeof row->name, "%s", column(q, 1));
	row->submitter = (uid_t)sqlite3_column_int64(q, 2);
	row->submitted = sqlite3_column_double(q, 3);
	(void)sqlite3_reset(q);
	q = fresh(s, Q_SWEEP_JOBS);
	(void)sqlite3_bind_int64(q, 1, row->id);
	row->jobs = first_int(q, 0);
	q = fresh(s, Q_SWEEP_STATUS);
	(void)sqlite3_bind_int64(q, 1, row->id);
	row->finished = count_by_status(q, row->by_status);
	return ST_OK;
}

bool
store_sweep_name(struct store *s, int64_t id, char *buf, size_t bytes)
{
	sqlite3_stmt	*q = fresh(s, Q_SWEEP_BY_ID);
	bool		 found;

	(void)sqlite3_bind_int64(q, 1, id);
	if ((found = sqlite3_step(q) == SQLITE_ROW))
		(void)snprintf(buf, bytes, "%s", column(q, 1));
	(void)sqlite3_reset(q);
	return found;
}

enum status
store_totals(struct store *s, int64_t by_status[ST_N], int64_t *jobs, struct fault *why)
{
	(void)why;
	(void)count_by_status(fresh(s, Q_TOTAL_STATUS), by_status);
	*jobs = first_int(fresh(s, Q_TOTAL_JOBS), 0);
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

/* Only constants go into the text; values are bound by name. */
static void
put_filter(struct clause *c, const struct result_filter *f)
{
	static const char *const tail[] = {
		[ORDER_ID] = " AND cursor > :after ORDER BY cursor",
		[ORDER_NEWEST] = " AND (:after = 0 OR cursor < :after) ORDER BY cursor DESC",
		[ORDER_FASTEST] = " AND value_ns IS NOT NULL AND (value_ns, cursor) > (:value, :after)"
		    " ORDER BY value_ns, cursor",
	};

	put(c, "SELECT cursor, job_id, value_ns, json FROM results WHERE 1");
	if (f->sweep_id != 0)
		put(c, " AND sweep_id = :sweep");
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
		used += (size_t)snprintf(text + used, bytes - used, "%s%" PRId64, i != 0 ? "," : "", f->ids[i]);
	(void)snprintf(text + used, bytes - used, "]");
	return text;
}

static void
bind_filter(sqlite3_stmt *q, const struct result_filter *f, const char *ids)
{
#define AT(name) sqlite3_bind_parameter_index(q, name)	/* 0 when absent: binding it does nothing */
	(void)sqlite3_bind_int64(q, AT(":sweep"), f->sweep_id);
	(void)sqlite3_bind_text(q, AT(":ids"), ids, -1, SQLITE_STATIC);
	(void)sqlite3_bind_text(q, AT(":status"), f->status >= 0 ? status_word((enum status)f->status) : NULL, -1,
	    SQLITE_STATIC);
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
store_results(struct store *s, const struct result_filter *f, result_row_fn *fn, void *arg, struct fault *why)
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
		st = db_fault(s, why, c.sql);
		goto fail;
	}
	bind_filter(q, f, ids);
	while (st == ST_OK && (rc = sqlite3_step(q)) == SQLITE_ROW) {
		struct result_row	row = {
			.cursor = sqlite3_column_int64(q, 0), .job_id = sqlite3_column_int64(q, 1),
			.value_ns = sqlite3_column_double(q, 2), .json = column(q, 3),
			.json_bytes = (size_t)sqlite3_column_bytes(q, 3),
		};

		st = fn(arg, &row);
	}
	if (st == ST_OK && rc != SQLITE_DONE)
		st = db_fault(s, why, "reading results");
fail:
	(void)sqlite3_finalize(q);
	free(ids);
	return st;
}
