/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_STORE_STORE_IMPL_H
#define ASSAY_DAEMON_STORE_STORE_IMPL_H

#include <sqlite3.h>

#include "daemon/store/store.h"

/*
 * Shared by the store's own files: store.c (opening, the commit group), store_write.c,
 * store_read.c, store_host.c.
 */

/* Older daemons also kept calibrations that had found no plateau. */
#define CALIBRATION_HOLDS	"json_extract(json, '$.outcome') <> 'rising'"

/* Statements that are prepared once; store_results builds its own. */
#define STATEMENT_LIST(X) \
	X(BEGIN, "BEGIN IMMEDIATE") \
	X(COMMIT, "COMMIT") \
	X(ROLLBACK, "ROLLBACK") \
	X(MARK, "SAVEPOINT call") \
	X(KEEP, "RELEASE call") \
	X(UNDO, "ROLLBACK TO call") \
	X(SPEC_FIND, "SELECT id FROM specs WHERE hash = ?1 AND text = ?2") \
	X(SPEC_ADD, "INSERT INTO specs (hash, text) VALUES (?1, ?2)") \
	X(SWEEP_ADD, "INSERT INTO sweeps (name, submitter, submitted, doc)" \
	    " VALUES (?1, ?2, ?3, ?4)") \
	X(JOB_BY_KEY, "SELECT id, spec_id, doc FROM jobs WHERE submitter = ?1 AND key = ?2") \
	X(JOB_ADD, "INSERT INTO jobs (sweep_id, spec_id, submitter, submitted, name, routine," \
	    " key, priority, doc) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)") \
	X(JOB_DOC, "SELECT j.doc, s.text FROM jobs j JOIN specs s ON s.id = j.spec_id" \
	    " WHERE j.id = ?1") \
	X(JOBS_OPEN, "SELECT j.id, j.sweep_id, j.spec_id, w.name, s.text, j.doc, j.submitter," \
	    " j.submitted FROM jobs j JOIN specs s ON s.id = j.spec_id" \
	    " LEFT JOIN sweeps w ON w.id = j.sweep_id WHERE j.open = 1 ORDER BY j.id") \
	X(JOB_CLOSE, "UPDATE jobs SET open = 0 WHERE id = ?1 AND open = 1") \
	X(RESULT_ADD, "INSERT INTO results (job_id, sweep_id, submitter, status, name, routine," \
	    " finished, value_ns, json, estimator, cursor, spec_id)" \
	    " SELECT id, sweep_id, submitter, ?2, name, routine, ?3, ?4, ?5, ?6, ?7, spec_id" \
	    " FROM jobs" \
	    " WHERE id = ?1") \
	X(CURSOR_LAST, "SELECT seq FROM sqlite_sequence WHERE name = 'results'") \
	X(JOB_ROW, "SELECT j.id, j.sweep_id, w.name, j.name, j.submitter, j.submitted," \
	    " j.priority, r.status, r.json FROM jobs j LEFT JOIN sweeps w ON w.id = j.sweep_id" \
	    " LEFT JOIN results r ON r.job_id = j.id WHERE j.id = ?1") \
	X(JOB_HAS, "SELECT 1 FROM jobs WHERE id = ?1") \
	X(SWEEP_BY_ID, "SELECT id, name, submitter, submitted FROM sweeps WHERE id = ?1") \
	X(SWEEP_BY_NAME, "SELECT id, name, submitter, submitted, doc FROM sweeps WHERE name = ?1") \
	X(SWEEP_NEXT, "SELECT id, spec_id, doc FROM jobs WHERE sweep_id = ?1 AND id > ?2" \
	    " ORDER BY id LIMIT 1") \
	X(SWEEP_JOBS, "SELECT count(*) FROM jobs WHERE sweep_id = ?1") \
	X(SWEEP_STATUS, "SELECT status, count(*) FROM results WHERE sweep_id = ?1" \
	    " GROUP BY status") \
	X(SWEEP_ESTIMATORS, "SELECT DISTINCT estimator FROM results" \
	    " WHERE sweep_id = ?1 AND status = 'ok' AND estimator IS NOT NULL ORDER BY estimator") \
	X(SWEEP_CELL, "SELECT min(spec_id) FROM results" \
	    " WHERE sweep_id = ?1 AND value_ns IS NOT NULL AND spec_id > ?2") \
	X(TOTAL_STATUS, "SELECT status, count(*) FROM results GROUP BY status") \
	X(CALIBRATION_ADD, "INSERT INTO calibrations (machine, taken, flush_bytes, json)" \
	    " VALUES (?1, ?2, ?3, ?4)") \
	X(CALIBRATION_LAST, "SELECT (SELECT max(flush_bytes) FROM (SELECT flush_bytes" \
	    " FROM calibrations WHERE machine = ?1 AND " CALIBRATION_HOLDS \
	    " ORDER BY id DESC LIMIT ?2)), json FROM calibrations" \
	    " WHERE machine = ?1 AND " CALIBRATION_HOLDS " ORDER BY id DESC LIMIT 1") \
	X(YARDSTICK_ADD, "INSERT INTO reference_times (machine, kernel, taken, value_ns," \
	    " estimator, fitness, job_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)") \
	X(YARDSTICKS, "SELECT taken, value_ns, estimator, fitness, job_id FROM reference_times" \
	    " WHERE machine = ?1 AND kernel = ?2 ORDER BY id DESC LIMIT ?3") \
	X(QUIET_KEEP, "INSERT INTO quiet (machine, cpu, taken, fitness, json)" \
	    " VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (machine, cpu)" \
	    " DO UPDATE SET taken = ?3, fitness = ?4, json = ?5") \
	X(QUIET, "SELECT taken, json FROM quiet" \
	    " WHERE machine = ?1 AND cpu = ?2 AND fitness IS ?3") \
	X(TOTAL_JOBS, "SELECT count(*) FROM jobs")

enum statement {
#define X(name, sql) Q_##name,
	STATEMENT_LIST(X)
#undef X
	Q_N
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
	dirty_fn	*on_dirty;
	void		*on_dirty_arg;
	json_t		*last_spec;	/* owned reference: the last spec, */
	char		*last_spec_text;	/* owned; its stored text, */
	int64_t		 last_spec_id;	/* and its row */
	int64_t		 next_cursor;	/* of the next result; 0: to be looked up */
};

/* A prepared statement, reset and without bindings. */
sqlite3_stmt	*store_statement(struct store *, enum statement);
/* Borrowed until the next reset. */
void		 store_bind_text(sqlite3_stmt *, int at, const char *);
/* Rows are ignored. */
enum status	 store_run(struct store *, sqlite3_stmt *, struct fault *);
/* First column of the first row. */
int64_t		 store_first_int(sqlite3_stmt *, int64_t otherwise);
const char	*store_column(sqlite3_stmt *, int);				/* "" for NULL */
enum status	 store_fault(const struct store *, struct fault *, const char *doing);
enum status	 store_join_group(struct store *, struct fault *);	/* before any write */

#endif
