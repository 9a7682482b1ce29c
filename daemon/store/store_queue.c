/* SPDX-License-Identifier: Apache-2.0 */
/* What the queue keeps on disk: terms and texts of jobs, the users' shares, and pauses. */
#include <inttypes.h>
#include <string.h>

#include "daemon/store/store_impl.h"

enum { DAY_S = 24 * 60 * 60 };

void
store_bind_terms(sqlite3_stmt *q, const struct job_terms *t)
{
	(void)sqlite3_bind_int(q, 8, t->priority);
	(void)sqlite3_bind_int64(q, 10, t->not_before);
	(void)sqlite3_bind_int64(q, 11, t->deadline);
	(void)sqlite3_bind_int(q, 12, t->window_from);
	(void)sqlite3_bind_int(q, 13, t->window_to);
	(void)sqlite3_bind_int64(q, 14, t->threads);
	(void)sqlite3_bind_int64(q, 15, t->retries);
}

/* A statement that stayed open here would keep SQLite from every checkpoint. */
enum status
store_job_texts(struct store *s, int64_t id, job_texts_fn *fn, void *arg, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_JOB_TEXTS);
	enum status	 st;
	int		 rc;

	(void)sqlite3_bind_int64(q, 1, id);
	if ((rc = sqlite3_step(q)) == SQLITE_ROW) {
		const struct job_texts	t = { .spec_id = sqlite3_column_int64(q, 0),
			.sweep_name = store_column(q, 1), .spec = store_column(q, 2),
			.rest = store_column(q, 3) };

		st = fn(arg, &t, why);
	} else if (rc == SQLITE_DONE) {
		st = fault_set(why, ST_NOT_FOUND, "there is no job %" PRId64, id);
	} else {
		st = store_fault(s, why, "reading a job");
	}
	(void)sqlite3_reset(q);
	return st;
}

/* ---- after a restart ---- */

/* The next lower priority that jobs have. */
static void
next_priority(struct store *s, struct waiting_reader *r, int64_t below)
{
	sqlite3_stmt	*q = store_statement(s, Q_WAITING_PRIORITY);
	int64_t		 priority;

	(void)sqlite3_bind_int64(q, 1, below);
	priority = store_first_int(q, INT64_MIN);
	r->is_over = priority == INT64_MIN;
	r->priority = (int)priority;
	r->after = 0;
}

enum status
store_waiting_start(struct store *s, struct waiting_reader *r, size_t *n, struct fault *why)
{
	int64_t	count = store_first_int(store_statement(s, Q_WAITING_COUNT), INT64_MIN);

	if (count == INT64_MIN)
		return store_fault(s, why, "counting the jobs that wait");
	if (count < 0)
		return store_damaged(s, why, "the number of waiting jobs,", count);
	*r = (struct waiting_reader){
		.last_id = store_first_int(store_statement(s, Q_WAITING_LAST), 0) };
	*n = (size_t)count;
	next_priority(s, r, INT64_MAX);
	return ST_OK;
}

/* Of the sweep: it is cancelled; it has not arrived. */
enum { SWEEP_CANCELLED = 1, SWEEP_ARRIVING = 2 };

static struct waiting_job
read_row(sqlite3_stmt *q)
{
	return (struct waiting_job){
		.id = sqlite3_column_int64(q, 0), .sweep_id = sqlite3_column_int64(q, 1),
		.submitter = (uid_t)sqlite3_column_int64(q, 2),
		.submitted = sqlite3_column_double(q, 3),
		.cancelled = sqlite3_column_int(q, 10) != 0 ||
		    (sqlite3_column_int(q, 12) & SWEEP_CANCELLED) != 0,
		.bytes = (uint32_t)sqlite3_column_int64(q, 11),
		.terms = { .priority = sqlite3_column_int(q, 13),
		    .not_before = sqlite3_column_int64(q, 4),
		    .deadline = sqlite3_column_int64(q, 5),
		    .window_from = sqlite3_column_int(q, 6),
		    .window_to = sqlite3_column_int(q, 7),
		    .threads = (unsigned)sqlite3_column_int64(q, 8),
		    .retries = (unsigned)sqlite3_column_int64(q, 9) },
	};
}

static sqlite3_stmt *
next_rows(struct store *s, const struct waiting_reader *r, size_t limit)
{
	sqlite3_stmt	*q = store_statement(s, r->sweep_id != 0 ? Q_WAITING_SWEEP : Q_WAITING);

	if (r->sweep_id != 0) {
		(void)sqlite3_bind_int64(q, 1, r->sweep_id);
	} else {
		(void)sqlite3_bind_int(q, 1, r->priority);
		(void)sqlite3_bind_int64(q, 3, r->last_id);
	}
	(void)sqlite3_bind_int64(q, 2, r->after);
	(void)sqlite3_bind_int64(q, 4, (int64_t)limit);
	return q;
}

enum status
store_waiting_read(struct store *s, struct waiting_reader *r, size_t limit, waiting_fn *fn,
    void *arg, struct fault *why)
{
	sqlite3_stmt	*q = next_rows(s, r, limit);
	enum status	 st = ST_OK;
	size_t		 n = 0;
	int		 rc = SQLITE_DONE;

	while (st == ST_OK && (rc = sqlite3_step(q)) == SQLITE_ROW) {
		const struct waiting_job	j = read_row(q);

		if ((sqlite3_column_int(q, 12) & SWEEP_ARRIVING) == 0)
			st = fn(arg, &j);
		r->after = j.id;
		n++;
	}
	if (st == ST_OK && rc != SQLITE_DONE)
		st = store_fault(s, why, "reading the jobs that wait");
	(void)sqlite3_reset(q);
	if (st == ST_OK && n < limit && r->sweep_id != 0)
		r->is_over = true;
	else if (st == ST_OK && n < limit)
		next_priority(s, r, r->priority);
	return st;
}

/* ---- shares ---- */

enum status
store_note_share(struct store *s, const struct new_result *r, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_SHARE_ADD);

	(void)sqlite3_bind_int64(q, 1, r->submitter);
	(void)sqlite3_bind_double(q, 2, r->timed_s);
	(void)sqlite3_bind_double(q, 3, r->virtual_s);
	(void)sqlite3_bind_int64(q, 4, (int64_t)r->finished / DAY_S);
	return store_run(s, q, why);
}

void
store_each_share(struct store *s, share_fn *fn, void *arg)
{
	sqlite3_stmt	*q = store_statement(s, Q_SHARES);

	while (sqlite3_step(q) == SQLITE_ROW) {
		const struct user_share	u = { .uid = (uid_t)sqlite3_column_int64(q, 0),
			.timed_s = sqlite3_column_double(q, 1),
			.virtual_s = sqlite3_column_double(q, 2),
			.day = sqlite3_column_int64(q, 3), .day_s = sqlite3_column_double(q, 4) };

		fn(arg, &u);
	}
	(void)sqlite3_reset(q);
}

/* ---- numbers ---- */

enum status
store_user_number(struct store *s, const char *name, uid_t first, uid_t last, uid_t *uid,
    struct fault *why)
{
	sqlite3_stmt	*q;
	int64_t		 number;
	enum status	 st = store_join_group(s, why);

	if (st != ST_OK)
		return st;
	q = store_statement(s, Q_USER_NUMBER);
	store_bind_text(q, 1, name);
	if ((number = store_first_int(q, 0)) == 0) {
		number = store_first_int(store_statement(s, Q_USER_LAST), 0) + 1;
		if (number < (int64_t)first)
			number = (int64_t)first;
		if (number > (int64_t)last)
			return fault_set(why, ST_FULL, "no number is left for user %s", name);
		q = store_statement(s, Q_USER_ADD);
		store_bind_text(q, 1, name);
		(void)sqlite3_bind_int64(q, 2, number);
		st = store_run(s, q, why);
	}
	*uid = (uid_t)number;
	return st;
}

/* ---- pauses ---- */

static const char *const pause_words[PAUSE_NONE] = { "all", "user", "sweep" };

enum status
store_set_pause(struct store *s, const struct pause *p, bool is_on, struct fault *why)
{
	sqlite3_stmt	*q;
	enum status	 st = store_join_group(s, why);

	if (st != ST_OK)
		return st;
	q = store_statement(s, is_on ? Q_PAUSE_ADD : Q_PAUSE_END);
	store_bind_text(q, 1, pause_words[p->kind]);
	(void)sqlite3_bind_int64(q, 2, p->id);
	return store_run(s, q, why);
}

static struct pause
read_pause(sqlite3_stmt *q)
{
	struct pause	p = { .kind = PAUSE_ALL, .id = sqlite3_column_int64(q, 1) };

	while (p.kind < PAUSE_NONE && strcmp(pause_words[p.kind], store_column(q, 0)) != 0)
		p.kind++;
	return p;
}

enum status
store_each_pause(struct store *s, pause_fn *fn, void *arg, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_PAUSES);
	enum status	 st = ST_OK;
	int		 rc = SQLITE_DONE;

	while (st == ST_OK && (rc = sqlite3_step(q)) == SQLITE_ROW) {
		const struct pause	p = read_pause(q);

		st = fn(arg, &p);
	}
	if (st != ST_OK)
		(void)fault_set(why, st, "reading what is paused");
	else if (rc != SQLITE_DONE)
		st = store_fault(s, why, "reading what is paused");
	(void)sqlite3_reset(q);
	return st;
}
