/* SPDX-License-Identifier: Apache-2.0 */
/* A sweep's yardsticks, and its ranking as these correct it (daemon/store/drift.h). */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "daemon/store/store_correct.h"
#include "daemon/store/store_impl.h"
#include "proto/base/clock.h"
#include "proto/base/fnv.h"

enum { ROWS = 32, AT_ONCE = 4 };	/* of a step; steps in the yardstick's own transaction */

/* A row of ranks that is not settled. */
struct unsettled {
	int64_t			 cursor, timed;	/* timed: the cursor of the timing */
	struct drift_moment	 at;
	double			 value_ns;
	char			 estimator[DRIFT_ESTIMATOR_BYTES];
};

int64_t
store_this_boot(void)
{
	char	 id[64] = "";
	FILE	*f = fopen("/proc/sys/kernel/random/boot_id", "re");

	if (f == NULL)
		return 0;
	if (fgets(id, sizeof id, f) == NULL)
		id[0] = '\0';
	(void)fclose(f);
	return (int64_t)fnv1a(id);
}

/* NaN is NULL. */
static void
bind_real(sqlite3_stmt *q, int at, double x)
{
	if (isnan(x))
		(void)sqlite3_bind_null(q, at);
	else
		(void)sqlite3_bind_double(q, at, x);
}

static double
real_column(sqlite3_stmt *q, int at)
{
	return sqlite3_column_type(q, at) == SQLITE_NULL ? NAN : sqlite3_column_double(q, at);
}

/* ---- yardsticks ---- */

/* A row of YARDSTICK_COLUMNS; false: there is none. */
static bool
read_mark(sqlite3_stmt *q, struct drift_mark *m)
{
	const bool	found = sqlite3_step(q) == SQLITE_ROW;

	if (found) {
		*m = (struct drift_mark){ .at = { sqlite3_column_int64(q, 0),
		    sqlite3_column_double(q, 1) }, .ns = real_column(q, 2),
		    .half = real_column(q, 4), .factor = real_column(q, 5),
		    .reason = correction_of(store_column(q, 6)) };
		(void)snprintf(m->estimator, sizeof m->estimator, "%s", store_column(q, 3));
	}
	(void)sqlite3_reset(q);
	return found;
}

/* The sweep's yardstick next to a cursor; false: there is none. */
static bool
find_mark(struct store *s, enum statement which, int64_t sweep_id, int64_t cursor,
    struct drift_mark *m)
{
	sqlite3_stmt	*q = store_statement(s, which);

	(void)sqlite3_bind_int64(q, 1, sweep_id);
	(void)sqlite3_bind_int64(q, 2, cursor);
	return read_mark(q, m);
}

/* The last times of the same kind and its own, in order; returns how many. */
static size_t
history(struct store *s, int64_t sweep_id, const struct drift_mark *m, double ns[DRIFT_HISTORY])
{
	sqlite3_stmt	*q = store_statement(s, Q_YARDSTICK_TIMES);
	size_t		 n = DRIFT_HISTORY;

	ns[--n] = m->ns;
	(void)sqlite3_bind_int64(q, 1, sweep_id);
	store_bind_text(q, 2, m->estimator);
	(void)sqlite3_bind_int(q, 3, DRIFT_HISTORY - 1);
	while (n > 0 && sqlite3_step(q) == SQLITE_ROW)
		ns[--n] = sqlite3_column_double(q, 0);
	(void)sqlite3_reset(q);
	(void)memmove(ns, ns + n, (DRIFT_HISTORY - n) * sizeof *ns);
	return DRIFT_HISTORY - n;
}

static void
judge_mark(struct store *s, int64_t sweep_id, const struct new_result *r, struct drift_mark *m)
{
	const bool		is_ok = r->outcome == ST_OK && r->value_ns > 0;
	struct drift_mark	first;
	double			ns[DRIFT_HISTORY];

	*m = (struct drift_mark){ .at = { s->boot, r->ended }, .ns = is_ok ? r->value_ns : NAN,
	    .half = r->half };
	(void)snprintf(m->estimator, sizeof m->estimator, "%s",
	    r->estimator != NULL ? r->estimator : "");
	if (!find_mark(s, Q_YARDSTICK_FIRST, sweep_id, 0, &first))
		first = *m;
	drift_judge(m, &first, ns, is_ok ? history(s, sweep_id, m, ns) : 0);
}

static enum status
add_yardstick(struct store *s, int64_t sweep_id, bool corrects, const struct new_result *r,
    struct fault *why)
{
	sqlite3_stmt		*q;
	struct drift_mark	 m;

	judge_mark(s, sweep_id, r, &m);
	q = store_statement(s, Q_DRIFT_ADD);
	(void)sqlite3_bind_int64(q, 1, sweep_id);
	(void)sqlite3_bind_int64(q, 2, r->cursor);
	(void)sqlite3_bind_int64(q, 3, r->job_id);
	(void)sqlite3_bind_double(q, 4, r->finished);
	(void)sqlite3_bind_int64(q, 5, m.at.boot);
	(void)sqlite3_bind_double(q, 6, m.at.ended);
	bind_real(q, 7, m.ns);
	store_bind_text(q, 8, m.estimator);
	bind_real(q, 9, m.half);
	bind_real(q, 10, m.factor);
	store_bind_text(q, 11, correction_word(m.reason));
	(void)sqlite3_bind_int(q, 12, !corrects);
	return store_run(s, q, why);
}

/* ---- corrections ---- */

static enum status
settle(struct store *s, int64_t sweep_id, const struct unsettled *u, struct fault *why)
{
	struct drift_mark	 before, after;
	const bool		 follows = find_mark(s, Q_YARDSTICK_BEFORE, sweep_id, u->timed,
				    &before);
	enum correction		 c;
	double			 factor;
	sqlite3_stmt		*q;

	if (!find_mark(s, Q_YARDSTICK_AFTER, sweep_id, u->timed, &after))
		return ST_OK;
	c = drift_between(follows ? &before : NULL, &after, &u->at, u->estimator, &factor);
	q = store_statement(s, c == CORRECTION_CORRECTED ? Q_RANK_CORRECT : Q_RANK_REFUSE);
	(void)sqlite3_bind_int64(q, 1, u->cursor);
	store_bind_text(q, 2, correction_word(c));
	if (c == CORRECTION_CORRECTED) {
		(void)sqlite3_bind_double(q, 3, factor);
		(void)sqlite3_bind_double(q, 4, u->value_ns / factor);
	}
	return store_run(s, q, why);
}

/* Rows of RANK_COLUMNS; resets the statement. */
static size_t
read_unsettled(sqlite3_stmt *q, struct unsettled *u, size_t most)
{
	size_t	n = 0;

	for (; n < most && sqlite3_step(q) == SQLITE_ROW; n++) {
		u[n] = (struct unsettled){ sqlite3_column_int64(q, 0), sqlite3_column_int64(q, 1),
		    { sqlite3_column_int64(q, 2), sqlite3_column_double(q, 3) },
		    sqlite3_column_double(q, 4), "" };
		(void)snprintf(u[n].estimator, sizeof u[n].estimator, "%s", store_column(q, 5));
	}
	(void)sqlite3_reset(q);
	return n;
}

/* Of the first yardstick whose results wait; *more: it was there. */
static enum status
correct_step(struct store *s, bool *more, struct fault *why)
{
	sqlite3_stmt		*q = store_statement(s, Q_YARDSTICK_OPEN);
	struct unsettled	 u[ROWS];
	int64_t			 sweep_id = 0, cursor = 0;
	enum status		 st = ST_OK;
	size_t			 n;

	if ((*more = sqlite3_step(q) == SQLITE_ROW)) {
		sweep_id = sqlite3_column_int64(q, 0);
		cursor = sqlite3_column_int64(q, 1);
	}
	(void)sqlite3_reset(q);
	if (!*more)
		return ST_OK;
	q = store_statement(s, Q_RANKS_WAITING);
	(void)sqlite3_bind_int64(q, 1, sweep_id);
	(void)sqlite3_bind_int64(q, 2, cursor);
	(void)sqlite3_bind_int(q, 3, ROWS);
	n = read_unsettled(q, u, ROWS);
	for (size_t i = 0; i < n && st == ST_OK; i++)
		st = settle(s, sweep_id, &u[i], why);
	if (n == ROWS || st != ST_OK)
		return st;
	q = store_statement(s, Q_YARDSTICK_SETTLED);
	(void)sqlite3_bind_int64(q, 1, sweep_id);
	(void)sqlite3_bind_int64(q, 2, cursor);
	return store_run(s, q, why);
}

bool
store_must_correct(struct store *s)
{
	return store_first_int(store_statement(s, Q_YARDSTICK_OPEN), 0) != 0;
}

enum status
store_correct(struct store *s, uint64_t slice_ns, struct fault *why)
{
	const uint64_t	end_ns = clock_now_ns() + slice_ns;
	enum status	st = store_mark(s, why);
	bool		more = true;

	if (st != ST_OK)
		return st;
	do
		st = correct_step(s, &more, why);
	while (st == ST_OK && more && clock_now_ns() < end_ns);
	if (st == ST_OK)
		return store_keep(s, why);
	store_undo(s);
	return st;
}

/* ---- results as they land ---- */

/* When its time was taken.  A repeat's is that of the job which was timed in this sweep. */
static enum correction
find_moment(struct store *s, int64_t sweep_id, const struct new_result *r, struct unsettled *u)
{
	sqlite3_stmt	*q;
	enum correction	 c = CORRECTION_ELSEWHERE;

	*u = (struct unsettled){ .cursor = r->cursor, .timed = r->cursor,
	    .at = { s->boot, r->ended } };
	if (r->repeat_of == 0)
		return CORRECTION_WAITING;
	q = store_statement(s, Q_RANK_ORIGIN);
	(void)sqlite3_bind_int64(q, 1, r->repeat_of);
	(void)sqlite3_bind_int64(q, 2, sweep_id);
	if (sqlite3_step(q) == SQLITE_ROW) {
		u->timed = sqlite3_column_int64(q, 0);
		u->at = (struct drift_moment){ sqlite3_column_int64(q, 1),
		    sqlite3_column_double(q, 2) };
		c = CORRECTION_WAITING;
	}
	(void)sqlite3_reset(q);
	return c;
}

static enum status
add_rank(struct store *s, int64_t sweep_id, const struct new_result *r, struct fault *why)
{
	struct unsettled	 u;
	const enum correction	 c = find_moment(s, sweep_id, r, &u);
	sqlite3_stmt		*q = store_statement(s, Q_RANK_ADD);
	enum status		 st;

	(void)sqlite3_bind_int64(q, 1, r->cursor);
	(void)sqlite3_bind_int64(q, 2, u.timed);
	(void)sqlite3_bind_int64(q, 3, u.at.boot);
	(void)sqlite3_bind_double(q, 4, u.at.ended);
	store_bind_text(q, 5, correction_word(c));
	st = store_run(s, q, why);
	if (st != ST_OK || r->repeat_of == 0 || c != CORRECTION_WAITING)
		return st;
	q = store_statement(s, Q_RANK_ONE);
	(void)sqlite3_bind_int64(q, 1, r->cursor);
	return read_unsettled(q, &u, 1) == 1 ? settle(s, sweep_id, &u, why) : ST_OK;
}

enum status
store_note_timing(struct store *s, const struct new_result *r, struct fault *why)
{
	sqlite3_stmt	*q = store_statement(s, Q_JOB_SWEEP);
	int64_t		 sweep_id = 0;
	bool		 corrects = false, more = true;
	enum status	 st;

	(void)sqlite3_bind_int64(q, 1, r->job_id);
	if (sqlite3_step(q) == SQLITE_ROW) {
		sweep_id = sqlite3_column_int64(q, 0);
		corrects = sqlite3_column_int(q, 1) != 0;
	}
	(void)sqlite3_reset(q);
	if (sweep_id == 0 || (!corrects && !r->is_yardstick))
		return ST_OK;
	if (!r->is_yardstick)
		return add_rank(s, sweep_id, r, why);
	st = add_yardstick(s, sweep_id, corrects, r, why);
	for (int i = 0; corrects && i < AT_ONCE && more && st == ST_OK; i++)
		st = correct_step(s, &more, why);
	return st;
}

/* ---- reading ---- */

bool
store_corrections(struct store *s, int64_t sweep_id, struct store_corrections *out)
{
	sqlite3_stmt	*q = store_statement(s, Q_CORRECTIONS);
	bool		 corrects = false;

	*out = (struct store_corrections){ .least = NAN, .most = NAN };
	(void)sqlite3_bind_int64(q, 1, sweep_id);
	while (sqlite3_step(q) == SQLITE_ROW) {
		corrects = true;
		if (sqlite3_column_type(q, 0) == SQLITE_NULL)
			continue;
		out->n[correction_of(store_column(q, 0))] = sqlite3_column_int64(q, 1);
		if (sqlite3_column_type(q, 2) != SQLITE_NULL) {
			out->least = sqlite3_column_double(q, 2);
			out->most = sqlite3_column_double(q, 3);
		}
	}
	(void)sqlite3_reset(q);
	return corrects;
}

void
store_drift(struct store *s, int64_t sweep_id, struct store_drift *out)
{
	sqlite3_stmt	*q = store_statement(s, Q_DRIFT);

	*out = (struct store_drift){ .worst = 1 };
	(void)sqlite3_bind_int64(q, 1, sweep_id);
	if (sqlite3_step(q) == SQLITE_ROW)
		*out = (struct store_drift){ sqlite3_column_int64(q, 0),
		    sqlite3_column_double(q, 1), sqlite3_column_double(q, 2),
		    sqlite3_column_double(q, 3) };
	(void)sqlite3_reset(q);
}
