/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The list of sweeps.  One index has all that is filtered by.  Counters are read of sweeps that fit
 * the other filters: the number of jobs never matters.
 */
#include <stdio.h>

#include "daemon/store/store_impl.h"

/* A row of Q_SWEEP_LIST. */
static enum sweep_state
read_sweep(struct store *s, sqlite3_stmt *q, struct sweep_row *row)
{
	*row = (struct sweep_row){ .id = sqlite3_column_int64(q, 0),
		.submitter = (uid_t)sqlite3_column_int64(q, 2),
		.submitted = sqlite3_column_double(q, 3) };
	(void)snprintf(row->name, sizeof row->name, "%s", store_column(q, 1));
	row->finished = store_counters(s, row->id, &row->jobs, row->by_status);
	if (sqlite3_column_int(q, 5) != 0)
		return SWEEP_IS_ARRIVING;
	if (row->finished < row->jobs)
		return SWEEP_IS_ACTIVE;
	return sqlite3_column_int(q, 4) != 0 && row->by_status[ST_CANCELLED] != 0 ?
	    SWEEP_IS_CANCELLED : SWEEP_IS_DONE;
}

enum status
store_sweeps(struct store *s, const struct sweep_filter *f, sweep_row_fn *fn, void *arg,
    struct fault *why)
{
	sqlite3_stmt		*q = store_statement(s, Q_SWEEP_LIST);
	struct sweep_row	 row;
	enum sweep_state	 state;
	enum status		 st = ST_OK;
	int			 rc = SQLITE_DONE;

	(void)sqlite3_bind_int64(q, 1, f->before != 0 ? f->before : INT64_MAX);
	(void)sqlite3_bind_int64(q, 2, f->submitter);
	if (f->search != NULL)
		store_bind_text(q, 3, f->search);
	while (st == ST_OK && (rc = sqlite3_step(q)) == SQLITE_ROW) {
		state = read_sweep(s, q, &row);
		if (store_is_over(s))
			st = ST_CANCELLED;
		else if (f->state < 0 || (int)state == f->state)
			st = fn(arg, &row, state);
	}
	if (st == ST_OK && rc != SQLITE_DONE)
		st = store_fault(s, why, "reading sweeps");
	(void)sqlite3_reset(q);
	return st;
}
