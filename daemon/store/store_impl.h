/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_DAEMON_STORE_STORE_IMPL_H
#define ASSAY_DAEMON_STORE_STORE_IMPL_H

#include <sys/queue.h>

#include <sqlite3.h>

#include "daemon/store/store.h"
#include "daemon/store/wal.h"
#include "proto/base/fault.h"

/*
 * Shared by the store's own files: store.c (opening, the commit group), store_lock.c (the lock of
 * another process), store_upgrade.c (migrations), and those of each subject.
 */

/* Older daemons also kept calibrations that had found no plateau. */
#define CALIBRATION_HOLDS	"json_extract(json, '$.outcome') <> 'rising'"

/* What the queue needs of a job, and of its sweep: 1 it is cancelled, 2 it has not arrived. */
#define WAITING_COLUMNS \
	"SELECT id, sweep_id, submitter, submitted, not_before, deadline, window_from," \
	" window_to, threads, retries, cancelled, bytes, coalesce((SELECT w.cancelled +" \
	" 2 * (w.arriving <> 0) FROM sweeps w WHERE w.id = sweep_id), 0), priority"

/* A yardstick (struct drift_mark), and a result that waits for its correction. */
#define YARDSTICK_COLUMNS \
	"SELECT boot, ended, value_ns, estimator, half, factor, reason FROM yardsticks"
#define RANK_COLUMNS	"SELECT cursor, at, boot, ended, value_ns, estimator FROM ranks"

#define NOTICE_COLUMNS \
	"SELECT id, sweep_id, what, target, state, ended, tries, next, reason FROM notices"

#define POINT_COLUMNS "SELECT p.cursor, p.job_id, p.spec_id, p.status, p.name, p.finished," \
	" coalesce(k.ranked_ns, p.value_ns), p.low_ns, p.high_ns, p.bound_ns, p.meta, p.revision," \
	" p.host_class, p.sweep_id, p.repeat_of FROM points p"

/* Statements that are prepared once; store_query.c builds its own. */
#define STATEMENT_LIST(X) \
	X(BEGIN, "BEGIN IMMEDIATE") \
	X(COMMIT, "COMMIT") \
	X(ROLLBACK, "ROLLBACK") \
	X(MARK, "SAVEPOINT call") \
	X(KEEP, "RELEASE call") \
	X(UNDO, "ROLLBACK TO call") \
	X(SPEC_FIND, "SELECT id FROM specs WHERE hash = ?1 AND text = ?2") \
	X(SPEC_ADD, "INSERT INTO specs (hash, text) VALUES (?1, ?2)") \
	X(SWEEP_ADD, "INSERT INTO sweeps (name, submitter, submitted, doc, corrects)" \
	    " VALUES (?1, ?2, ?3, ?4, ?5)") \
	X(JOB_BY_KEY, "SELECT j.id, j.spec_id, j.doc, j.sweep_id, w.arriving FROM jobs j" \
	    " LEFT JOIN sweeps w ON w.id = j.sweep_id WHERE j.submitter = ?1 AND j.key = ?2") \
	X(KEY_FREE, "UPDATE jobs SET key = NULL WHERE id = ?1") \
	X(JOB_ADD, "INSERT INTO jobs (sweep_id, spec_id, submitter, submitted, name, routine," \
	    " key, priority, doc, not_before, deadline, window_from, window_to, threads, retries," \
	    " sum, bytes, visibility)" \
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16," \
	    " ?17, ?18)") \
	X(JOB_DOC, "SELECT j.doc, s.text, j.sum, s.hash FROM jobs j" \
	    " JOIN specs s ON s.id = j.spec_id WHERE j.id = ?1") \
	X(JOB_TEXTS, "SELECT j.spec_id, w.name, s.text, j.doc FROM jobs j" \
	    " JOIN specs s ON s.id = j.spec_id LEFT JOIN sweeps w ON w.id = j.sweep_id" \
	    " WHERE j.id = ?1") \
	X(WAITING_COUNT, "SELECT (SELECT count(*) FROM jobs WHERE open = 1) -" \
	    " (SELECT count(*) FROM jobs WHERE sweep_id IN" \
	    " (SELECT id FROM sweeps WHERE arriving <> 0))") \
	X(WAITING_LAST, "SELECT max(id) FROM jobs") \
	X(WAITING_PRIORITY, "SELECT max(priority) FROM jobs WHERE open = 1 AND priority < ?1") \
	X(WAITING, WAITING_COLUMNS " FROM jobs INDEXED BY jobs_open" \
	    " WHERE open = 1 AND priority = ?1 AND id > ?2 AND id <= ?3 ORDER BY id LIMIT ?4") \
	X(WAITING_SWEEP, WAITING_COLUMNS " FROM jobs INDEXED BY jobs_sweep" \
	    " WHERE open = 1 AND sweep_id = ?1 AND id > ?2 ORDER BY id LIMIT ?4") \
	X(ARRIVAL_ADD, "INSERT INTO sweeps (name, submitter, submitted, doc, arriving, corrects)" \
	    " VALUES (?1, ?2, ?3, ?4, 1, ?5)") \
	X(ARRIVAL_END, "UPDATE sweeps SET arriving = 0 WHERE id = ?1 AND arriving = 1") \
	X(JOBS_COUNT, "INSERT INTO counters (sweep_id, what, n) VALUES (?1, 'jobs', ?2)" \
	    " ON CONFLICT DO UPDATE SET n = n + ?2") \
	X(ARRIVAL_GIVE_UP, "UPDATE sweeps SET arriving = 2, name = CAST(id AS TEXT)" \
	    " WHERE arriving = 1 AND (id = ?1 OR ?1 IS NULL)") \
	X(ARRIVAL_FIND, "SELECT id FROM sweeps WHERE arriving <> 0") \
	X(ARRIVAL_REMOVE, "DELETE FROM jobs WHERE id IN (SELECT id FROM jobs" \
	    " WHERE sweep_id = ?1 LIMIT ?2)" \
	    " AND (SELECT arriving FROM sweeps WHERE id = ?1) = 2") \
	X(ARRIVAL_FORGET, "DELETE FROM sweeps WHERE id = ?1 AND arriving = 2") \
	X(SWEEP_JOBS, "SELECT id FROM jobs WHERE sweep_id = ?1 ORDER BY id LIMIT ?2") \
	X(SHARE_ADD, "INSERT INTO users (uid, timed_s, virtual_s, day, day_s)" \
	    " VALUES (?1, ?2, ?3, ?4, ?2) ON CONFLICT (uid) DO UPDATE SET" \
	    " timed_s = timed_s + ?2, virtual_s = ?3, day = ?4," \
	    " day_s = iif(day = ?4, day_s, 0) + ?2") \
	X(SHARES, "SELECT uid, timed_s, virtual_s, day, day_s FROM users") \
	X(USER_NUMBER, "SELECT uid FROM user_numbers WHERE name = ?1") \
	X(USER_LAST, "SELECT max(uid) FROM user_numbers") \
	X(USER_ADD, "INSERT INTO user_numbers (name, uid) VALUES (?1, ?2)") \
	X(PAUSE_ADD, "INSERT OR IGNORE INTO pauses (what, id) VALUES (?1, ?2)") \
	X(PAUSE_END, "DELETE FROM pauses WHERE what = ?1 AND id = ?2") \
	X(PAUSES, "SELECT what, id FROM pauses") \
	X(JOB_CLOSE, "UPDATE jobs SET open = 0 WHERE id = ?1 AND open = 1") \
	X(JOB_CANCEL, "UPDATE jobs SET cancelled = 1 WHERE id = ?1 AND open = 1" \
	    " AND ?2 IN (-1, submitter)") \
	X(SWEEP_CANCEL, "UPDATE sweeps SET cancelled = 1 WHERE id = ?1") \
	X(RESULT_ADD, "INSERT INTO results (job_id, sweep_id, submitter, status, name, routine," \
	    " finished, value_ns, json, estimator, cursor, identity, sum, spec_id, visibility)" \
	    " SELECT id, sweep_id, submitter, ?2, name, routine, ?3, ?4, ?5, ?6, ?7, ?8, ?9," \
	    " spec_id, visibility FROM jobs WHERE id = ?1") \
	X(POINT_ADD, "INSERT INTO points SELECT ?2, id, sweep_id, spec_id, ?3, name, routine, ?4," \
	    " ?5, ?6, ?7, ?8, ?9, json_extract(?10, '$.revision'), ?10, ?11 FROM jobs" \
	    " WHERE id = ?1" \
	    " AND (sweep_id IS NOT NULL OR json_extract(?10, '$.revision') IS NOT NULL)") \
	X(TIMED, "SELECT job_id, json, cursor, sum FROM results WHERE identity = ?1" \
	    " ORDER BY cursor DESC LIMIT 1") \
	X(JOB_SWEEP, "SELECT w.id, w.corrects FROM jobs j JOIN sweeps w ON w.id = j.sweep_id" \
	    " WHERE j.id = ?1") \
	X(DRIFT_ADD, "INSERT INTO yardsticks (sweep_id, cursor, job_id, finished, boot, ended," \
	    " value_ns, estimator, half, factor, reason, settled)" \
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)") \
	X(DRIFT, "SELECT timings, first_ns, last_ns, worst FROM drifts WHERE sweep_id = ?1") \
	X(YARDSTICK_FIRST, YARDSTICK_COLUMNS " WHERE sweep_id = ?1 AND cursor > ?2" \
	    " AND value_ns IS NOT NULL ORDER BY cursor LIMIT 1") \
	X(YARDSTICK_BEFORE, YARDSTICK_COLUMNS " WHERE sweep_id = ?1 AND cursor <= ?2" \
	    " ORDER BY cursor DESC LIMIT 1") \
	X(YARDSTICK_AFTER, YARDSTICK_COLUMNS " WHERE sweep_id = ?1 AND cursor > ?2" \
	    " ORDER BY cursor LIMIT 1") \
	X(YARDSTICK_TIMES, "SELECT value_ns FROM yardsticks WHERE sweep_id = ?1" \
	    " AND estimator = ?2 AND value_ns IS NOT NULL ORDER BY cursor DESC LIMIT ?3") \
	X(YARDSTICK_OPEN, "SELECT sweep_id, cursor FROM yardsticks INDEXED BY yardsticks_open" \
	    " WHERE settled = 0 ORDER BY sweep_id, cursor LIMIT 1") \
	X(YARDSTICK_SETTLED, "UPDATE yardsticks SET settled = 1" \
	    " WHERE sweep_id = ?1 AND cursor = ?2") \
	X(RANK_ORIGIN, "SELECT o.cursor, coalesce(k.boot, y.boot), coalesce(k.ended, y.ended)" \
	    " FROM results o LEFT JOIN ranks k ON k.cursor = o.cursor" \
	    " LEFT JOIN yardsticks y ON y.sweep_id = o.sweep_id AND y.cursor = o.cursor" \
	    " WHERE o.job_id = ?1 AND o.sweep_id = ?2 AND coalesce(k.boot, y.boot) IS NOT NULL") \
	X(RANK_ADD, "INSERT INTO ranks (cursor, job_id, sweep_id, spec_id, submitter, status," \
	    " name, routine, finished, at, boot, ended, estimator, value_ns, ranked_ns, how)" \
	    " SELECT cursor, job_id, sweep_id, spec_id, submitter, status, name, routine," \
	    " finished, ?2, ?3, ?4, coalesce(estimator, ''), value_ns, value_ns, ?5" \
	    " FROM results WHERE cursor = ?1 AND value_ns IS NOT NULL") \
	X(RANKS_WAITING, RANK_COLUMNS " INDEXED BY ranks_waiting WHERE sweep_id = ?1" \
	    " AND how = 'waiting' AND at < ?2 ORDER BY at LIMIT ?3") \
	X(RANK_ONE, RANK_COLUMNS " WHERE cursor = ?1") \
	X(RANK_CORRECT, "UPDATE ranks SET how = ?2, factor = ?3, ranked_ns = ?4" \
	    " WHERE cursor = ?1") \
	X(RANK_REFUSE, "UPDATE ranks SET how = ?2 WHERE cursor = ?1") \
	X(CORRECTIONS, "SELECT c.how, c.n, c.least, c.most FROM sweeps w" \
	    " LEFT JOIN corrections c ON c.sweep_id = w.id AND c.n > 0" \
	    " WHERE w.id = ?1 AND w.corrects = 1") \
	X(SWEEP_DOC, "SELECT doc FROM sweeps WHERE id = ?1 AND arriving <> 2") \
	X(NOTICE_WAITING, "SELECT min(sweep_id) FROM notices INDEXED BY notices_waiting" \
	    " WHERE state = 'waiting' AND sweep_id > ?1") \
	X(NOTICE_DUE, "UPDATE notices SET state = 'due', ended = ?2, next = ?2" \
	    " WHERE sweep_id = ?1 AND state = 'waiting'") \
	X(NOTICES_DUE, NOTICE_COLUMNS " WHERE state = 'due' AND next <= ?1" \
	    " AND (what = 'command' OR ?3)" \
	    " ORDER BY next, id LIMIT ?2") \
	X(NOTICES_OF, NOTICE_COLUMNS " WHERE sweep_id = ?1 ORDER BY id") \
	X(NOTICE_SET, "UPDATE notices SET state = ?2, tries = ?3, next = ?4, reason = ?5" \
	    " WHERE id = ?1") \
	X(NOTICE_DROP, "DELETE FROM notices WHERE id = ?1") \
	X(NAMES_REPEAT, "SELECT EXISTS (SELECT 1 FROM points INDEXED BY points_sweep" \
	    " WHERE sweep_id = ?1 GROUP BY name HAVING count(*) > 1)") \
	X(SWEEP_NAMES, "SELECT name FROM points INDEXED BY points_sweep" \
	    " WHERE sweep_id = ?1 GROUP BY name ORDER BY min(cursor)") \
	X(SWEEP_ENDED, "SELECT job_id FROM points INDEXED BY points_sweep" \
	    " WHERE sweep_id = ?1 ORDER BY cursor") \
	X(NOISE, "SELECT identities, timings, squares FROM noise WHERE sweep_id = ?1") \
	X(CURSOR_LAST, "SELECT seq FROM sqlite_sequence WHERE name = 'results'") \
	X(JOB_ROW, "SELECT j.id, j.sweep_id, w.name, j.name, j.submitter, j.submitted," \
	    " j.priority, r.status, r.json, r.sum, r.cursor, k.how, k.ranked_ns," \
	    " coalesce(h.visibility, j.visibility)" \
	    " FROM jobs j LEFT JOIN sweep_readers h ON h.sweep_id = j.sweep_id" \
	    " LEFT JOIN sweeps w ON w.id = j.sweep_id" \
	    " LEFT JOIN results r ON r.job_id = j.id" \
	    " LEFT JOIN ranks k ON k.cursor = r.cursor WHERE j.id = ?1") \
	X(JOB_OLDEST, "SELECT submitted FROM jobs WHERE open = 1 ORDER BY id LIMIT 1") \
	X(JOB_HAS, "SELECT 1 FROM jobs WHERE id = ?1") \
	X(PRUNE_NEXT, "SELECT finished, cursor, job_id, sweep_id, spec_id, submitter FROM results" \
	    " INDEXED BY results_finished WHERE (finished, cursor) > (?1, ?2) AND finished < ?3" \
	    " AND cursor <= ?4 ORDER BY finished, cursor LIMIT ?5") \
	X(PRUNE_COUNT, "SELECT count(*) FROM results WHERE finished < ?1 AND cursor <= ?2" \
	    " AND ?3 IN (0, sweep_id) AND ?4 IN (-1, submitter)") \
	X(PRUNE_RESULT, "DELETE FROM results WHERE cursor = ?1") \
	X(PRUNE_JOB, "DELETE FROM jobs WHERE id = ?1") \
	X(PRUNE_SPEC, "DELETE FROM specs WHERE id = ?1 AND id < (SELECT max(id) FROM specs)" \
	    " AND NOT EXISTS (SELECT 1 FROM jobs WHERE spec_id = ?1)") \
	X(PRUNE_SWEEP, "DELETE FROM sweeps WHERE id = ?1 AND arriving = 0" \
	    " AND NOT EXISTS (SELECT 1 FROM jobs WHERE sweep_id = ?1)") \
	X(PRUNE_COUNTERS, "DELETE FROM counters WHERE sweep_id = ?1") \
	X(PRUNE_REPEATS, "DELETE FROM repeats WHERE sweep_id = ?1") \
	X(JOB_LAST, "SELECT seq FROM sqlite_sequence WHERE name = 'jobs'") \
	X(JOBS_MISSING, "SELECT (SELECT seq FROM sqlite_sequence WHERE name = 'jobs')" \
	    " - (n - pruned) FROM counters WHERE sweep_id = 0 AND what = 'jobs'") \
	X(SWEEP_BY_ID, "SELECT id, name, submitter, submitted, NULL, corrects FROM sweeps" \
	    " WHERE id = ?1 AND arriving <> 2") \
	X(SWEEP_BY_NAME, "SELECT id, name, submitter, submitted, doc, corrects FROM sweeps" \
	    " WHERE name = ?1 AND arriving <> 2") \
	X(SWEEP_LIST, "SELECT id, name, submitter, submitted, cancelled, arriving FROM sweeps" \
	    " INDEXED BY sweeps_list WHERE id < ?1 AND arriving <> 2 AND ?2 IN (-1, submitter)" \
	    " AND (?3 IS NULL OR instr(lower(name), lower(?3))) ORDER BY id DESC") \
	X(SWEEP_NEXT, "SELECT id, spec_id, doc FROM jobs WHERE sweep_id = ?1 AND id > ?2" \
	    " ORDER BY id LIMIT 1") \
	X(COUNTERS, "SELECT what, n FROM counters WHERE sweep_id = ?1") \
	X(SWEEP_ESTIMATOR, "SELECT min(estimator) FROM results" \
	    " WHERE sweep_id = ?1 AND status = 'ok' AND estimator > ?2") \
	X(SWEEP_CELL, "SELECT min(spec_id) FROM results" \
	    " WHERE sweep_id = ?1 AND value_ns IS NOT NULL AND spec_id > ?2") \
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
	X(ROW, "SELECT job_id, json, sum, submitter, visibility, coalesce(sweep_id, 0)" \
	    " FROM results WHERE cursor = ?1") \
	X(SEEN_BY, "SELECT visibility FROM sweep_readers WHERE sweep_id = ?1") \
	X(SWEEP_SEEN_BY, "SELECT coalesce(r.visibility, (SELECT visibility FROM jobs" \
	    " INDEXED BY jobs_sweep WHERE sweep_id = ?1 LIMIT 1), '\"private\"')" \
	    " FROM sweeps w LEFT JOIN sweep_readers r ON r.sweep_id = w.id WHERE w.id = ?1") \
	X(SEEN_BY_SET, "INSERT OR REPLACE INTO sweep_readers (sweep_id, visibility)" \
	    " VALUES (?1, ?2)") \
	X(RANK, "SELECT how, ranked_ns FROM ranks WHERE cursor = ?1") \
	X(POINTS, POINT_COLUMNS " LEFT JOIN ranks k ON k.cursor = p.cursor" \
	    " WHERE p.sweep_id = ?1 AND p.cursor > ?2 ORDER BY p.cursor LIMIT ?3") \
	X(HISTORY, POINT_COLUMNS " INDEXED BY points_history" \
	    " LEFT JOIN ranks k ON k.cursor = p.cursor WHERE p.routine = ?1 AND p.name = ?2" \
	    " AND p.revision IS NOT NULL ORDER BY p.cursor DESC LIMIT ?3") \
	X(KERNELS, "SELECT routine, name, count(*), count(DISTINCT revision), max(finished)" \
	    " FROM points INDEXED BY points_history WHERE revision IS NOT NULL" \
	    " GROUP BY routine, name ORDER BY max(finished) DESC LIMIT ?1") \
	X(SPEC_TEXT, "SELECT text FROM specs WHERE id = ?1") \
	X(ROW_JOB, "SELECT job_id FROM results WHERE cursor = ?1") \
	X(SPAN_SINCE, "SELECT block FROM spans WHERE last >= ?1 ORDER BY block LIMIT 1") \
	X(SPAN_BEFORE, "SELECT block FROM spans WHERE first < ?1 ORDER BY block DESC LIMIT 1")

/* For which a statement waits for a lock, on the event loop. */
enum { STORE_BUSY_MS = 5 };

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

struct held;
STAILQ_HEAD(held_list, held);

struct store_file_id {
	dev_t		 device;
	ino_t		 inode;		/* 0: not seen yet */
};

struct kept_rows;

struct store {
	sqlite3		*db;		/* owned */
	struct wal	*wal;		/* owned; NULL: a reader's */
	char		*path;		/* owned */
	sqlite3_stmt	*q[Q_N];	/* owned */
	char		*seen_by;	/* owned; of store_seen_by */
	struct kept_rows *rows;		/* owned; of a reader; NULL: none are kept */
	sqlite3_stmt	*query;		/* owned; the last of store_query.c; NULL: in use, none */
	bool		 open_group;	/* a transaction is open */
	struct waiter	*waiters;	/* owned */
	size_t		 nwaiters, max_waiters;
	bool		 is_locked;	/* by another process: no transaction can begin */
	struct held_list held;		/* owned; writes that wait for the lock */
	dirty_fn	*on_dirty;
	void		*on_dirty_arg;
	json_t		*last_spec;	/* owned reference: the last spec, */
	char		*last_spec_text;	/* owned; its stored text, */
	int64_t		 last_spec_id;	/* and its row */
	int64_t		 boot;		/* of the host */
	int64_t		 next_cursor;	/* of the next result; 0: to be looked up */
	unsigned	 marks;		/* open ones */
	int64_t		 uncounted, uncounted_sweep;	/* new jobs since the last mark */
	bool		(*is_over)(void *);	/* of a reader: its reading is to end; NULL: no */
	void		*over_arg;
	struct store_file_id main_file, wal_file;	/* as they were at the start */
	bool		 is_failing;	/* the last commit failed */
	struct fault	 failure;	/* its reason */
};

/*
 * Checksum of a text, and of the number of its row: a text in the place of another is found, too.
 * NULL in a column: written by an older version.
 */
int64_t		 store_sum(int64_t row, const char *text);
/* Is the text in column `text` as it was written?  Without a checksum: is it JSON? */
bool		 store_is_whole(sqlite3_stmt *, int text, int sum, int64_t row);
enum status	 store_damaged(const struct store *, struct fault *, const char *what, int64_t id);

/* To the newest version of the schema, with a copy of an older database. */
enum status	 store_upgrade(struct store *, struct fault *);

/* Results that were read before, see store_rows.c.  NULL is fine for all. */
struct kept_rows *kept_rows_new(void);
void		 kept_rows_free(struct kept_rows *);
const struct result_row *kept_row(struct kept_rows *, int64_t cursor);	/* NULL: not there */
void		 keep_row(struct kept_rows *, const struct result_row *);

/* Counts jobs of a sweep (0: none) in its counter, and in that of all. */
enum status	 store_count_jobs(struct store *, int64_t sweep_id, int64_t jobs, struct fault *);
/* A new job, to be counted when the writes since the last mark are kept. */
enum status	 store_count_job(struct store *, int64_t sweep_id, struct fault *);
enum status	 store_count_kept(struct store *, struct fault *);

/* Of a sweep, or of all (0): jobs, and results by outcome; returns the number of results. */
int64_t		 store_counters(struct store *, int64_t sweep_id, int64_t *jobs,
		    int64_t by_status[ST_N]);

/* A read-only connection, for one thread at a time. */
enum status	 store_open_reader(struct store **, const char *path, struct fault *);
bool		 store_is_over(const struct store *);

/* The spec whose row is known: it may be gone. */
void		 store_forget_spec(struct store *);

/* A prepared statement, reset and without bindings. */
sqlite3_stmt	*store_statement(struct store *, enum statement);
/* Borrowed until the next reset. */
void		 store_bind_text(sqlite3_stmt *, int at, const char *);
/* What a stored result means for its sweep's yardsticks and its corrected ranking. */
enum status	 store_note_timing(struct store *, const struct new_result *, struct fault *);
int64_t		 store_this_boot(void);		/* of the host; 0: unknown */
/* Rows are ignored. */
enum status	 store_run(struct store *, sqlite3_stmt *, struct fault *);
/* First column of the first row. */
int64_t		 store_first_int(sqlite3_stmt *, int64_t otherwise);
const char	*store_column(sqlite3_stmt *, int);				/* "" for NULL */
/* Of Q_JOB_ADD. */
void		 store_bind_terms(sqlite3_stmt *, const struct job_terms *);
/* ST_CONFLICT: the name is this sweep's. */
enum status	 store_refuse_name(struct store *, int64_t sweep_id, struct fault *);
/* how: Q_SWEEP_ADD or Q_ARRIVAL_ADD. */
enum status	 store_insert_sweep(struct store *, enum statement how, const char *name, uid_t,
		    double submitted, const json_t *doc, struct fault *);
/* The time that a result took of a slot. */
enum status	 store_note_share(struct store *, const struct new_result *, struct fault *);
enum status	 store_fault(const struct store *, struct fault *, const char *doing);
/* ST_IO: the database's file is another one now, or gone. */
enum status	 store_still_there(struct store *, struct fault *);
/* What became of a commit, for store_takes_commits; why: when it failed. */
void		 store_note_commit(struct store *, enum status, const struct fault *why);
int		 store_version(const struct store *);	/* of its schema; -1: unreadable */
/* Before any write.  ST_UNAVAILABLE: the database is locked. */
enum status	 store_join_group(struct store *, struct fault *);

#endif
